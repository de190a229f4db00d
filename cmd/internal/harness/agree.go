package harness

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/exit"
)

// agree checks that all programs take the same inputs and decides whether their values are compared.
func (p *Plan) agree() error {
	first := p.calls[0]
	for _, c := range p.calls[1:] {
		if sameShape(first.shape, c.shape) {
			continue
		}
		var b strings.Builder
		for _, c := range p.calls {
			fmt.Fprintf(&b, "\n\t%-*s  %s", widest(p.calls), c.name, c.signature())
		}
		return exit.Usage("the functions do not take the same arguments (only []byte and string stand for each other):%s\nwrap the odd one in a function of your own module that takes %s", b.String(), first.shape)
	}
	p.Shape = first.shape
	p.CompareValues = p.sameValues()
	return p.verdicts()
}

// verdicts looks at the programs that give no verdict, neither an error nor a bool: they accept whatever they do not
// crash on. Beside others that do, the user is told; when none does and values are not compared, nothing but crashes
// could ever be found.
func (p *Plan) verdicts() error {
	var without []string
	values := false
	for _, c := range p.calls {
		if c.ending == noVerdict {
			without = append(without, c.name)
		}
		values = values || len(c.compared()) > 0
	}
	switch {
	case len(without) == len(p.calls) && values && !p.CompareValues:
		return exit.Usage("there is nothing to compare: no function returns an error or a bool, and %s\nwrap them in functions of your own module that return values of one type", strings.TrimPrefix(p.root.Notes[len(p.root.Notes)-1], "values are not compared, since "))
	case len(without) > 0 && len(without) < len(p.calls):
		p.root.Note("%s: neither an error nor a bool is returned, so that every input counts as accepted; if nil or a special value means rejected, compare a wrapper that returns an error", strings.Join(without, ", "))
	}
	return nil
}

func widest(calls []*callable) int {
	n := 0
	for _, c := range calls {
		n = max(n, len(c.name))
	}
	return n
}

// sameValues decides whether the programs' values mean the same, and notes why not.
func (p *Plan) sameValues() bool {
	first := p.calls[0]
	differ := false
	some := false
	for _, c := range p.calls {
		a, b := first.compared(), c.compared()
		some = some || len(b) > 0
		if len(a) != len(b) {
			differ = true
			continue
		}
		for i := range a {
			differ = differ || !comparableTypes(a[i], b[i])
		}
	}
	if !some {
		return false
	}
	if differ {
		var parts []string
		for _, c := range p.calls {
			parts = append(parts, c.name+" gives "+c.valueText())
		}
		p.root.Note("values are not compared, since their types differ (%s): only whether an input is accepted counts", strings.Join(parts, ", "))
	}
	return !differ
}

// valueText names the types of the program's values.
func (c *callable) valueText() string {
	var names []string
	for _, t := range c.compared() {
		names = append(names, c.text(t))
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
