package reproducer

import (
	"bytes"
	"go/format"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/findingtest"
	"parallax/internal/input"
	"parallax/internal/oracle"
)

// everyKind has every kind of argument, and everyValue values that no constant can have.
var everyKind = input.Shape{
	input.Bytes, input.String, input.Bool, input.Int, input.Int8, input.Int16, input.Int32, input.Int64, input.Uint, input.Uint8,
	input.Uint16, input.Uint32, input.Uint64, input.Float32, input.Float64, input.Float32, input.Float64,
}

func everyValue() []byte {
	return findingtest.Pack(everyKind, []byte("a\x00\xff\""), "`\n\u2028\xfe", true, -1, int8(-128), int16(-3), rune(0xd800), int64(math.MinInt64),
		uint(math.MaxUint), byte(0xff), uint16(7), uint32(9), uint64(math.MaxUint64), math.Float32frombits(0x7fa00001),
		math.Float64frombits(0xfff8000000000123), float32(math.SmallestNonzeroFloat32), math.Copysign(0, -1))
}

const (
	plainHarness = `package p_test

import "testing"

func FuzzX(f *testing.F) {
	f.Add([]byte("a seed that passes"))
	f.Fuzz(func(t *testing.T, b []byte) {
		t.Logf("input %q", b)
		if len(b) == 1 {
			t.Fatal("one byte")
		}
	})
}
`
	// The harness compares the bits of all arguments with those of everyValue.
	typedHarness = `//go:build !never && fuzzing

package p

import (
	"math"
	"os"
	"testing"
)

var set bool

func TestMain(m *testing.M) {
	set = true
	os.Exit(m.Run())
}

func FuzzEvery(f *testing.F) {
	f.Fuzz(func(t *testing.T, a []byte, b string, c bool, d int, e int8, g int16, h rune, i int64, j uint, k byte, l uint16, m uint32,
		n uint64, o float32, p float64, q float32, r float64) {
		if set && string(a) == "a\x00\xff\"" && b == "\x60\n\u2028\xfe" && c && d == -1 && e == -128 && g == -3 && h == 0xd800 && i == math.MinInt64 &&
			j == math.MaxUint && k == 0xff && l == 7 && m == 9 && n == math.MaxUint64 && math.Float32bits(o) == 0x7fa00001 &&
			math.Float64bits(p) == 0xfff8000000000123 && math.Float32bits(q) == 1 && math.Float64bits(r) == 1<<63 {
			t.Fatal("every bit is there")
		}
	})
}
`
)

// TestFuzzReproducerRuns checks that reproducers of fuzz tests fail under go test, copied or in an
// overlay, as their heads say. It checks that go vet accepts them.
func TestFuzzReproducerRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	bytesOnly := input.Shape{input.Bytes}
	for _, c := range []struct {
		harness string
		finding finding.Finding
		want    string
	}{
		{plainHarness, finding.Finding{
			Bucket: "3f2a9c1b04de", Kind: "failure", Shape: bytesOnly, Minimized: []byte("\xff"),
			Programs: []finding.Program{{Name: "FuzzX", Detail: oracle.Detail{Outcome: "crashed"}, Message: "one byte\n//go:build never"}},
			Fuzz:     &finding.FuzzHarness{Package: "p_test", ImportPath: "example.com/p", Name: "FuzzX"},
		}, "FuzzX_3f2a9c1b04de/seed#0"},
		{typedHarness, finding.Finding{
			Bucket: "x-1", Kind: "timeout", Shape: everyKind, Minimized: everyValue(),
			Fuzz: &finding.FuzzHarness{Package: "p", ImportPath: "example.com/p", Name: "FuzzEvery", Constraint: "!never && fuzzing", Tags: "fuzzing,more"},
		}, "every bit is there"},
	} {
		files, err := FuzzTest{}.Files(&c.finding)
		if err != nil {
			t.Fatal(err)
		}
		src, mod := files[TestFile], files["go.mod"]
		if formatted, err := format.Source(src); err != nil || !bytes.Equal(formatted, src) {
			t.Errorf("%v: gofmt changes\n%s", err, src)
		}
		dir := t.TempDir()
		for name, data := range map[string]string{
			"go.mod": "module example.com\n\ngo 1.22\n", "p/p.go": "package p\n", "p/p_test.go": c.harness,
			"out/finding/" + TestFile: string(src), "out/finding/go.mod": string(mod),
		} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		sh := func(command string) (string, bool) {
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir = filepath.Join(dir, "p")
			cmd.Env = append(os.Environ(), "GOWORK=off")
			out, err := cmd.CombinedOutput()
			return string(out), err == nil
		}
		fails := func(command string) {
			t.Helper()
			out, ok := sh(command)
			if ok || !strings.Contains(out, c.want) || strings.Contains(out, "build failed") || strings.Contains(out, "a seed that passes") {
				t.Errorf("%s\n%s\n%s", command, out, src)
			}
		}
		// The commands of the header, as somebody would paste them.
		var commands []string
		for _, line := range strings.Split(string(src), "\n") {
			if command, ok := strings.CutPrefix(line, "//\t"); ok && strings.Contains(command, "go test") {
				commands = append(commands, command)
			}
		}
		if len(commands) != 2 {
			t.Fatalf("commands %q in\n%s", commands, src)
		}
		fails(strings.Replace(commands[1], "FILE", "../out/finding/"+TestFile, 1))
		tags := " "
		if c.finding.Fuzz.Tags != "" {
			tags = " -tags " + c.finding.Fuzz.Tags + " "
		}
		// The module around it can be tested.
		if out, ok := sh("cd .. && go test" + tags + "./... && go vet" + tags + "./..."); !ok {
			t.Errorf("the module around it: %s", out)
		}
		if out, ok := sh("cp ../out/finding/" + TestFile + " " + FuzzFile(&c.finding) + " && go vet" + tags + "."); !ok {
			t.Errorf("go vet: %s", out)
		}
		fails(commands[0])
	}
}

func TestFuzzReproducerErrors(t *testing.T) {
	for _, c := range []struct {
		harness finding.FuzzHarness
		flat    string
		want    string
	}{
		{finding.FuzzHarness{Package: "p", Name: "Fuzz X"}, "\x00", "is no fuzz test"},
		{finding.FuzzHarness{Package: "p-q", Name: "FuzzX"}, "\x00", "is no fuzz test"},
		{finding.FuzzHarness{Package: "p", Name: "FuzzX", Constraint: "a &&"}, "\x00", "unexpected end"},
		{finding.FuzzHarness{Package: "p", Name: "FuzzX", Constraint: "a\nb"}, "\x00", "not a build constraint"},
		{finding.FuzzHarness{Package: "p", Name: "FuzzX"}, "\x02", "its input is not one of (bool)"},
		{finding.FuzzHarness{Package: "p", Name: "FuzzX", Generated: true}, "\x00", "what the generator makes of its input is unknown"},
	} {
		f := finding.Finding{Bucket: "b", Shape: input.Shape{input.Bool}, Minimized: []byte(c.flat), Fuzz: &c.harness}
		if src, err := (FuzzTest{}).Files(&f); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v\n%s", c.harness, err, src)
		}
	}
}
