package formats

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/base/escape"
)

// shownAnnotations is the number of annotations of each type that GitHub shows for a step.
const shownAnnotations = 10

// Annotations returns workflow commands of GitHub Actions, a line each. A finding that makes the
// run fail is an error, another change of behavior a warning. Findings with one cause have one.
// There are at most ten of each type, the most important first. The last one counts the rest.
func (r *Report) Annotations() []byte {
	var errors, warnings []string
	for i := range r.Targets {
		if t := &r.Targets[i]; t.Problem != "" {
			errors = append(errors, command("error", Anchor{}, t.Name, escape.Lines(t.Problem)))
		}
	}
	for _, f := range r.withFate(fails) {
		if f.Shows() {
			errors = append(errors, f.annotation("error"))
		}
	}
	for _, f := range r.withFate(alters) {
		if f.Shows() {
			warnings = append(warnings, f.annotation("warning"))
		}
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
			b.WriteString(command(list.kind, Anchor{}, "parallax", fmt.Sprintf("%d more like these are in the job's summary and in the files that the run wrote.", more)))
		}
	}
	return []byte(b.String())
}

func (f placed) annotation(kind string) string {
	return command(kind, f.Where, f.kind()+" in "+f.target.Name, f.message(f.target))
}

// command returns a workflow command. The runner reads a command up to the end of its line, so no
// text in it can begin another one.
func command(kind string, at Anchor, title, message string) string {
	var properties []string
	if at.File != "" && escape.Text(at.File) == at.File { // the log is read on terminals, and an escaped name would be that of another file
		properties = append(properties, "file="+property(at.File))
		if at.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", at.Line))
		}
	}
	properties = append(properties, "title="+property(escape.Cut(escape.Text(title), 200)))
	return "::" + kind + " " + strings.Join(properties, ",") + "::" + data(escape.Cut(escape.Lines(message), 4096)) + "\n"
}

// data and property escape text as the runner unescapes it (actions/toolkit,
// packages/core/src/command.ts).
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
