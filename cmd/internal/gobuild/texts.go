package gobuild

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/signature"
)

// Where functions run beside programs in other processes, a struct that they take is read from JSON, and a generator in a process of its own draws
// such texts by gen.Of.

// readTexts has functions that could not be read take texts, if they can, and reports whether there are others left.
func readTexts(calls []*signature.Function, problems []*signature.Problem) (failed bool) {
	for i, c := range calls {
		if problems[i] == nil {
			continue
		}
		if c.ReadTexts() == nil {
			problems[i] = nil
			continue
		}
		failed = true
	}
	return failed
}

// FromText is the first function whose arguments are read from a text, as it was written; "": there is none.
func (p *Plan) FromText() string {
	for _, c := range p.calls {
		if c.FromText() {
			return c.Func.Written
		}
	}
	return ""
}

// bindTexts has texts drawn from which a function reads its arguments.
func (p *Plan) bindTexts(find *signature.Finder, f funcname.Func) error {
	calls, err := find.Find([]funcname.Func{f}, []string{f.Written})
	if err != nil {
		return err
	}
	c := calls[0]
	if problem := c.ReadTexts(); problem != nil {
		return exit.Usage("%s: %s: %s", f.Written, problem.Where, problem.Why)
	}
	p.gen = &generated{name: ofName(c, c.Drawable()), types: c.Drawable(), owner: c, text: true}
	return nil
}

// textual writes the function that draws values and returns them as a text. A number that JSON does not have is no input.
func textual(draws []string) string {
	value := draws[0]
	if len(draws) > 1 {
		value = fmt.Sprintf("[]any{%s}", strings.Join(draws, ", "))
	}
	return fmt.Sprintf("return func(t *plxgen.T) string {\ntext, err := plxjson.Marshal(%s)\nt.Assume(err == nil)\nreturn string(text)\n}", value)
}

// decoded is where encoding/json puts the values of arguments: one is the text's value, several are those of an array.
func decoded(names []string) string {
	if len(names) == 1 {
		return "&" + names[0]
	}
	return fmt.Sprintf("&[%d]any{&%s}", len(names), strings.Join(names, ", &"))
}

// decode writes what reads the arguments of a call. What is no such text is no input.
func (g *generator) decode(c *signature.Function) {
	var names []string
	for i := range c.Args {
		names = append(names, fmt.Sprintf("a%d", i))
		g.Printf("var %s %s\n", names[i], g.TypeName(c.Args[i].Type))
	}
	g.Printf("if plxjson.Unmarshal(a.Bytes(0), %s) != nil {\nr.Decline()\nreturn\n}\n", decoded(names))
}
