package extract

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestPinned installs an engine of its index into parallax's cache, once, and compares its answers
// with a recording in testdata. It thus tests the adapter of CrossHair and its environment as users
// have them.
func TestPinned(t *testing.T) {
	t.Parallel()
	dir, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	env, err := Environment(t.Context(), filepath.Join(dir, "parallax"), "crosshair", "0.0.112", func(text string) { t.Log(text) })
	if err != nil {
		t.Fatalf("CrossHair cannot be installed, which takes Python's package index and python3 with venv (apt-get install python3-venv): %v", err)
	}
	e := Open(env, Options{})
	defer e.Close()
	f, err := os.Open("testdata/crosshair-0.0.112.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	asked := map[Mode]int{}
	for lines := json.NewDecoder(bufio.NewReader(f)); lines.More(); {
		var r struct {
			Function string
			Mode     Mode
			Call     json.RawMessage
			Answer   json.RawMessage
		}
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		var got, want any
		switch r.Mode {
		case "list":
			list, err := e.List(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var answer struct{ List []Listed }
			if err := json.Unmarshal(r.Answer, &answer); err != nil {
				t.Fatal(err)
			}
			listed := map[string]bool{}
			for _, l := range list {
				listed[l.Function] = l.Reason == ""
			}
			var missing []string // another Python has others besides
			for _, l := range answer.List {
				if l.Reason == "" && !listed[l.Function] {
					missing = append(missing, l.Function)
				}
			}
			got, want = missing, []string(nil)
		case Takes:
			answers, err := e.Extract(t.Context(), []Request{{Function: r.Function, Mode: Takes}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var answer Answer
			if err := json.Unmarshal(r.Answer, &answer); err != nil {
				t.Fatal(err)
			}
			got, want = []any{answers[0].Form, answers[0].Parameters, answers[0].Status}, []any{answer.Form, answer.Parameters, answer.Status}
		default:
			said, err := e.Calls(t.Context(), r.Function, OfModel, []json.RawMessage{r.Call})
			if err != nil {
				t.Fatal(err)
			}
			var answer Said
			if err := json.Unmarshal(r.Answer, &answer); err != nil {
				t.Fatal(err)
			}
			got, want = said[0], answer
		}
		asked[r.Mode]++
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s %s: %+v, recorded %+v", r.Mode, r.Function, r.Call, got, want)
		}
	}
	if len(asked) < 3 {
		t.Errorf("the record has only %v", asked)
	}
}
