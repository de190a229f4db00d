package corpus_test

import (
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/internal/atomicfile"
	"parallax/internal/atomicfile/faultfs"
	"parallax/internal/input"
)

func exporter(t *testing.T, dir string, format corpus.Format, shape input.Shape) *corpus.Exporter {
	t.Helper()
	e, err := corpus.NewExporter(atomicfile.OS, dir, format, shape)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func export(t *testing.T, e *corpus.Exporter, flat, kind, origin string) (path string, added bool) {
	t.Helper()
	path, added, err := e.Write([]byte(flat), kind, origin)
	if err != nil {
		t.Fatal(err)
	}
	return path, added
}

// TestExportRoundTrip checks that an import returns the exported inputs in every format, and that a
// second export changes nothing.
func TestExportRoundTrip(t *testing.T) {
	wide := input.Shape{input.Bytes, input.String, input.Bool, input.Int8, input.Uint8, input.Int32, input.Uint64, input.Float32, input.Float64}
	var flats []string
	for _, values := range [][]any{
		{[]byte("a\x00\xff"), "\"`\n", true, int8(-128), byte(0xff), rune(0xd800), uint64(math.MaxUint64),
			math.Float32frombits(0x7fa00001), math.Float64frombits(0xfff8000000000123)},
		{[]byte{}, "", false, int8(0), byte(0), rune(0), uint64(0), float32(math.Copysign(0, -1)), math.Inf(-1)},
	} {
		flat, err := wide.Pack(values...)
		if err != nil {
			t.Fatal(err)
		}
		flats = append(flats, string(flat))
	}
	for _, c := range []struct {
		format corpus.Format
		shape  input.Shape
		flats  []string
	}{
		{corpus.Go, raw, []string{"", "a", "\x00\xff", "go test fuzz v1\nint(1)\n", "line\r\n"}},
		{corpus.Go, input.Shape{input.String}, []string{"", "a"}},
		{corpus.Go, wide, flats},
		{corpus.LibFuzzer, raw, []string{"", "a", "\x00\xff"}},
		{corpus.AFL, raw, []string{"b", "a", "\x00\xff"}},
	} {
		dir := filepath.Join(t.TempDir(), "a", "b")
		for round := range 2 {
			e := exporter(t, dir, c.format, c.shape)
			for _, flat := range c.flats {
				if path, added := export(t, e, flat, "", "x"); added != (round == 0) {
					t.Errorf("%s, round %d: %q in %s added: %v", c.format, round, flat, path, added)
				}
			}
		}
		got, problems, err := corpus.Seeds(dir, c.shape)
		if err != nil || len(problems) > 0 {
			t.Errorf("%s: %q, %v", c.format, problems, err)
		}
		var back []string
		for _, f := range got {
			back = append(back, string(f.Flat))
		}
		slices.Sort(back)
		slices.Sort(c.flats)
		if !slices.Equal(back, c.flats) {
			t.Errorf("%s of %s: %q came back as %q", c.format, c.shape, c.flats, back)
		}
	}
}

func TestExportNames(t *testing.T) {
	file := "go test fuzz v1\n[]byte(\"a\")\n"
	goName := fmt.Sprintf("%x", sha256.Sum256([]byte(file)))[:16]
	sha := fmt.Sprintf("%x", sha1.Sum([]byte("a")))
	for _, c := range []struct {
		format     corpus.Format
		kind, want string
	}{
		{corpus.Go, "crash", goName}, {corpus.Go, "", goName},
		{corpus.LibFuzzer, "", sha}, {corpus.LibFuzzer, "discrepancy", "crash-" + sha}, {corpus.LibFuzzer, "failure", "crash-" + sha},
		{corpus.LibFuzzer, "timeout", "timeout-" + sha}, {corpus.LibFuzzer, "oom", "oom-" + sha},
		{corpus.AFL, "crash", "queue/id:000000,orig:from"},
	} {
		dir := t.TempDir()
		path, added := export(t, exporter(t, dir, c.format, raw), "a", c.kind, "from")
		if !added || path != filepath.Join(dir, c.want) {
			t.Errorf("%s, %s: %s, %v", c.format, c.kind, path, added)
		}
		data, _ := os.ReadFile(path)
		if want := map[bool]string{true: "a", false: file}[c.format.Raw()]; string(data) != want {
			t.Errorf("%s: %q", c.format, data)
		}
	}
}

// TestExportIntoAQueue checks that new inputs follow the existing ones of a queue.
func TestExportIntoAQueue(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "queue", "id:000007,src:000001,op:havoc"), "seven")
	write(t, filepath.Join(dir, "queue", "id_000012"), "twelve")
	write(t, filepath.Join(dir, "queue", "id:x"), "no id")
	e := exporter(t, dir, corpus.AFL, raw)
	if path, added := export(t, e, "seven", "", "a"); added || filepath.Base(path) != "id:000007,src:000001,op:havoc" {
		t.Errorf("%s %v", path, added)
	}
	for i, flat := range []string{"b", "c", "b"} {
		want := []string{"id:000013,orig:b", "id:000014,orig:c", "id:000013,orig:b"}[i]
		if path, added := export(t, e, flat, "", flat); added != (i < 2) || filepath.Base(path) != want {
			t.Errorf("%d: %s %v", i, path, added)
		}
	}
	if _, _, err := e.Write(nil, "", "a"); !errors.Is(err, corpus.ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
}

// TestExportKeepsFiles checks that an export deletes nothing: the folder is the user's and may have
// files of any name.
func TestExportKeepsFiles(t *testing.T) {
	for _, format := range corpus.Formats {
		dir := t.TempDir()
		at := dir
		if format == corpus.AFL {
			at = filepath.Join(dir, "queue")
		}
		mine := []string{".tmp-notes", ".tmp-1x2y3z", filepath.Base(atomicfile.TempName(at)), filepath.Join(filepath.Base(atomicfile.TempName(at)), "below")}
		for _, name := range mine {
			write(t, filepath.Join(at, name), "mine")
		}
		export(t, exporter(t, dir, format, raw), "a", "crash", "from")
		for _, name := range mine {
			if data, _ := os.ReadFile(filepath.Join(at, name)); string(data) != "mine" {
				t.Errorf("%s: %s is gone", format, name)
			}
		}
	}
}

func TestExportLeavesOtherContent(t *testing.T) {
	dir := t.TempDir()
	e := exporter(t, dir, corpus.Go, raw)
	path, _ := export(t, e, "a\n", "", "")
	// Another spelling of the same value, as from version control.
	crlf := "go test fuzz v1\r\n[]byte(\"a\\n\")\r\n"
	write(t, path, crlf)
	if again, added := export(t, e, "a\n", "", ""); added || again != path {
		t.Errorf("%s %v", again, added)
	}
	if data, _ := os.ReadFile(path); string(data) != crlf {
		t.Errorf("rewritten: %q", data)
	}
	write(t, path, "go test fuzz v1\n[]byte(\"edited\")\n")
	_, _, err := e.Write([]byte("a\n"), "", "")
	var taken *corpus.TakenError
	if !errors.As(err, &taken) || taken.Path != path {
		t.Errorf("%v", err)
	}
}

func TestExportRefuses(t *testing.T) {
	for _, shape := range []input.Shape{typed, {input.Int}} {
		for _, f := range corpus.Formats {
			_, err := corpus.NewExporter(atomicfile.OS, t.TempDir(), f, shape)
			if (err != nil) != f.Raw() || err != nil && !strings.Contains(err.Error(), "format go") {
				t.Errorf("%s of %s: %v", f, shape, err)
			}
		}
	}
	if _, _, err := exporter(t, t.TempDir(), corpus.Go, typed).Write([]byte("x"), "", ""); err == nil {
		t.Error("wrote what is no input")
	}
}

// TestExportToAFullDisk checks that a full disk leaves no partial file.
func TestExportToAFullDisk(t *testing.T) {
	for _, format := range corpus.Formats {
		dir := t.TempDir()
		e, err := corpus.NewExporter(faultfs.New(atomicfile.OS).Full(10), dir, format, raw)
		if err != nil {
			t.Fatal(err)
		}
		_, added, err := e.Write([]byte("more than ten bytes"), "", "x")
		if added || !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v, %v", format, added, err)
		}
		if flats, _, err := corpus.Seeds(dir, raw); err != nil || len(flats) > 0 {
			t.Errorf("%s: left %q, %v", format, flats, err)
		}
	}
}
