package report

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/lazyregexp"
)

// Result is what a program did beyond its outcome, unescaped: the value, the error or the crash message.
func (p *Program) Result() string {
	switch {
	case p.Message != "":
		return p.message()
	case p.Error != "":
		return p.Error
	}
	return p.Value
}

// message is that of a crash. It begins with the generator, if the crash is in one: what is tested is not at fault.
func (p *Program) message() string {
	if p.InGenerator {
		return "in a generator: " + p.Message
	}
	return p.Message
}

// callLine begins the line of a recorded call (oracle.Record).
var callLine = lazyregexp.New(`^\S.* \([^()]*:\d+\): `)

// Line is the result on one line, escaped: messages, and calls that are recorded, as OneLine has them; an end of line in anything else is a
// part of the value.
func (p *Program) Line() string {
	s := p.Result()
	if !strings.Contains(s, "\n") || p.Message == "" && p.Error == "" && !callLine().MatchString(s) {
		return escape.Text(s)
	}
	return OneLine(s)
}

// ErrorKind names how the error of p differs from another one with the same text: by its type, or by the error that it wraps.
// It is empty if texts differ, or if errors are not compared.
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

// line is the result of p as Line has it, and its ErrorKind.
func (f *Finding) line(p *Program) string {
	if kind := f.ErrorKind(p); kind != "" {
		return p.Line() + " (" + escape.Text(kind) + ")"
	}
	return p.Line()
}

// Excerpt is a program's result on one line, escaped and cut to about limit columns. It has the first difference of results that are compared.
func (f *Finding) Excerpt(p *Program, limit int) string {
	outcomes, lines := map[string]string{}, map[string]string{}
	for i := range f.Programs {
		q := &f.Programs[i]
		outcomes[q.Name], lines[q.Name] = q.Outcome, f.line(q)
	}
	line := lines[p.Name]
	if fitting(line, limit) == line {
		return line
	}
	if f.focus(lines) {
		if line = lines[p.Name]; fitting(line, limit) == line {
			return line
		}
	}
	return Around(line, agreeing(f.Layer, p.Outcome, outcomes, lines), limit) + " (" + escape.Size(len(p.Result())) + " in all)"
}

// focus puts what focus has of the programs' results in the place of their lines, where these are compared.
func (f *Finding) focus(lines map[string]string) bool {
	var results []string
	for i := range f.Programs {
		p := &f.Programs[i]
		if !compares(f.Layer, p.Outcome) || p.Outcome != f.Programs[0].Outcome {
			return false
		}
		results = append(results, p.Result())
	}
	found, ok := focus(results)
	for i := range found {
		lines[f.Programs[i].Name] = escape.Text(found[i])
	}
	return ok
}

// failing is the call that errorParting finds in the values that the programs accept with, where these are compared, with the programs in which it
// returned an error, and the others.
func (f *Finding) failing() (call string, failing, fine []string, ok bool) {
	if f.Layer != "value" || slices.ContainsFunc(f.Programs, func(p Program) bool { return p.Outcome != "accepted" }) {
		return "", nil, nil, false
	}
	var values []string
	for _, p := range f.Programs {
		values = append(values, p.Value)
	}
	call, errs, ok := errorParting(values)
	for i := range errs {
		if name := f.Programs[i].Name; errs[i] != "" {
			failing = append(failing, name)
		} else {
			fine = append(fine, name)
		}
	}
	return call, failing, fine, ok
}

// Excerpt is what a program did, cut to so many columns. It has the first difference of results that are compared.
func (b *Bucket) Excerpt(program string, width int) string {
	lines := map[string]string{}
	for name, s := range b.Results {
		lines[name] = escape.Text(s)
	}
	if fitting(lines[program], width) != lines[program] && compares(b.Layer, b.Outcomes[program]) {
		names := slices.Sorted(maps.Keys(b.Results))
		var results []string
		for _, name := range names {
			if b.Outcomes[name] == b.Outcomes[program] {
				results = append(results, b.Results[name])
			}
		}
		if found, ok := focus(results); ok && len(found) == len(names) {
			for i, name := range names {
				lines[name] = escape.Text(found[i])
			}
		}
	}
	return Around(lines[program], agreeing(b.Layer, b.Outcomes[program], b.Outcomes, lines), width)
}

// compares reports whether the results of programs with an outcome are what a layer compares.
func compares(layer, outcome string) bool {
	return layer == "value" && (outcome == "accepted" || outcome == "rejected") || layer == "class" && outcome == "rejected"
}

// agreeing is how many bytes, whole characters, the results of an outcome have in common; 0 where they are not compared, or are the same.
func agreeing(layer, outcome string, outcomes, lines map[string]string) int {
	if !compares(layer, outcome) {
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
		n, _ := commonEnds(first[:same], s)
		differ, same = differ || s != first, n
	}
	if !differ {
		return 0
	}
	return same
}

// Around fits escaped text into so many columns. Where all that would be seen are the first same bytes, which others have too, its beginning
// is followed by what comes after these.
func Around(s string, same, width int) string {
	before := min(15, width/4)
	head := fitting(s, min(40, (width-before)/3))
	if same > len(s) || fitting(s, width) == s || cells(s[:same])+before < width {
		return ellipsis(s, width)
	}
	start := same
	for range before {
		_, n := utf8.DecodeLastRuneInString(s[:start])
		start -= n
	}
	if start <= len(head) {
		return ellipsis(s, width)
	}
	return head + "…" + ellipsis(s[start:], width-cells(head)-1)
}
