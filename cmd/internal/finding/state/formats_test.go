package state

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/internal/atomicfile"
)

func FuzzConfig(f *testing.F) {
	f.Add(testConfig().encode())
	f.Add([]byte(`{"version":1,"identity":{"mode":"diff","programs":[{}],"later":1},"later":[{}]}`))
	f.Add([]byte(`{"version":2}`))
	f.Add([]byte(`{"version":1,"identity":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseConfig(data)
		if err != nil {
			return
		}
		if diff := c.Identity.Difference(c.Identity); diff != "" {
			t.Errorf("differs from itself: %s", diff)
		}
		again, err := parseConfig(c.encode())
		if err != nil {
			t.Fatal(err)
		}
		if diff := again.Identity.Difference(c.Identity); diff != "" || !bytes.Equal(again.encode(), c.encode()) {
			t.Errorf("written again it is another: %s\n%s%s", diff, c.encode(), again.encode())
		}
		next := c.resumedBy(testConfig())
		if len(next.Seeds) == 0 {
			t.Error("lost the seeds")
		}
	})
}

func TestConfigOfALaterTool(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, dir).Close()
	path := filepath.Join(dir, configFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte(`"target"`), []byte(`"later": {"a": [1]}, "target"`), 1)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, resumed, err := Open(atomicfile.OS, dir, testConfig()); err != nil || !resumed {
		t.Errorf("resumed %v, %v", resumed, err)
	}
}

func TestSnapshot(t *testing.T) {
	f := mustOpen(t, t.TempDir())
	if s, problems, err := f.Load(); err != nil || problems != nil || s.Seen != nil || s.Counters != nil {
		t.Errorf("none saved: %+v, %q, %v", s, problems, err)
	}
	want := Snapshot{
		BuildID:  "b",
		Seen:     map[string][]byte{"json.Valid": {0, 1, 255}, "b": {}},
		Counters: map[string]uint64{Inputs: 1 << 63, "": 0, Yield("bit flip"): 2},
		Branches: map[string][]byte{"": {1, 2}, "b": {}},
		Flaky:    []byte("[]"),
	}
	if err := f.Save(want); err != nil {
		t.Fatal(err)
	}
	got, problems, err := f.Load()
	if err != nil || problems != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %q, %v", got, problems, err)
	}
	a, _ := want.encode()
	for range 10 { // for the order of maps
		if b, _ := want.encode(); !bytes.Equal(a, b) {
			t.Fatal("written differently")
		}
	}
	if err := f.Save(Snapshot{Counters: map[string]uint64{strings.Repeat("x", 1<<16): 1}}); err == nil {
		t.Error("saved a name that is too long")
	}
	if got, _, _ := f.Load(); !reflect.DeepEqual(got, want) {
		t.Error("the failed Save changed it")
	}
}

func TestSnapshotDamagedAnywhere(t *testing.T) {
	f := mustOpen(t, t.TempDir())
	whole, err := Snapshot{BuildID: "b", Seen: map[string][]byte{"a": {1, 2}}, Counters: map[string]uint64{Inputs: 3}}.encode()
	if err != nil {
		t.Fatal(err)
	}
	try := func(name string, at int, data []byte) {
		if err := os.WriteFile(f.path(coverageFile), data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, problems, err := f.Load()
		if err != nil || len(problems) != 1 || !strings.Contains(problems[0], coverageFile) || s.Counters != nil {
			t.Errorf("%s at %d: %+v, %q, %v", name, at, s, problems, err)
		}
	}
	for at := range whole {
		try("cut", at, whole[:at])
		damaged := bytes.Clone(whole)
		damaged[at] ^= 1
		try("changed", at, damaged)
	}
}

func TestSnapshotOfALaterVersion(t *testing.T) {
	whole, err := Snapshot{BuildID: "b", Counters: map[string]uint64{Inputs: 3}}.encode()
	if err != nil {
		t.Fatal(err)
	}
	later := bytes.Clone(whole[:len(whole)-sumLen])
	later[len(snapshotMagic)] = 9
	later = append(later, 200, 1, 0, 2, 0, 0, 0, 'n', 'x', 'y') // a record of an unknown kind
	later = binary.LittleEndian.AppendUint32(later, crc32.Checksum(later, castagnoli()))
	s, err := parseSnapshot(later)
	if err != nil || s.BuildID != "b" || s.Counters[Inputs] != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

// FuzzSnapshot checks that a snapshot that was read can be written, and stays the same.
func FuzzSnapshot(f *testing.F) {
	for _, s := range []Snapshot{{}, {BuildID: "b", Seen: map[string][]byte{"a": {1}}, Counters: map[string]uint64{Inputs: 1}}} {
		data, err := s.encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:len(data)-sumLen])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		parseSnapshot(body)
		data := binary.LittleEndian.AppendUint32(bytes.Clone(body), crc32.Checksum(body, castagnoli()))
		s, err := parseSnapshot(data)
		if err != nil {
			return
		}
		again, err := s.encode()
		if err != nil {
			t.Fatal(err)
		}
		if t2, err := parseSnapshot(again); err != nil || !reflect.DeepEqual(s, t2) {
			t.Errorf("%+v became %+v, %v", s, t2, err)
		}
	})
}

func TestStats(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	for i := range 3 {
		if err := f.AppendStats(map[string]any{"i": i, "text": "a\nb", "raw": json.RawMessage("{\n}")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.AppendStats(func() {}); err == nil {
		t.Error("a function became JSON")
	}
	f.Close()
	path := filepath.Join(dir, statsFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A kill and a bad disk leave such lines.
	data = append(data, "not json\n\"last\"\n{\"half\":"...)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	viewer, err := OpenExisting(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	f = mustOpen(t, dir)
	if err := f.AppendStats("after"); err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Folder{viewer, f} {
		lines, problems, err := f.ReadStats()
		if err != nil || len(problems) != 1 || !strings.Contains(problems[0], path+":4: not JSON") {
			t.Errorf("problems %q, %v", problems, err)
		}
		if len(lines) != 5 || string(lines[3]) != `"last"` || string(lines[4]) != `"after"` || string(lines[1]) != `{"i":1,"raw":{},"text":"a\nb"}` {
			t.Errorf("lines %s", lines)
		}
	}
}

func FuzzStats(f *testing.F) {
	f.Add([]byte("{}\n[1]\nnot\n\n{\"half"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, bad, err := scanStats(bytes.NewReader(data), false)
		if n := bytes.Count(data, []byte{'\n'}); len(lines)+len(bad) != n && n < 2*mostStats || err != nil {
			t.Errorf("%d good and %d bad of %d lines", len(lines), len(bad), n)
		}
		var again []byte
		for _, l := range lines {
			again = append(append(again, l...), '\n')
		}
		if more, bad, err := scanStats(bytes.NewReader(again), false); len(more) != len(lines) || bad != nil || err != nil {
			t.Errorf("%d lines became %d, bad %v", len(lines), len(more), bad)
		}
	})
}

func TestLog(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	clock := time.Date(2024, 2, 3, 4, 5, 6, 7e6, time.FixedZone("x", 3600))
	// The campaign builds its logger like this, without the handler's own time.
	logger := slog.New(slog.NewTextHandler(f.Log(func() time.Time { return clock }), &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	logger.Info("worker restarted", "worker", 2)
	clock = clock.Add(time.Second)
	f.Log(func() time.Time { return clock }).Write([]byte("without a newline"))
	f.Close()
	want := "2024-02-03T03:05:06.007Z level=INFO msg=\"worker restarted\" worker=2\n2024-02-03T03:05:07.007Z without a newline\n"
	path := filepath.Join(dir, logFile)
	if got, err := os.ReadFile(path); string(got) != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.WriteFile(path, []byte(want+"2024-02-"), 0o644); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, dir)
	if got, _ := os.ReadFile(path); string(got) != want {
		t.Errorf("half a line stayed: %q", got)
	}
}

func TestPending(t *testing.T) {
	dir := t.TempDir()
	f := mustOpen(t, dir)
	for _, name := range []string{"b", "a.x", "c"} {
		if err := f.PutPending(name, []byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.PutPending("c", []byte("again")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.RemovePending("b"); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"", ".", "..", ".x", "a/b", "a\x00", strings.Repeat("x", 300)} {
		if f.PutPending(name, nil) == nil || f.RemovePending(name) == nil {
			t.Errorf("%q is a name", name)
		}
	}
	f.Close()
	f = mustOpen(t, dir)
	got, _, err := f.Pending()
	if err != nil || !slices.Equal(got, []string{"a.x", "c"}) {
		t.Errorf("%q, %v", got, err)
	}
	for name, want := range map[string][]byte{"a.x": []byte("a.x"), "c": []byte("again"), "b": nil} {
		if data, err := f.ReadPending(name); err != nil || !bytes.Equal(data, want) || (data == nil) != (want == nil) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}
