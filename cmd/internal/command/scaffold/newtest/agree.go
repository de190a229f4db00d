package newtest

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/internal/input"
)

// agree sets the shape of the inputs, and notes the values that cannot be compared.
func (t *plan) agree(shapes []input.Shape) error {
	t.shape = shapes[0]
	whole := true
	for i := range t.calls {
		whole = whole && t.problems[i] == nil
	}
	if whole {
		if !t.compares() {
			return nil
		}
		a, err := signature.Agree(t.calls)
		if err != nil {
			return err
		}
		for _, c := range t.calls {
			t.differing = t.differing || len(c.Compared()) > 0 && !a.Values
		}
		t.root.Notes = append(t.root.Notes, a.Notes...)
		return nil
	}
	for i, s := range shapes {
		if !signature.SameShape(t.shape, s) {
			return exit.Usage("the functions do not take the same arguments: %s takes %s and %s takes %s (only []byte and string are interchangeable)", t.calls[0].Name, t.shape, t.calls[i].Name, s)
		}
	}
	return nil
}

// describe returns the comment of the test.
func (t *plan) describe() string {
	if !t.compares() {
		return fmt.Sprintf("// %s looks for inputs that crash %s.", t.Name, t.calls[0].Name)
	}
	var names []string
	for _, c := range t.calls {
		names = append(names, c.Name)
	}
	return fmt.Sprintf("// %s looks for inputs on which %s and %s disagree.\n// go test replays the seeds and testdata/fuzz/%s; parallax diff . --fuzz ^%s$\n// and go test -fuzz ^%s$ look for more.",
		t.Name, strings.Join(names[:len(names)-1], ", "), names[len(names)-1], t.Name, t.Name, t.Name)
}
