package subject

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/program"
	"parallax/cmd/internal/subject/config"
)

// Meaning returns the options that define how answers are read, apart from the programs. Different
// options find other differences in the same runs, and belong to another campaign. It leaves out
// defaults.
func (o *Options) Meaning() map[string]string {
	file := o.Config
	if file == nil && o.Generator == "" && o.Sequence == nil && o.Partial == nil {
		return nil
	}
	m := map[string]string{}
	say := func(what, text string) {
		if text != "" {
			m[what] = text
		}
	}
	say("sequence", o.sequence())
	say("partial", o.partial())
	say("generator", o.Generator) // the meaning of a tape
	if file == nil {
		return m
	}
	for i := range file.Programs {
		p := &file.Programs[i]
		var steps []string
		for _, s := range append(p.Normalize[:len(p.Normalize):len(p.Normalize)], file.Compare.Normalize...) {
			steps = append(steps, stepText(s))
		}
		say("normalizers of "+p.Name, strings.Join(steps, ", "))
		if own, ok := p.Settings.(program.Meaningful); ok {
			for what, text := range own.Meaning() {
				say(what+" of "+p.Name, text)
			}
		}
	}
	var classes []string
	for _, c := range file.Compare.Classes {
		text := c.Name + " ="
		for _, re := range c.Match {
			text += " " + re.String()
		}
		if len(c.Programs) > 0 {
			text += " (" + strings.Join(c.Programs, ", ") + ")"
		}
		classes = append(classes, text)
	}
	say("classes", strings.Join(classes, "; "))
	return m
}

func stepText(s config.Step) string {
	switch {
	case s.Replace != nil:
		return fmt.Sprintf("%q to %q", s.Replace, s.With)
	case s.External != nil && s.External.Go != "":
		return s.External.Go
	case s.External != nil:
		return strings.Join(s.External.Command, " ")
	}
	return s.Builtin
}
