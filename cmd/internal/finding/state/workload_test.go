package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
)

// A workload makes all kinds of writes to a folder, one per step. It announces each one after it
// has returned, like a campaign in its status line. A ledger keeps the announcements, and checks a
// reopened folder against them. The tests with kills, crashes and full disks share both.

// payload returns the unique content for a number, of size bytes.
func payload(i, size int) []byte {
	word := fmt.Sprintf("<%d>", i)
	return []byte(strings.Repeat(word, size/len(word)+1))
}

const workloadBuild = "build-1"

// openWorkload opens the folder as a campaign does.
func openWorkload(fsys FS, dir string) (*Folder, error) {
	f, _, err := Open(fsys, dir, testConfig())
	if err != nil {
		return nil, err
	}
	if _, _, err := f.Build(workloadBuild); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// kinds is the number of kinds of steps.
const kinds = 10

// step makes the i-th write and announces it as a line of words. A removal is announced before,
// since from then on either state is right.
func step(f *Folder, i, size int, announce func(words ...any)) error {
	name := func(i int) string { return fmt.Sprintf("n%09d", i) }
	bucket := func(i int) string { return fmt.Sprintf("b%d", i/kinds%3) }
	now := func() time.Time { return time.Unix(int64(i), 0) }
	var err error
	var done []any
	switch i % kinds {
	case 0:
		hashes := []uint64{uint64(i), uint64(i) + 1<<40}
		for len(hashes) < size/100 {
			hashes = append(hashes, uint64(i))
		}
		if err = f.Append(uint8(i/kinds), hashes); err == nil {
			err = f.Flush()
		}
		done = []any{"tuple", i}
	case 1:
		err = f.AppendStats(map[string]any{"i": i, "pad": string(payload(i, size/10))})
		done = []any{"stats", i}
	case 2:
		err = f.Save(Snapshot{Seen: map[string][]byte{"a": payload(i, size), "b": nil}, Counters: map[string]uint64{Inputs: uint64(i), Yield("splice"): 7}})
		done = []any{"snapshot", i}
	case 3:
		err = f.PutPending(name(i), payload(i, size))
		done = []any{"pending", i}
	case 4:
		announce("removing", i-1)
		err = f.RemovePending(name(i - 1))
		done = []any{"removed", i - 1}
	case 5:
		_, err = f.WriteFinding(bucket(i), name(i), map[string][]byte{
			"input": payload(i, size), "outputs.json": []byte("{}"), "reproducer/main.go": payload(-i, size/2)})
		done = []any{"finding", i, bucket(i)}
	case 6:
		err = f.UpdateFinding(bucket(i-1), name(i-1), map[string][]byte{"minimized": payload(i, size/4)})
		done = []any{"minimized", i - 1}
	case 7:
		err = f.WriteBucket(finding.Bucket{ID: bucket(i), Kind: "discrepancy", Count: uint64(i)})
		done = []any{"bucket", i, bucket(i)}
	case 8:
		err = f.WriteSummary([]byte(fmt.Sprintf(`{"inputs":%d}`, i)))
		done = []any{"summary", i}
	case 9:
		_, err = f.Log(now).Write([]byte(fmt.Sprintf("level=INFO msg=log i=%d.\n", i)))
		done = []any{"log", i}
	}
	if err == nil {
		announce(done...)
	}
	return err
}

// ledger holds the announced writes.
type ledger struct {
	size  int
	lines []string
}

func (l *ledger) announce(words ...any) {
	l.lines = append(l.lines, strings.TrimSuffix(fmt.Sprintln(words...), "\n"))
}

// check opens the folder again and compares it with the ledger.
func (l *ledger) check(t *testing.T, dir string) {
	t.Helper()
	f, err := openWorkload(atomicfile.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	noLeftovers(t, dir)
	found := l.inventory(t, f)
	latest := map[string]int{}
	for _, line := range l.lines {
		var what, where string
		var i int
		fmt.Sscan(line, &what, &i, &where)
		switch what {
		case "tuple", "stats", "log", "finding", "minimized":
			if !found[fmt.Sprint(what, " ", i)] {
				t.Errorf("announced and lost: %s", line)
			}
		case "pending":
			again := slices.Contains(l.lines, fmt.Sprint("removing ", i))
			if !found[fmt.Sprint("pending ", i)] && !again {
				t.Errorf("announced and lost: %s", line)
			}
		case "removed":
			if found[fmt.Sprint("pending ", i)] {
				t.Errorf("announced as removed and there: %s", line)
			}
		case "snapshot", "summary":
			latest[what] = i
		case "bucket":
			latest[what+" "+where] = i
		}
	}
	for what, i := range latest {
		ok := false
		for have := range found {
			var j int
			if n, _ := fmt.Sscanf(have, "latest "+what+" %d", &j); n == 1 && j >= i {
				ok = true
			}
		}
		if !ok {
			t.Errorf("announced %s %d and found older or none", what, i)
		}
	}
}

// inventory reads all files and checks that each one is whole.
func (l *ledger) inventory(t *testing.T, f *Folder) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	sound := func(problems []string, err error) {
		t.Helper()
		if err != nil || len(problems) != 0 {
			t.Errorf("problems %q, %v", problems, err)
		}
	}
	problems, err := f.ReadTuples(func(domain uint8, h uint64) {
		if h < 1<<40 {
			found[fmt.Sprint("tuple ", h)] = true
			if domain != uint8(h/kinds) {
				t.Errorf("hash %d in domain %d", h, domain)
			}
		}
	})
	sound(problems, err)
	lines, problems, err := f.ReadStats()
	sound(problems, err)
	for _, line := range lines {
		var v struct{ I int }
		if err := json.Unmarshal(line, &v); err != nil {
			t.Error(err)
		}
		found[fmt.Sprint("stats ", v.I)] = true
	}
	snap, problems, err := f.Load()
	sound(problems, err)
	if n := snap.Counters[Inputs]; n > 0 {
		found[fmt.Sprint("latest snapshot ", n)] = true
		if !bytes.Equal(snap.Seen["a"], payload(int(n), l.size)) || snap.Counters[Yield("splice")] != 7 || snap.BuildID != workloadBuild {
			t.Errorf("snapshot %d is not whole", n)
		}
	}
	pending, problems, err := f.Pending()
	sound(problems, err)
	for _, name := range pending {
		var i int
		fmt.Sscanf(name, "n%d", &i)
		data, err := f.ReadPending(name)
		if data != nil {
			found[fmt.Sprint("pending ", i)] = true
		}
		if err != nil || data != nil && !bytes.Equal(data, payload(i, l.size)) {
			t.Errorf("candidate %s is not whole: %v", name, err)
		}
	}
	l.findings(t, f, found)
	if summary, err := f.ReadSummary(); err != nil {
		t.Error(err)
	} else if summary != nil {
		var v struct{ Inputs int }
		if err := json.Unmarshal(summary, &v); err != nil {
			t.Error(err)
		}
		found[fmt.Sprint("latest summary ", v.Inputs)] = true
	}
	log, err := f.read(f.path(logFile))
	sound(nil, err)
	log = log[:bytes.LastIndexByte(log, '\n')+1] // the writer may be running
	for line := range strings.Lines(string(log)) {
		var i int
		if _, err := fmt.Sscanf(line[strings.IndexByte(line, ' ')+1:], "level=INFO msg=log i=%d.\n", &i); err != nil {
			t.Errorf("log line %q: %v", line, err)
		}
		found[fmt.Sprint("log ", i)] = true
	}
	return found
}

func (l *ledger) findings(t *testing.T, f *Folder, found map[string]bool) {
	t.Helper()
	buckets, problems, err := f.ReadFindings()
	if err != nil || len(problems) != 0 {
		t.Errorf("problems %q, %v", problems, err)
	}
	for _, b := range buckets {
		if b.Kind != "" { // its bucket.json exists
			found[fmt.Sprintf("latest bucket %s %d", b.ID, b.Count)] = true
		}
		for _, hash := range b.Hashes {
			var i int
			fmt.Sscanf(hash, "n%d", &i)
			found[fmt.Sprint("finding ", i)] = true
			want := map[string][]byte{"input": payload(i, l.size), "outputs.json": []byte("{}"), "reproducer/main.go": payload(-i, l.size/2)}
			files := filesOf(t, f, b.ID, hash)
			if slices.Contains(files, "minimized") {
				found[fmt.Sprint("minimized ", i)] = true
				want["minimized"] = payload(i+1, l.size/4)
			}
			if len(files) != len(want) {
				t.Errorf("finding %d has %q", i, files)
			}
			for name, data := range want {
				if got, err := f.ReadFinding(b.ID, hash, name); err != nil || !bytes.Equal(got, data) {
					t.Errorf("finding %d: %s is not whole: %v", i, name, err)
				}
			}
		}
	}
}

func noLeftovers(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && atomicfile.IsTemp(d.Name()) {
			t.Errorf("left over: %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
