package corpus_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/base/corpus"
	"parallax/internal/input"
)

func TestSeeds(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"b":                     "two",
		"a/z":                   "one",
		"c":                     "one", // a second time
		"d":                     "",
		"fuzz":                  "go test fuzz v1\nstring(\"from go\")\n",
		"seed.json":             "{}",
		".git/x":                "hidden",
		".hidden":               "hidden",
		"0123456789abcdef":      "of a corpus",
		"0123456789abcdef.json": "its metadata",
		"fedcba9876543210.json": "alone",
	} {
		write(t, filepath.Join(dir, name), content)
	}
	if err := os.Symlink("b", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a", filepath.Join(dir, "linked-folder")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "dangling")); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret")
	if err := os.Symlink(secret, filepath.Join(dir, "outside")); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "seeds")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	want := []string{"of a corpus", "one", "two", "", "alone", "from go", "{}"}
	for _, root := range []string{dir, link, dir + "/"} {
		flats, problems, err := corpus.Seeds(root, raw)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range flats {
			got = append(got, string(f.Flat))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("got %q, want %q", got, want)
		}
		if len(problems) != 3 || !strings.Contains(problems[0], "dangling: no such file") ||
			!strings.Contains(problems[1], "linked-folder: a symbolic link to a folder is not followed") ||
			!strings.Contains(problems[2], "outside: a symbolic link out of the folder is not followed") {
			t.Errorf("problems %q", problems)
		}
	}
}

func TestSeedsOfTypedInputs(t *testing.T) {
	dir := t.TempDir()
	flat, err := typed.Pack("x", 3)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "good"), string(typed.Encode(flat)))
	write(t, filepath.Join(dir, "raw"), "just bytes")
	flats, problems, err := corpus.Seeds(dir, typed)
	if err != nil || len(flats) != 1 || string(flats[0].Flat) != string(flat) {
		t.Errorf("%q, %v", flats, err)
	}
	want := "seeds " + dir + `: 1 file of plain bytes (raw) cannot be split into (string, int): write such inputs as text, here with the lines ` +
		`go test fuzz v1 | string("") | int(0)`
	if len(problems) != 1 || problems[0] != want {
		t.Errorf("problems %q\nwant %q", problems, want)
	}
}

func TestSeedsOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".seed")
	write(t, path, "x")
	flats, problems, err := corpus.Seeds(path, input.Shape{input.String})
	if err != nil || len(problems) != 0 || len(flats) != 1 || string(flats[0].Flat) != "x" {
		t.Errorf("%q, %q, %v", flats, problems, err)
	}
}

func TestSeedsMissingFolder(t *testing.T) {
	if _, _, err := corpus.Seeds(filepath.Join(t.TempDir(), "none"), raw); err == nil {
		t.Error("no error")
	}
}

func TestSeedTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	write(t, path, "")
	if err := os.Truncate(path, 1<<30); err != nil {
		t.Fatal(err)
	}
	flats, problems, err := corpus.Seeds(path, raw)
	if err != nil || len(flats) != 0 || len(problems) != 1 || !strings.Contains(problems[0], "too many") {
		t.Errorf("%d seeds, %q, %v", len(flats), problems, err)
	}
}

// TestSeedsWithPipe has a pipe among the files of a folder. The pipe is named, and the files are
// read.
func TestSeedsWithPipe(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "seed"), "x")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	flats, problems, err := corpus.Seeds(dir, raw)
	if err != nil || len(flats) != 1 || len(problems) != 1 || problems[0] != "seed "+filepath.Join(dir, "pipe")+": a pipe, not a file" {
		t.Errorf("%q, %q, %v", flats, problems, err)
	}
}

// TestReadKernelFile reads kernel files. Some are regular and have size 0. A few of them never
// end, and others wait.
func TestReadKernelFile(t *testing.T) {
	data, err := corpus.ReadFile("/proc/self/status")
	if err != nil || !strings.HasPrefix(string(data), "Name:") {
		t.Errorf("%q, %v", data, err)
	}
	for _, path := range []string{"/proc/self/pagemap", "/proc/kmsg"} {
		if f, err := os.Open(path); err != nil {
			continue // needs another user
		} else {
			f.Close()
		}
		data, err := corpus.ReadFile(path)
		var unfit corpus.UnusableError
		if data != nil || !errors.As(err, &unfit) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %d bytes, %v", path, len(data), err)
		}
	}
}

// TestGoSeeds checks that files that go test itself reads are never plain bytes.
func TestGoSeeds(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"a-good":    "go test fuzz v1\n[]byte(\"good\")\n",
		"b-empty":   "",
		"c-raw":     "just bytes",
		"d-version": "go test fuzz v2\n[]byte(\"x\")\n",
		"e-type":    "go test fuzz v1\nint(1)\n",
	} {
		write(t, filepath.Join(dir, name), content)
	}
	flats, problems, err := corpus.GoSeeds(dir, raw)
	if err != nil || len(flats) != 1 || string(flats[0].Flat) != "good" {
		t.Errorf("%q, %v", flats, err)
	}
	if len(problems) != 4 {
		t.Fatalf("problems %q", problems)
	}
	for i, want := range []string{"b-empty: it does not begin", "c-raw: it does not begin", "d-version: it does not begin", "e-type: line 2: "} {
		if !strings.Contains(problems[i], want) {
			t.Errorf("%q lacks %q", problems[i], want)
		}
	}
}
