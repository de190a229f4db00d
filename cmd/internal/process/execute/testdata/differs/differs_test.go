// Package differs has a fuzz test that compares implementations, with an input for every way in
// which that can end.
package differs

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"parallax"
)

var errNo = errors.New("no")

type results struct {
	a any
	b any
}

// cases are what the implementations do on an input: return an int, nil for a rejection, or an
// error, which they return, or panic with a string.
var cases = map[string]results{
	"both":          {1, 1},
	"neither":       {errNo, errNo},
	"other-error":   {errNo, errors.New("another")},
	"verdict":       {1, errNo},
	"verdict-too":   {errNo, 1},
	"value":         {1, 2},
	"declined":      {1, parallax.ErrDeclined},
	"declined-too":  {parallax.ErrDeclined, 2},
	"declined-both": {parallax.ErrDeclined, fmt.Errorf("not wanted: %w", parallax.ErrDeclined)},
	"ignored":       {1, errNo},
	"ignored-value": {1, 2},
	"ignored-panic": {1, "boom"},
	"panic":         {1, "boom"},
	"panic-both":    {"boom", "boom"},
	"panic-reject":  {"boom", errNo},
	"out":           {1, 2},
	"normal":        {3, 1003},
	"normal-other":  {3, 1004},
	"goexit":        {1, runtime.Goexit},
}

func implementation(i int) func(s string) (int, error) {
	return func(s string) (int, error) {
		r, ok := cases[s]
		if !ok {
			return 0, nil
		}
		switch v := []any{r.a, r.b}[i].(type) {
		case error:
			return 0, v
		case string:
			panic(v)
		case func():
			v()
		case int:
			return v, nil
		}
		return 0, nil
	}
}

func FuzzDiff(f *testing.F) {
	parallax.Diff(f,
		parallax.Impl("a", implementation(0)),
		parallax.Impl("b", implementation(1)),
		parallax.Normalize(func(n int) int { return n % 1000 }),
		parallax.Precondition(func(s string) bool { return s != "out" }),
		parallax.Ignore("known", func(d parallax.Difference) bool { return strings.HasPrefix(d.Args[0].(string), "ignored") }),
		parallax.Accepts("both"),
		parallax.Rejects("neither"),
	)
}

// TestList prints the names of the cases.
func TestList(t *testing.T) {
	for name := range cases {
		fmt.Println("case", name)
	}
}
