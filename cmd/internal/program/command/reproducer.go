package command

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/program"
)

// WriteScript implements reproducer.Runner.
func (c *Config) WriteScript(w *reproducer.Writer) error {
	w.Needs(reproducer.Needs{Dir: c.Dir, Command: c.Args})
	copied, stdin, arg := "", true, false
	var words []string
	for i, a := range c.Args {
		if i == 0 || !program.Place().MatchString(a) {
			words = append(words, w.Word(a))
			continue
		}
		word := ""
		for a != "" {
			at := program.Place().FindStringIndex(a)
			if at == nil {
				word += w.Word(a)
				break
			}
			if at[0] > 0 {
				word += w.Word(a[:at[0]])
			}
			name := strings.Trim(a[at[0]:at[1]], "{}")
			switch {
			case name == "arg":
				word += `"${arg%x}"`
				stdin, arg = false, true
			default:
				word += `"$folder/` + name + `"`
				if strings.HasPrefix(name, "input") {
					copied, stdin = name, false
				}
			}
			a = a[at[1]:]
		}
		if word == "" {
			word = "''"
		}
		words = append(words, word)
	}
	line := ""
	if copied != "" {
		line += `cp "$input" ` + copied + "\n"
	}
	if arg {
		// without x, trailing line feeds would be lost
		line += `arg=$(cat "$input"; printf x)` + "\n"
	}
	line += w.Folder() + fmt.Sprintf("timeout -s KILL %d %s%s", w.Limit, w.Environ(c.Env), strings.Join(words, " "))
	if stdin {
		line += ` <"$input"`
	}
	w.Run(line)
	var cases []string
	for _, m := range []struct {
		codes   []int
		verdict string
	}{{c.Exit.Accepted, "accepted"}, {c.Exit.Rejected, "rejected"}, {c.Exit.Declined, "declined"}} {
		var patterns []string
		for _, code := range m.codes {
			patterns = append(patterns, fmt.Sprint(code))
		}
		if m.verdict == "accepted" && len(patterns) == 0 && !slices.Contains(append(slices.Clone(c.Exit.Rejected), c.Exit.Declined...), 0) {
			patterns = []string{"0"}
		}
		if len(patterns) > 0 {
			cases = append(cases, strings.Join(patterns, "|")+") verdict="+m.verdict)
		}
	}
	if c.Exit.none() {
		w.Status(cases, "129|13?|14?|15?) verdict=crashed", "*) verdict=rejected")
	} else {
		w.Status(cases, "*) verdict=crashed")
	}
	value, shown := "stdout", "out"
	if c.Value != "" {
		value = c.Value
	}
	switch value {
	case "stdout":
		w.Printf("stable \"$box/out\"\n")
	case "stderr":
		w.Printf("stable \"$box/err\"\n")
	case "output":
		name := "output"
		for _, a := range c.Args[1:] {
			for _, found := range program.Place().FindAllString(a, -1) {
				if strings.HasPrefix(found, "{output") {
					name = strings.Trim(found, "{}")
				}
			}
		}
		w.Printf("stable \"$folder/%s\"\n", name)
		shown = "value"
	}
	w.Compare(shown)
	return nil
}
