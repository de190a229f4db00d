package change

import (
	"context"
	"slices"
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/change/revision"
)

// between compares two published versions of a module and logs the cost.
func between(t *testing.T, module, old, new string) (*Result, *Tree) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ctx := context.Background()
	p, err := revision.Resolve(ctx, revision.Request{Modules: [2]string{module + "@" + old, module + "@" + new}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	before := spent()
	load := func(v revision.Version) *Tree {
		return loaded(t, Options{Dir: v.Home, Env: v.Env, Patterns: []string{v.Module + "/..."}, Module: v.Module})
	}
	a, b := load(p.Base), load(p.Head)
	r, err := Compare(ctx, a, b)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %s to %s: %d points, %d notes, %.2f CPU seconds with the go command's", module, old, new, len(r.Points), len(r.Notes), spent()-before)
	return r, b
}

// spent returns the processor time of this process and of its finished children.
func spent() (seconds float64) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			seconds += float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
		}
	}
	return seconds
}

// has checks that there is a point of a kind and a function whose text has a part.
func has(t *testing.T, r *Result, kind Kind, function, part string) {
	t.Helper()
	if !slices.ContainsFunc(r.Points, func(p Point) bool {
		return p.Kind == kind && p.Function == function && strings.Contains(p.Text, part) && len(p.Blocks) > 0
	}) {
		t.Errorf("no %s point in %s says %q", kind, function, part)
	}
}

func count(r *Result, kinds ...Kind) (n int) {
	for _, p := range r.Points {
		if slices.Contains(kinds, p.Kind) {
			n++
		}
	}
	return n
}

func TestGjson(t *testing.T) {
	if testing.Short() {
		t.Skip("two versions from the module proxy")
	}
	r, _ := between(t, "github.com/tidwall/gjson", "v1.2.1", "v1.3.0")
	has(t, r, Condition, "parseArrayPath", "+if ((path[1] == '[') || (path[1] == '('))")
	has(t, r, Deletion, "parseObjectPath", "-if !DisableChaining")
	has(t, r, Condition, "parseObjectPath", "(path[(i + 1)] == '{')")
	has(t, r, Function, "parseSubSelectors", "")
	has(t, r, Function, "splitPossiblePipe", "")
	has(t, r, Condition, "parseArray", "+if procQuery(Result{ Raw: val, Type: JSON })")
	if n := count(r, Statement, Condition, Deletion, Function, Signature); n < 30 || n > 60 {
		t.Errorf("%d points of code", n)
	}
	for _, p := range r.Points {
		if p.Package != "github.com/tidwall/gjson" {
			t.Errorf("a change of %s is taken for one of the module", p.Package)
		}
	}
}

func TestProtobuf(t *testing.T) {
	if testing.Short() {
		t.Skip("two versions from the module proxy")
	}
	r, _ := between(t, "google.golang.org/protobuf", "v1.28.1", "v1.29.0")
	has(t, r, Function, "Value.Equal", "")
	has(t, r, Function, "number.string", "")
	has(t, r, Condition, "(*Decoder).parseNumberValue", "-if ((num.kind == text.numFloat)")
	has(t, r, Constant, "main", "protobuf.dev")
	if n := count(r, Statement, Condition, Deletion, Function, Signature); n < 100 || n > 260 {
		t.Errorf("%d points of code", n)
	}
	for _, part := range []string{"equalMap was in package google.golang.org/protobuf/proto before", "Function generateSourceContextStringer was called generateSouceContextStringer before"} {
		if !slices.ContainsFunc(r.Notes, func(n Note) bool { return strings.Contains(n.Text, part) }) {
			t.Errorf("no note says %q", part)
		}
	}
}
