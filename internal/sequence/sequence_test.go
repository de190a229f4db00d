package sequence

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"parallax/internal/oracle"
)

// drive is a test value with objects, whose methods cover all cases.
type drive struct {
	files map[string][]byte
	open  *int
}

func newDrive() *drive { return &drive{files: map[string][]byte{}, open: new(int)} }

func (d *drive) Create(name string) (*handle, error) {
	if name == "" {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrInvalid}
	}
	d.files[name] = []byte{}
	*d.open++
	return &handle{d, name}, nil
}
func (d *drive) Panic(n uint8)                   { panic(fmt.Sprintf("number %d", n)) }
func (d *drive) Link(h *handle, to string) error { return fmt.Errorf("linking: %w", errLinks) }
func (d *drive) None() error                     { return errLinks }
func (d *drive) Put(key string, values ...int) int {
	return len(values)
}
func (d *drive) Load(name string, r io.Reader) error {
	text, err := io.ReadAll(r)
	d.files[name] = text
	return err
}
func (d *drive) Save(name string, w io.Writer) (time.Time, error) {
	text, ok := d.files[name]
	if !ok {
		return time.Unix(0, 0), errors.New("no such file")
	}
	_, err := w.Write(text)
	return time.Now(), err
}

type handle struct {
	d    *drive
	name string
}

func (h *handle) Write(p []byte) (int, error) {
	h.d.files[h.name] = append(h.d.files[h.name], p...)
	return len(p), nil
}
func (h *handle) Read(p []byte) (int, error) {
	n := copy(p, h.d.files[h.name])
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}
func (h *handle) Close() error { *h.d.open--; return nil }

var errLinks = errors.New("links are not implemented")

var driveTable = &Table{
	Names: []string{"a", ""},
	Kinds: []Kind{
		{Name: "drive", Methods: []Method{
			{Name: "Create", Args: []Arg{{Class: Name}}, Results: []int{1, -1}},
			{Name: "Panic", Args: []Arg{{Class: Int}}},
			{Name: "Link", Args: []Arg{{Class: Object, Kind: 1}, {Class: Name}}, Results: []int{-1}},
			{Name: "Put", Args: []Arg{{Class: Name}, {Class: Int, Variadic: true}}, Results: []int{-1}},
			{Name: "Load", Args: []Arg{{Class: Name}, {Class: Reader}}, Results: []int{-1}},
			{Name: "Save", Args: []Arg{{Class: Name}, {Class: Writer}}, Results: []int{-1, -1}},
		}},
		{Name: "handle", Methods: []Method{
			{Name: "Write", Args: []Arg{{Class: Bytes}}, Results: []int{-1, -1}},
			{Name: "Read", Args: []Arg{{Class: Buffer}}, Results: []int{-1, -1}, Filled: true},
		}},
	},
	NotImplemented: []error{errLinks},
}

// ticks replaces single quotes by backquotes.
func ticks(s string) string { return strings.ReplaceAll(s, "'", "`") }

// transcript runs records, and returns the lines and the outcome.
func transcript(t *Table, model bool, d *drive, records ...string) (string, oracle.Outcome) {
	in := []byte{}
	for _, r := range records {
		in = append(in, r...)
		in = append(in, make([]byte, -len(in)&(Size-1))...)
	}
	var r oracle.Result
	t.Run(model, func() (any, error) { return d, nil }, in, &r)
	text, err := r.Text(func(v any) ([]byte, error) { return []byte(fmt.Sprintln(v.([]any)...)), nil })
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(text)), r.Observe(true).Outcome
}

// TestTranscript checks that each operation has a line, and that objects are receivers. An unknown
// operation ends the sequence.
func TestTranscript(t *testing.T) {
	for _, tt := range []struct {
		name    string
		records []string
		model   bool
		want    string
		outcome oracle.Outcome
	}{
		{"nothing", nil, true, "", oracle.Accepted},
		{"an object", []string{"\x00\x00\x00", "\x06\x00\x02", "\x07\x00\x04", "\x07\x00\x01"}, true,
			ticks("drive.Create('a') = handle0, nil handle0.Write([]byte('abcde')) = 5, nil handle0.Read(make([]byte, 64)) = 5, nil; read 'abcde' handle0.Read(make([]byte, 0)) = 0, nil"), oracle.Accepted},
		{"an error", []string{"\x00\x00\x01"}, true, ticks("drive.Create('') = nil, fs.ErrInvalid"), oracle.Accepted},
		{"no object yet", []string{"\x06\x00\x01", "\x02"}, true, ticks("drive.Create('') = nil, fs.ErrInvalid"), oracle.Accepted},
		{"a panic", []string{"\x01\x00\x03", "\x00"}, true, `drive.Panic(3) panics: number <n>`, oracle.Accepted},
		{"not implemented", []string{"\x00", "\x02", "\x00"}, true, ticks("drive.Create('a') = handle0, nil drive.Link(handle0, 'a') is not implemented"), oracle.Accepted},
		{"not implemented by the original", []string{"\x00", "\x02"}, false, ticks("drive.Create('a') = handle0, nil drive.Link(handle0, 'a') = error(*errors.errorString)"), oracle.Accepted},
		{"variadic", []string{"\x03\x00\x00\x02", "\x03\x00\x00\x03"}, true, ticks("drive.Put('a', 2, 3) = 2 drive.Put('a') = 0"), oracle.Accepted},
		{"streams", []string{"\x04\x00\x00\x03", "\x05", "\x05\x00\x01"}, true,
			ticks("drive.Load('a', strings.NewReader('abc')) = nil drive.Save('a', new(bytes.Buffer)) = now, nil; wrote 'abc' drive.Save('', new(bytes.Buffer)) = 1970-01-01T00:00:00Z, error(*errors.errorString); wrote ''"), oracle.Accepted},
	} {
		d := newDrive()
		got, outcome := transcript(driveTable, tt.model, d, tt.records...)
		if outcome == oracle.Accepted && got != tt.want || outcome != tt.outcome {
			t.Errorf("%s: %v\n%s\nwant %v\n%s", tt.name, outcome, got, tt.outcome, tt.want)
		}
		var calls []string
		for _, line := range strings.Split(strings.ReplaceAll(tt.want, " drive.", "\ndrive."), "\n") {
			for _, line := range strings.Split(strings.ReplaceAll(line, " handle0.", "\nhandle0."), "\n") {
				for _, end := range []string{" = ", " panics", " is not"} {
					line, _, _ = strings.Cut(line, end)
				}
				calls = append(calls, line)
			}
		}
		if got := driveTable.Calls(); got != strings.Join(calls, "\n") {
			t.Errorf("%s: the calls are\n%s\nnot\n%s", tt.name, got, strings.Join(calls, "\n"))
		}
		if *d.open != 0 {
			t.Errorf("%s: %d objects are left open", tt.name, *d.open)
		}
	}
}

// TestNotImplemented checks that the original ends where the model does not know an operation, on
// the same input and no other.
func TestNotImplemented(t *testing.T) {
	table := *driveTable
	table.Kinds = append([]Kind{}, table.Kinds...)
	table.Kinds[0].Methods = append(table.Kinds[0].Methods[:len(table.Kinds[0].Methods):len(table.Kinds[0].Methods)], Method{Name: "None", Results: []int{-1}})
	model, outcome := transcript(&table, true, newDrive(), "\x00", "\x02", "\x00")
	if original, _ := transcript(&table, false, newDrive(), "\x00", "\x02", "\x00"); original != model || outcome != oracle.Accepted {
		t.Errorf("model %s\noriginal %s", model, original)
	}
	if other, _ := transcript(&table, false, newDrive(), "\x00", "\x02", "\x01"); !strings.Contains(other, "errorString") {
		t.Errorf("another input: %s", other)
	}
	for _, model := range []bool{true, false} { // nothing was executed: there is nothing to compare
		if text, outcome := transcript(&table, model, newDrive(), "\x06"); outcome != oracle.Declined {
			t.Errorf("%t: %v %s", model, outcome, text)
		}
	}
	transcript(&table, true, newDrive(), "\x00")
	if original, _ := transcript(&table, false, newDrive(), "\x00", "\x02", "\x00"); strings.Contains(original, "implemented") {
		t.Errorf("the model has run something else since: %s", original)
	}
}

// TestTotal checks that all bytes are a sequence, the same one each time. Bytes that are cut from
// an input are operations at its end.
func TestTotal(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	table := *driveTable
	table.NotImplemented = nil
	for i := 0; i < 300; i++ {
		in := make([]byte, random.Intn(400))
		random.Read(in)
		whole, _ := transcript(&table, true, newDrive(), string(in))
		again, _ := transcript(&table, true, newDrive(), string(in))
		short, _ := transcript(&table, true, newDrive(), string(in[:len(in)/2/Size*Size]))
		if whole != again {
			t.Fatalf("%q: two runs differ:\n%s\n%s", in, whole, again)
		}
		if !strings.HasPrefix(whole, short) {
			t.Fatalf("%q: cut, it is another sequence:\n%s\n%s", in, whole, short)
		}
	}
}

// TestConstructor checks that a constructor that fails rejects, and that one that makes nothing
// panics.
func TestConstructor(t *testing.T) {
	var r oracle.Result
	driveTable.Run(true, func() (any, error) { return nil, fs.ErrNotExist }, nil, &r)
	if r.Outcome() != oracle.Rejected {
		t.Error(r.Outcome())
	}
	defer func() {
		if recover() == nil {
			t.Error("nothing was made, and nobody says so")
		}
	}()
	driveTable.Run(true, func() (any, error) { return nil, nil }, nil, &r)
}

type info struct {
	name string
	mode fs.FileMode
	at   time.Time
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return 7 }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return i.at }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

type lister struct{}

func (lister) Readdir(n int) []fs.FileInfo {
	return []fs.FileInfo{info{"b", fs.ModeDir | fs.ModeSetuid | 0o755, time.Now()}, info{"a", 0o644, time.Unix(1e9, 0)}}
}
func (lister) Fail(n int) error {
	return []error{&fs.PathError{Err: fs.ErrExist}, fmt.Errorf("x: %w", io.EOF), &os.PathError{Err: syscall.ENOTDIR}, errors.New("x"), nil, badIs{}}[n]
}
func (lister) Fill(b []byte) int { b[len(b)-1] = 'x'; return 0 }
func (lister) Long() []byte      { return bytes.Repeat([]byte("long"), 100) }
func (lister) Map() map[string]int {
	return map[string]int{"b": 2, "a": 1}
}

type badIs struct{}

func (badIs) Error() string { return "" }
func (badIs) Is(error) bool { panic("Is") }

// TestShow checks that equal results are shown alike, and that differences are seen.
func TestShow(t *testing.T) {
	table := &Table{Kinds: []Kind{{Name: "x", Methods: []Method{
		{Name: "Readdir", Args: []Arg{{Class: Int}}, Results: []int{-1}},
		{Name: "Fail", Args: []Arg{{Class: Int}}, Results: []int{-1}},
		{Name: "Fill", Args: []Arg{{Class: Buffer}}, Results: []int{-1}},
		{Name: "Long", Results: []int{-1}},
		{Name: "Map", Results: []int{-1}},
	}}}}
	for records, want := range map[string]string{
		"\x00":         ticks("x.Readdir(0) = [{'a' -rw-r--r-- size 7 2001-09-09T01:46:40Z} {'b' drwxr-xr-x}]"),
		"\x00\x00\x01": `x.Readdir(1) = 2 entries`,
		"\x01\x00\x00": `x.Fail(0) = fs.ErrExist`,
		"\x01\x00\x01": `x.Fail(1) = io.EOF`,
		"\x01\x00\x02": ticks("x.Fail(2) = syscall.Errno('not a directory')"),
		"\x01\x00\x03": `x.Fail(3) = error(*errors.errorString)`,
		"\x01\x00\x04": `x.Fail(4) = nil`,
		"\x01\x00\x05": `x.Fail(5) = error(sequence.badIs)`,
		"\x02\x00\x02": ticks("x.Fill(make([]byte, 1)) = 0; now 'x'"),
		"\x03":         ticks("x.Long() = 'longlonglonglong'... of 400 bytes, hash d753a8eb54d95d35"),
		"\x04":         `x.Map() = {"a": 1, "b": 2}`,
	} {
		var r oracle.Result
		table.Run(false, func() (any, error) { return lister{}, nil }, []byte(records), &r)
		text, _ := r.Text(nil)
		if got := string(text); got != want {
			t.Errorf("%q: %s\nwant %s", records, got, want)
		}
	}
	table.Sentinels = true
	if got := table.class(errors.New("x")); got != "another error" {
		t.Error(got)
	}
}

// TestNoBox checks that no function that acts on the machine runs outside of a box.
func TestNoBox(t *testing.T) {
	table := *driveTable
	table.Box = true
	defer func() {
		if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "no box") {
			t.Error(v)
		}
	}()
	table.Run(false, func() (any, error) { t.Error("it ran"); return newDrive(), nil }, nil, new(oracle.Result))
}
