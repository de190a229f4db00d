package accept

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/filelock"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
)

var example = Entry{
	Bucket:   "0123456789ab",
	Programs: []string{"json.Valid", "b"},
	Outcomes: map[string]string{"json.Valid": "accepted", "b": "rejected"},
	Reason:   "b says \"no\"\nto C:\\ and \x01\x7f ü",
	Input:    []byte("\x00\xff{"),
	Location: "parse.go:12",
	Target:   "FuzzParse",
	Change:   "23456789abcd",
	Variants: []string{"0123456789ab", "3456789abcde"},
	Count:    12345,
}

func equal(a, b Entry) bool {
	a.Line, b.Line = 0, 0
	return reflect.DeepEqual(a, b)
}

func file(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAddAndLoad(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	f, err := Load(path)
	if err != nil || len(f.Entries) != 0 {
		t.Fatalf("missing file: %+v, %v", f, err)
	}
	second := Entry{Bucket: "b2", Input: []byte{}}
	for i, e := range []Entry{example, second, example} {
		added, err := Add(t.Context(), atomicfile.OS, path, e, nil)
		if err != nil || added != (i < 2) {
			t.Fatalf("%d: added %v, %v", i, added, err)
		}
	}
	f, err = Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Entries) != 2 || !equal(f.Entries[0], example) || !equal(f.Entries[1], second) {
		t.Errorf("%+v", f.Entries)
	}
	data, _ := os.ReadFile(path)
	for _, e := range f.Entries {
		if line := strings.Split(string(data), "\n")[e.Line-1]; line != "[[accepted]]" {
			t.Errorf("%s: line %d is %q", e.Bucket, e.Line, line)
		}
	}
	if e, ok := f.Find("b2"); !ok || e.Bucket != "b2" {
		t.Errorf("Find: %+v %v", e, ok)
	}
	if _, ok := f.Find("none"); ok {
		t.Error("Find found what is not there")
	}
}

func TestAddKeepsEveryByte(t *testing.T) {
	for _, c := range []struct{ name, before string }{
		{"comments and order", "# ours\nversion = 1 # the only one\n\n# why\n[[accepted]]\nreason = 'x'\nbucket = \"z\"\n# the end"},
		{"with carriage returns", "version = 1\r\n\r\n[[accepted]]\r\nbucket = \"z\"\r\n"},
		{"version only", "version = 1"},
	} {
		path := file(t, c.before)
		if added, err := Add(t.Context(), atomicfile.OS, path, example, nil); !added || err != nil {
			t.Fatalf("%s: %v, %v", c.name, added, err)
		}
		after, _ := os.ReadFile(path)
		if !strings.HasPrefix(string(after), c.before) {
			t.Errorf("%s: became %q", c.name, after)
		}
		if strings.Contains(c.before, "\r") && strings.Count(string(after), "\n") != strings.Count(string(after), "\r\n") {
			t.Errorf("%s: mixed line ends: %q", c.name, after)
		}
	}
}

// TestWiden checks that only the line with the variants changes, and that their number is bounded.
func TestWiden(t *testing.T) {
	const other = "\n[[accepted]]\nbucket = \"o\" # last\n"
	var many []string
	for i := range MaxVariants + 10 {
		many = append(many, fmt.Sprint("v", i))
	}
	for _, c := range []struct {
		name, before string
		variants     []string
		after        string
		fresh        int
	}{
		{"an earlier entry", "version = 1\n[[accepted]]\nbucket = \"z\" # ours\nreason = 'x'\n# why" + other, []string{"v1", "v2"},
			"version = 1\n[[accepted]]\nbucket = \"z\" # ours\nreason = 'x'\nvariants = [\"v1\", \"v2\"]\n# why" + other, 2},
		{"one further", "version = 1\n[[accepted]]\nvariants = [\n  'v1',\n] # ours\nbucket = \"z\"\n" + other, []string{"v2"},
			"version = 1\n[[accepted]]\nvariants = [\"v2\", \"v1\"] # ours\nbucket = \"z\"\n" + other, 1},
		{"none further", "version = 1\n[[accepted]]\nbucket = \"z\"\nvariants = ['v1', 'v2']", []string{"v2", "v1"},
			"version = 1\n[[accepted]]\nbucket = \"z\"\nvariants = ['v1', 'v2']", 0},
		{"no end of line", "version = 1\n[[accepted]]\nbucket = \"z\"", []string{"v1"}, "version = 1\n[[accepted]]\nbucket = \"z\"\nvariants = [\"v1\"]\n", 1},
		{"carriage returns", "version = 1\r\n[[accepted]]\r\nbucket = \"z\"\r\n", []string{"v1"}, "version = 1\r\n[[accepted]]\r\nbucket = \"z\"\r\nvariants = [\"v1\"]\r\n", 1},
		{"a table below", "version = 1\n[[accepted]]\nbucket = \"z\"\n[accepted.outcomes]\na = \"accepted\"\n", []string{"v1"},
			"version = 1\n[[accepted]]\nbucket = \"z\"\nvariants = [\"v1\"]\n[accepted.outcomes]\na = \"accepted\"\n", 1},
		{"too many", "version = 1\n[[accepted]]\nbucket = \"z\"\nvariants = [\"old\"]\n", many,
			"version = 1\n[[accepted]]\nbucket = \"z\"\nvariants = " + list(many[:MaxVariants]) + "\n", len(many)},
		{"another bucket", "version = 1\n" + other, []string{"v1"}, "version = 1\n" + other, 0},
	} {
		path := file(t, c.before)
		fresh, changed, err := Widen(t.Context(), atomicfile.OS, path, Entry{Bucket: "z"}, Entry{Variants: c.variants}, nil)
		after, _ := os.ReadFile(path)
		if fresh != c.fresh || changed != (c.before != c.after) || err != nil || string(after) != c.after {
			t.Errorf("%s: %d, %v, became\n%s", c.name, fresh, err, after)
		}
	}
	for name, before := range map[string]string{
		"inline":    "version = 1\naccepted = [{ bucket = \"z\" }]\n",
		"a comment": "version = 1\n[[accepted]]\nbucket = \"z\"\nvariants = [\n  'v1', # ]\n]\n",
	} {
		path := file(t, before)
		_, _, err := Widen(t.Context(), atomicfile.OS, path, Entry{Bucket: "z"}, Entry{Variants: []string{"v2"}}, nil)
		if after, _ := os.ReadFile(path); exit.Code(err) != exit.UsageCode || string(after) != before {
			t.Errorf("%s: %v, became\n%s", name, err, after)
		}
	}
}

// TestWidenSeed checks that a failing seed enters an entry, in place of false or as a new key.
func TestWidenSeed(t *testing.T) {
	for before, after := range map[string]string{
		"":                        "seed = true\n",
		"seed = false # ours\n":   "seed = true # ours\n",
		"seed = true\n":           "seed = true\n",
		"count = 3\nseed=false\n": "count = 3\nseed = true\n",
	} {
		text := func(keys string) string { return "version = 1\n[[accepted]]\nbucket = \"z\"\n" + keys }
		path := file(t, text(before))
		if _, _, err := Widen(t.Context(), atomicfile.OS, path, Entry{Bucket: "z"}, Entry{Seed: true}, nil); err != nil {
			t.Fatal(err)
		}
		if data, _ := os.ReadFile(path); string(data) != text(after) {
			t.Errorf("%q became %q, want %q", text(before), data, text(after))
		}
	}
}

// TestWidenCount checks that a count is replaced in its place or added, and that an unknown count
// changes nothing.
func TestWidenCount(t *testing.T) {
	for before, after := range map[string]string{
		"":                                   "count = 17\n",
		"count = 3 # ours\nreason = \"9\"\n": "count = 17 # ours\nreason = \"9\"\n",
		"variants = []\n":                    "variants = []\ncount = 17\n",
		"count=1_000\nvariants = [\"v\"]\n":  "count = 17\nvariants = [\"v\"]\n",
		"count = 17\n":                       "count = 17\n",
		"count = 3\noutcomes.x = \"oom\"\n":  "count = 17\noutcomes.x = \"oom\"\n",
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			text := func(keys string) string {
				return strings.ReplaceAll("version = 1\n[[accepted]]\nbucket = \"z\"\n"+keys+"\n# end\n[[accepted]]\nbucket = \"o\"\ncount = 5\n", "\n", newline)
			}
			path := file(t, text(before))
			for _, count := range []uint64{0, 17, 17, 0} {
				if _, _, err := Widen(t.Context(), atomicfile.OS, path, Entry{Bucket: "z"}, Entry{Count: count}, nil); err != nil {
					t.Fatal(err)
				}
				want := text(after)
				if data, _ := os.ReadFile(path); count == 0 && string(data) == text(before) {
				} else if string(data) != want {
					t.Errorf("%q became %q, want %q", text(before), data, want)
				}
			}
		}
	}
}

// TestEntriesOfTarget checks that an entry holds in its own target and for its own programs in any
// versions, and names them as the target does.
func TestEntriesOfTarget(t *testing.T) {
	f := &File{Path: "p", Entries: []Entry{
		{Bucket: "any"},
		{Bucket: "programs", Programs: []string{"a@v1", "b"}, Outcomes: map[string]string{"a@v1": "crashed", "b": "rejected"}, Program: "a@v1"},
		{Bucket: "other programs", Programs: []string{"b", "a@v1"}},
		{Bucket: "more programs", Programs: []string{"a@v1", "b", "c"}},
		{Bucket: "target", Target: "t", Programs: []string{"a@v1", "b"}},
		{Bucket: "target, other programs", Target: "t", Programs: []string{"x"}},
		{Bucket: "other target", Target: "u", Programs: []string{"a@v1", "b"}},
		{Bucket: "other target, any programs", Target: "u"},
	}}
	names := []string{"a@v2", "b"}
	of := f.For("t", names)
	var got []string
	for _, e := range of.Entries {
		got = append(got, e.Bucket)
		if e.Programs != nil && !reflect.DeepEqual(e.Programs, names) {
			t.Errorf("%s: of %q", e.Bucket, e.Programs)
		}
	}
	if want := []string{"target", "any", "programs"}; !reflect.DeepEqual(got, want) || of.Path != f.Path {
		t.Errorf("%q, want %q", got, want)
	}
	if e, _ := of.Find("programs"); e.Program != "a@v2" || !reflect.DeepEqual(e.Outcomes, map[string]string{"a@v2": "crashed", "b": "rejected"}) || !e.Same(f.Entries[1]) {
		t.Errorf("%+v", e)
	}
}

// TestEntriesOfABucket checks a bucket with an entry per target and per accepted input. Each entry
// is read, can be extended, and is added once.
func TestEntriesOfABucket(t *testing.T) {
	path := file(t, header)
	list := []Entry{{Bucket: "b"}, {Bucket: "b", Target: "t"}, {Bucket: "b", Target: "u"}, {Bucket: "b", Target: "t", Input: []byte("2")}, {Bucket: "b", Target: "t", Programs: []string{"x"}}}
	for range 2 {
		for i := range list {
			if list[i].Input == nil {
				list[i].Input = []byte("1")
			}
			if _, err := Add(t.Context(), atomicfile.OS, path, list[i], nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, e := range list {
		if fresh, _, err := Widen(t.Context(), atomicfile.OS, path, e, Entry{Variants: []string{fmt.Sprint(i)}}, nil); fresh != 1 || err != nil {
			t.Fatalf("%d: %d, %v", i, fresh, err)
		}
	}
	f, err := Load(path)
	if err != nil || len(f.Entries) != len(list) {
		t.Fatalf("%+v, %v", f, err)
	}
	for i, e := range f.Entries {
		if list[i].Variants = []string{fmt.Sprint(i)}; !equal(e, list[i]) {
			t.Errorf("%d: %+v", i, e)
		}
	}
}

func TestAddThroughALink(t *testing.T) {
	path := file(t, header)
	link := filepath.Join(t.TempDir(), "link.toml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(t.Context(), atomicfile.OS, link, example, nil); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link was replaced")
	}
	if f, err := Load(path); err != nil || len(f.Entries) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestMistakes(t *testing.T) {
	const ok = "version = 1\n"
	for _, c := range []struct {
		name, content string
		line          int
		want          string
	}{
		{"syntax", ok + "[[accepted]\n", 2, ""},
		{"unknown key at the top", ok + "wat = 1\n", 2, `unknown key "wat"`},
		{"unknown key in an entry", ok + "[[accepted]]\nbucket = \"b\"\nraeson = \"r\"\n", 4, `unknown key "accepted.raeson"`},
		{"unknown table", ok + "\n[other]\nx = 1\n", 3, `unknown key "other`},
		{"type", ok + "[[accepted]]\nbucket = 1\n", 3, ""},
		{"no bucket", ok + "\n[[accepted]]\nreason = \"r\"\n", 3, "no bucket"},
		{"bucket twice", ok + "[[accepted]]\nbucket = \"b\"\n[[accepted]]\nbucket = \"b\"\n", 4, `"b" is already accepted in line 2`},
		{"base64", ok + "[[accepted]]\nbucket = \"b\"\ninput = \"%\"\n", 4, "not base64"},
		{"outcome", ok + "[[accepted]]\nbucket = \"b\"\noutcomes = { a = \"acepted\" }\n", 4, `unknown outcome "acepted"`},
		{"no version", "[[accepted]]\nbucket = \"b\"\n", 1, "version = 1 is missing"},
		{"empty", "", 1, "version = 1 is missing"},
		{"newer", "version = 2\n[wat]\nx = 1\n", 0, "a newer parallax wrote it (format 2"},
		{"newer without news", "version = 2\n", 0, "a newer parallax wrote it (format 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := file(t, c.content)
			_, err := Load(path)
			if exit.Code(err) != exit.UsageCode {
				t.Fatalf("exit code %d: %v", exit.Code(err), err)
			}
			prefix := path + ": "
			if c.line > 0 {
				prefix = fmt.Sprintf("%s:%d: ", path, c.line)
			}
			if !strings.HasPrefix(err.Error(), prefix) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("message %q, want %q and %q", err, prefix, c.want)
			}
			if _, err := Add(t.Context(), atomicfile.OS, path, example, nil); exit.Code(err) != exit.UsageCode {
				t.Errorf("Add: %v", err)
			}
			if after, _ := os.ReadFile(path); string(after) != c.content {
				t.Errorf("Add changed it to %q", after)
			}
		})
	}
}

func TestAddToInlineEntries(t *testing.T) {
	content := "version = 1\naccepted = [{ bucket = \"a\" }]\n"
	path := file(t, content)
	if f, err := Load(path); err != nil || len(f.Entries) != 1 {
		t.Fatalf("%+v, %v", f, err)
	}
	_, err := Add(t.Context(), atomicfile.OS, path, example, nil)
	if exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "[[accepted]] tables") {
		t.Errorf("%v", err)
	}
	if after, _ := os.ReadFile(path); string(after) != content {
		t.Errorf("changed to %q", after)
	}
}

func TestTwoCommandsAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, err := Add(t.Context(), atomicfile.OS, path, Entry{Bucket: fmt.Sprint("b", i)}, nil); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	if f, err := Load(path); err != nil || len(f.Entries) != 20 {
		t.Errorf("%d entries, %v", len(f.Entries), err)
	}
}

// TestFolderHeld checks that a command reports that it waits for the folder, and ends with its
// context.
func TestFolderHeld(t *testing.T) {
	dir := t.TempDir()
	held, err := filelock.Try(dir, filelock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	ctx, cancel := context.WithCancel(t.Context())
	said := ""
	_, err = Add(ctx, atomicfile.OS, filepath.Join(dir, FileName), example, func(text string) { said = text; cancel() })
	if !errors.Is(err, context.Canceled) || said != "waiting for another process, which holds "+dir {
		t.Errorf("%q, %v", said, err)
	}
}

// TestNoFile checks paths of other kinds of files. Reading a device may never end, opening a pipe
// may block.
func TestNoFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.Symlink("/dev/zero", at("device")), syscall.Mkfifo(at("pipe"), 0o600), os.Mkdir(at("folder"), 0o700), os.WriteFile(at("large"), nil, 0o600),
		os.Truncate(at("large"), 1<<30), os.Symlink(at("nowhere"), at("dangling")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"device": "a device, not a file", "pipe": "a pipe, not a file", "folder": "a folder, not a file", "large": "too many"} {
		_, err := Load(at(name))
		if exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Add(t.Context(), atomicfile.OS, at(name), example, nil); exit.Code(err) != exit.UsageCode {
			t.Errorf("added to %s: %v", name, err)
		}
	}
	if f, err := Load(at("dangling")); err != nil || len(f.Entries) != 0 {
		t.Errorf("missing: %+v, %v", f, err)
	}
}

func TestDiskFaults(t *testing.T) {
	path := file(t, header)
	size := int64(len(header) + len(example.text()))
	for k := int64(0); k < size; k++ {
		_, err := Add(t.Context(), faultfs.New(atomicfile.OS).Full(k), path, example, nil)
		if exit.Code(err) != exit.InfraCode || !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("full after %d bytes: %v", k, err)
		}
		if after, _ := os.ReadFile(path); string(after) != header {
			t.Fatalf("full after %d bytes: changed to %q", k, after)
		}
	}
	if _, err := Add(t.Context(), faultfs.New(atomicfile.OS).ReadOnly(true), path, example, nil); !errors.Is(err, syscall.EROFS) {
		t.Errorf("read-only: %v", err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

// FuzzFile checks that any readable file can be extended entry by entry, and keeps its meaning.
func FuzzFile(f *testing.F) {
	f.Add([]byte(header + example.text()))
	f.Add([]byte("version = 1\naccepted = [{ bucket = \"a\" }]\n"))
	f.Add([]byte("version = 1\r\n[[accepted]]\r\nbucket = '''\r\nx'''\r\n"))
	f.Add([]byte("version = 1\n[[accepted]]\nbucket = \"a\"\noutcomes.x = \"oom\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parse(data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("message of several lines: %q", err)
			}
			return
		}
		out := []byte(header)
		for i, e := range entries {
			if out, err = extend(out, entries[:i], e); err != nil {
				t.Fatalf("entry %d %+v: %v", i, e, err)
			}
		}
		again, err := parse(out)
		if err != nil || len(again) != len(entries) {
			t.Fatalf("%v\n%s", err, out)
		}
		for i := range entries {
			if entries[i].text() != again[i].text() {
				t.Errorf("%+v became %+v", entries[i], again[i])
			}
		}
	})
}
