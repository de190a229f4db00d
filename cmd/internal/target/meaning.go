package target

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/config"
)

// Meaning is what a configuration says of how answers are read, beside which programs give them: what it changes makes other
// findings of the same runs, and another campaign. Defaults are left out.
func (o *Options) Meaning() map[string]string {
	file := o.Config
	if file == nil {
		return nil
	}
	m := map[string]string{}
	say := func(what, text string) {
		if text != "" {
			m[what] = text
		}
	}
	for i := range file.Programs {
		p := &file.Programs[i]
		var steps []string
		for _, s := range append(p.Normalise[:len(p.Normalise):len(p.Normalise)], file.Compare.Normalise...) {
			steps = append(steps, stepText(s))
		}
		say("normalisers of "+p.Name, strings.Join(steps, ", "))
		if p.Value != config.Stdout {
			say("value of "+p.Name, string(p.Value))
		}
		say("reading of exit codes of "+p.Name, lists("accepted", ranges(p.Exit.Accepted), "rejected", ranges(p.Exit.Rejected), "declined", ranges(p.Exit.Declined)))
		if p.Kind == config.HTTP {
			say("method of "+p.Name, p.Method)
			say("value of "+p.Name, strings.Join(p.Parts, ", "))
			say("reading of status codes of "+p.Name, lists("accepted", strings.Join(p.Accepted, " "), "rejected", strings.Join(p.Rejected, " ")))
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

// lists puts pairs of a name and what it holds together, but for empty ones.
func lists(pairs ...string) string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, pairs[i]+" "+pairs[i+1])
		}
	}
	return strings.Join(all, ", ")
}

// ranges writes codes in ascending order, neighbours as 1-5.
func ranges(codes []int) string {
	codes = slices.Sorted(slices.Values(codes))
	var all []string
	for i := 0; i < len(codes); {
		last := i
		for last+1 < len(codes) && codes[last+1] == codes[last]+1 {
			last++
		}
		text := strconv.Itoa(codes[i])
		if last > i {
			text += "-" + strconv.Itoa(codes[last])
		}
		all = append(all, text)
		i = last + 1
	}
	return strings.Join(all, " ")
}
