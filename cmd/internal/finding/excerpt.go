package finding

import (
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/parting"
	"parallax/cmd/internal/base/quote"
)

// Result returns the crash message, the error or the value of a program, unescaped.
func (p *Program) Result() string {
	switch {
	case p.Message != "":
		return p.message()
	case p.Error != "":
		return p.Error
	}
	return p.Value
}

// message returns the message of a crash. It begins with "in a generator" if a generator crashed,
// and not the code under test.
func (p *Program) message() string {
	if p.InGenerator {
		return "in a generator: " + p.Message
	}
	return p.Message
}

// Line returns the result on one line, escaped. It joins the lines of messages and recorded calls
// as OneLine does. In other results an end of line is a part of the value, and is escaped.
func (p *Program) Line() string {
	s := p.Result()
	if !strings.Contains(s, "\n") || p.Message == "" && p.Error == "" && !parting.CallLine().MatchString(s) {
		return escape.Text(s)
	}
	return quote.OneLine(s)
}

// ErrorKind returns how the error of p differs from another one with the same text: by its type, or
// by the error that it wraps. It returns "" if texts differ, or if errors are not compared.
func (f *Finding) ErrorKind(p *Program) string {
	if f.Layer != "class" || p.Outcome != "rejected" || p.ErrorType == "" {
		return ""
	}
	kind := ""
	for i := range f.Programs {
		q := &f.Programs[i]
		switch {
		case q.Outcome != p.Outcome || q.Error != p.Error && (q.ErrorClass == "" || q.ErrorClass != p.ErrorClass):
		case q.ErrorType != p.ErrorType:
			return p.ErrorType
		case q.Sentinel == p.Sentinel:
		case p.Sentinel == "":
			kind = p.ErrorType + ", wraps none"
		default:
			kind = p.ErrorType + ", wraps " + p.Sentinel
		}
	}
	return kind
}

// line returns the result of p as Line does, with its ErrorKind.
func (f *Finding) line(p *Program) string {
	if kind := f.ErrorKind(p); kind != "" {
		return p.Line() + " (" + escape.Text(kind) + ")"
	}
	return p.Line()
}

// Excerpt returns the result of p on one line, escaped and cut to about limit columns. If results
// are compared, it contains their first difference.
func (f *Finding) Excerpt(p *Program, limit int) string {
	outcomes, lines := map[string]string{}, map[string]string{}
	for i := range f.Programs {
		q := &f.Programs[i]
		outcomes[q.Name], lines[q.Name] = q.Outcome, f.line(q)
	}
	line := lines[p.Name]
	if columns.Fit(line, limit) == line {
		return line
	}
	if f.Focus(lines) {
		if line = lines[p.Name]; columns.Fit(line, limit) == line {
			return line
		}
	}
	return columns.Around(line, Agreeing(f.Layer, p.Outcome, outcomes, lines), limit) + " (" + escape.Size(len(p.Result())) + " in all)"
}

// Focus replaces the lines of the programs by the parts that parting.Focus chooses from their
// results. It reports whether it did; results that are not compared keep their lines.
func (f *Finding) Focus(lines map[string]string) bool {
	var results []string
	for i := range f.Programs {
		p := &f.Programs[i]
		if !Compares(f.Layer, p.Outcome) || p.Outcome != f.Programs[0].Outcome {
			return false
		}
		results = append(results, p.Result())
	}
	found, ok := parting.Focus(results)
	for i := range found {
		lines[f.Programs[i].Name] = escape.Text(found[i])
	}
	return ok
}

// Excerpt returns the result of a program, cut to width columns. If results are compared, it
// contains their first difference.
func (b *Row) Excerpt(program string, width int) string {
	lines := map[string]string{}
	for name, s := range b.Results {
		lines[name] = escape.Text(s)
	}
	if columns.Fit(lines[program], width) != lines[program] && Compares(b.Layer, b.Outcomes[program]) {
		names := slices.Sorted(maps.Keys(b.Results))
		var results []string
		for _, name := range names {
			if b.Outcomes[name] == b.Outcomes[program] {
				results = append(results, b.Results[name])
			}
		}
		if found, ok := parting.Focus(results); ok && len(found) == len(names) {
			for i, name := range names {
				lines[name] = escape.Text(found[i])
			}
		}
	}
	return columns.Around(lines[program], Agreeing(b.Layer, b.Outcomes[program], b.Outcomes, lines), width)
}

// Compares reports whether a layer compares the results of programs with this outcome.
func Compares(layer, outcome string) bool {
	return layer == "value" && (outcome == "accepted" || outcome == "rejected") || layer == "class" && outcome == "rejected"
}

// Agreeing returns the number of bytes that the results of an outcome have in common at their
// beginning. It counts whole characters. It returns 0 for results that are equal or not compared.
func Agreeing(layer, outcome string, outcomes, lines map[string]string) int {
	if !Compares(layer, outcome) {
		return 0
	}
	first, same, differ, begun := "", 0, false, false
	for name, s := range lines {
		if outcomes[name] != outcome {
			continue
		}
		if !begun {
			first, same, begun = s, len(s), true
			continue
		}
		n, _ := parting.CommonEnds(first[:same], s)
		differ, same = differ || s != first, n
	}
	if !differ {
		return 0
	}
	return same
}
