package gobuild

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/signature"
)

// If functions run together with programs in other processes, their struct arguments are read from
// JSON. A generator in a process of its own draws such texts by gen.Of.

// readTexts makes functions with unsupported arguments read them from texts, if they can, and
// reports whether some cannot.
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

// FromText returns the first function, as written, that reads its arguments from a text, or "".
func (p *Plan) FromText() string {
	for _, c := range p.calls {
		if c.FromText() {
			return c.Func.Written
		}
	}
	return ""
}

// bindTexts makes gen.Of draw texts for the arguments of a function.
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

// textual writes the function that draws values and returns them as a text. Numbers that JSON lacks
// are rejected.
func textual(draws []string) string {
	value := draws[0]
	if len(draws) > 1 {
		value = fmt.Sprintf("[]any{%s}", strings.Join(draws, ", "))
	}
	return fmt.Sprintf("return func(t *plxgen.T) string {\ntext, err := plxjson.Marshal(%s)\nt.Assume(err == nil)\nreturn string(text)\n}", value)
}

// decoded returns where encoding/json stores the values of arguments: a single one is the text's
// value, several form an array.
func decoded(names []string) string {
	if len(names) == 1 {
		return "&" + names[0]
	}
	return fmt.Sprintf("&[%d]any{&%s}", len(names), strings.Join(names, ", &"))
}

// decode writes the code that reads the arguments of a call. Other texts are not inputs.
func (g *generator) decode(c *signature.Function) {
	var names []string
	for i := range c.Args {
		names = append(names, fmt.Sprintf("a%d", i))
		g.Printf("var %s %s\n", names[i], g.TypeName(c.Args[i].Type))
	}
	g.Printf("if plxjson.Unmarshal(a.Bytes(0), %s) != nil {\nr.Decline()\nreturn\n}\n", decoded(names))
}
