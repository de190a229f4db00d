package reproducer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReproducerPairs checks that a reproducer distinguishes the values that the campaign
// distinguishes. Numbers and pointers differ by kind, structs by name, errors by the errors that
// they wrap.
func TestReproducerPairs(t *testing.T) {
	pairs := []struct {
		a, b   string
		differ bool
	}{
		{"show(1)", "show(1.0)", true},
		{"show(uint8(1))", "show(1)", false},
		{"show(float32(0.1))", "show(0.1)", true},
		{"show(1e300)", "show(math.Inf(1))", true},
		{"show(math.NaN())", "show(-math.NaN())", false},
		{"show(math.Copysign(0, -1))", "show(0.0)", true},
		{"show(new(int))", "show(0)", true},
		{"show((*int)(nil))", "show(nil)", true},
		{"show(true)", "show((func())(nil))", true},
		{"show(map[string]int(nil))", "show(map[string]int{})", false},
		{"show([]int(nil))", "show([]int{})", false},
		{"show([]int(nil))", "show(nil)", true},
		{"show([2]byte{'a', 'b'})", `show("ab")`, false},
		{"show(local{})", "show(other{})", true},
		{"show(time.Unix(0, 0).UTC())", `show(time.Unix(0, 0).In(time.FixedZone("x", 60)))`, false},
		{`class(errors.New("a"))`, `class(fmt.Errorf("%w", errors.New("a")))`, true},
		{`class(fmt.Errorf("%w", errors.New("a")))`, `class(fmt.Errorf("%w", errors.Join(errors.New("a"))))`, true},
		{`class(errors.New("a"))`, `class(errors.New("a"))`, false},
	}
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, p := range []string{"errors", "fmt", "math", "reflect", "sort", "strings", "time"} {
		fmt.Fprintf(&b, "\t%q\n", p)
	}
	b.WriteString(")\n\ntype local struct{ A int }\n\ntype other local\n\nfunc main() {\n\tvar _ = math.Pi\n")
	for _, p := range pairs {
		fmt.Fprintf(&b, "\tfmt.Println(%s != %s)\n", p.a, p.b)
	}
	b.WriteString("}\n" + show + class)
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", file).CombinedOutput()
	got := strings.Fields(string(out))
	if err != nil || len(got) != len(pairs) {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, p := range pairs {
		if got[i] != fmt.Sprint(p.differ) {
			t.Errorf("%s and %s differ: %s", p.a, p.b, got[i])
		}
	}
}
