package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/event"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/input"
)

// TestLines checks the line of each event. Features and progress have none.
func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	log, err := Create(path, func() time.Time { return time.Unix(0, 0) })
	if err != nil {
		t.Fatal(err)
	}
	shape, err := input.ParseShape("([]byte)")
	if err != nil {
		t.Fatal(err)
	}
	to := log.Of("json.Valid+v2", shape)
	flat, err := shape.Pack([]byte("ab\u0085"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []event.Event{
		event.Novel{Domain: 1, Hash: 7}, event.Traces{Keys: []uint64{1}},
		event.Kept{Flat: flat, Meta: corpus.Meta{New: []string{"coverage"}, Inputs: 9}},
		event.Found{Bucket: finding.Bucket{ID: "3ba0"}, Best: &finding.Finding{Shape: shape, Minimized: flat}, New: true},
		event.Sampled{Samples: []sample.Sample{{Inputs: 10}, {Inputs: 20}}, Summary: &finding.Summary{Mode: "diff"}},
		event.Sampled{Summary: &finding.Summary{Mode: "diff"}, End: true},
		event.Progress{},
	} {
		if err := to.Handle(e); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, text := range strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n") {
		var line Line
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if line.Version != Version || line.Target != "json.Valid+v2" || line.Time != "1970-01-01T00:00:00Z" {
			t.Errorf("%s", text)
		}
		got = append(got, line.Event)
		switch {
		case line.Event == "kept" && (line.Input == nil || line.Input.Bytes != 4 || line.Input.Inputs != 9):
			t.Errorf("kept: %s", text)
		case line.Event == "finding" && (line.Bucket == nil || line.Bucket.ID != "3ba0" || !line.New || line.Quoted == ""):
			t.Errorf("finding: %s", text)
		case line.Event == "end" && (line.Summary == nil || line.Summary.Mode != "diff"):
			t.Errorf("end: %s", text)
		}
	}
	if want := "kept finding sample sample end"; strings.Join(got, " ") != want {
		t.Errorf("events %q, want %q", got, want)
	}
	if bytes.ContainsRune(data, 0x85) {
		t.Error("a control character reaches the log")
	}
}

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// TestNoRoom checks that a full disk ends the campaign with a message that names the file.
func TestNoRoom(t *testing.T) {
	log := &Log{name: "e.jsonl", now: time.Now, to: full{}}
	err := log.Of("t", nil).Handle(event.Sampled{Samples: []sample.Sample{{}}})
	if exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), "writing to e.jsonl: no space left on device") {
		t.Errorf("%v", err)
	}
	if _, err := Create(filepath.Join(t.TempDir(), "missing", "e.jsonl"), time.Now); exit.Code(err) != exit.InfraCode {
		t.Errorf("%v", err)
	}
}
