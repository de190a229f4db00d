package persistent

import (
	"bytes"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parallax/cmd/internal/program/programtest"
)

// block is a fenced block of a page.
type block struct{ kind, text string }

func blocks(t *testing.T, page string) (all []block) {
	t.Helper()
	data, err := os.ReadFile(absolute(t, "../../../../docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)\n```([a-z ]+)\n(.*?)\n```\n").FindAllStringSubmatch(string(data), -1) {
		all = append(all, block{m[1], m[2] + "\n"})
	}
	return all
}

// TestProtocolPage runs the driver of docs/reference/driver-protocol.md with the dialog printed
// there.
func TestProtocolPage(t *testing.T) {
	source, request, answer := "", []byte{}, []byte{}
	for _, b := range blocks(t, "reference/driver-protocol.md") {
		switch b.kind {
		case "python":
			source += b.text
		case "hex request":
			request = append(request, unhex(t, b.text)...)
		case "hex answer":
			answer = append(answer, unhex(t, b.text)...)
		}
	}
	file := filepath.Join(t.TempDir(), "driver.py")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	python := need(t, "python3", "python3")
	cmd := exec.Command(python, file)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(request), os.Stderr
	got, err := cmd.Output()
	if err != nil || !bytes.Equal(got, answer) || len(request) == 0 {
		t.Errorf("%v\ngot\n%swant\n%s", err, hex.Dump(got), hex.Dump(answer))
	}
	e := mustOpen(t, config(t, python, file))
	if obs := programtest.Execute(t, e, "Go.", ""); show(obs[0]) != "accepted Go" || show(obs[1]) != "rejected: no stop" || e.Features() != 10 || len(obs[0].Features) != 2 {
		t.Errorf("%+v", obs)
	}
}

// unhex reads the left column of a dump: pairs of hexadecimal digits, up to more than two spaces.
func unhex(t *testing.T, dump string) (all []byte) {
	t.Helper()
	for line := range strings.Lines(dump) {
		left, _, _ := strings.Cut(line, "   ")
		data, err := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(left), " ", ""))
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, data...)
	}
	return all
}

// TestByHand runs the commands of docs/guides/writing-a-driver.md.
func TestByHand(t *testing.T) {
	need(t, "xxd", "xxd")
	need(t, "python3", "python3")
	var command, finding, compile, want string
	for _, b := range blocks(t, "guides/writing-a-driver.md") {
		switch {
		case strings.Contains(b.text, "printf '\\003"):
			command = b.text
		case strings.HasPrefix(b.text, "f="):
			finding = b.text
		case b.kind == "text":
			want = b.text
		case strings.Contains(b.text, "-DFEATURES"):
			compile = b.text
		}
	}
	if got := bash(t, drivers(t, "python"), command); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	dir := t.TempDir()
	for name, from := range map[string]string{"driver.c": drivers(t, "c/driver.c"), "parse.c": testfile(t, "sample.c")} {
		if err := os.Symlink(from, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	need(t, "cc", "gcc libc6-dev")
	bash(t, dir, compile)
	bash(t, dir, "mkdir inputs; printf %0300d 7 > inputs/crash")
	if got := bash(t, dir, finding); !strings.Contains(got, "1 numbers featur") || !strings.Contains(got, "A....7") {
		t.Error(got)
	}
}

func bash(t *testing.T, dir, script string) string {
	t.Helper()
	cmd := exec.Command(need(t, "bash", "bash"), "-ec", script)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return string(out)
}

// TestShort checks that drivers are short. People read and copy them.
func TestShort(t *testing.T) {
	for path, most := range map[string]int{
		"python/parallax_driver.py": 120, "node/driver.mjs": 100, "java/Driver.java": 100, "perl/driver.pl": 100, "c/driver.c": 100,
		"python/parallax_cover.py": 300, "node/cover.mjs": 300,
	} {
		data, err := os.ReadFile(drivers(t, path))
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(data, []byte("\n")); n >= most {
			t.Errorf("drivers/%s has %d lines", path, n)
		}
	}
}
