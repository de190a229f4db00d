package formats

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/escape"
)

// shownAnnotations is how many annotations of a type GitHub shows of a step.
const shownAnnotations = 10

// Annotations are workflow commands of GitHub Actions, a line each: an error for what makes the run fail, and a warning for a change of
// behavior that does not. There are at most ten of each type, the most important first; the last says how many more there are.
func (r *Report) Annotations() []byte {
	var errors, warnings []string
	for i := range r.Targets {
		if t := &r.Targets[i]; t.Problem != "" {
			errors = append(errors, command("error", Place{}, t.Name, escape.Lines(t.Problem)))
		}
	}
	for _, f := range r.with(fails) {
		errors = append(errors, f.annotation("error"))
	}
	for _, f := range r.with(alters) {
		warnings = append(warnings, f.annotation("warning"))
	}
	var b strings.Builder
	for _, list := range []struct {
		kind  string
		lines []string
	}{{"error", errors}, {"warning", warnings}} {
		shown := list.lines
		if len(shown) > shownAnnotations {
			shown = shown[:shownAnnotations-1]
		}
		for _, line := range shown {
			b.WriteString(line)
		}
		if more := len(list.lines) - len(shown); more > 0 {
			b.WriteString(command(list.kind, Place{}, "parallax", fmt.Sprintf("%d more like these are in the job's summary and in the files that the run wrote.", more)))
		}
	}
	return []byte(b.String())
}

func (f placed) annotation(kind string) string {
	return command(kind, f.Where, f.kind()+" in "+f.target.Name, f.message(f.target))
}

// command is a workflow command. The runner reads a command up to the end of its line, so that nothing in it can begin another.
func command(kind string, at Place, title, message string) string {
	var properties []string
	if at.File != "" && escape.Text(at.File) == at.File { // the log is read at terminals, and another name would be another file's
		properties = append(properties, "file="+property(at.File))
		if at.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", at.Line))
		}
	}
	properties = append(properties, "title="+property(escape.Cut(escape.Text(title), 200)))
	return "::" + kind + " " + strings.Join(properties, ",") + "::" + data(escape.Cut(escape.Lines(message), 4096)) + "\n"
}

// data and property are escaped as the runner unescapes them (actions/toolkit, packages/core/src/command.ts).
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
