package parallax

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parallax/internal/implementation"
	"parallax/internal/oracle"
)

// Difference holds an input on which implementations disagree.
type Difference struct {
	Layer   string   // first layer that differs: verdict, value or class
	Args    []any    // of the types that the first implementation takes
	Results []Result // in the order of the Impl parts
	// names of the implementations that differ from a strict majority, if there is one
	Odd []string
}

// Result holds the outcome of one implementation.
type Result struct {
	Name    string
	Outcome string // accepted, rejected, declined or crashed
	Values  []any  // if accepted: the results before the last error or bool, normalized
	Err     error  // the last result, if that is an error
	Panic   string // if crashed: the value of the panic
	Stack   string // if crashed: the stack
}

const (
	maxArgument = 1000 // bytes shown of an argument
	maxValue    = 300  // characters shown of a value
	// characters shown before the first difference of values with a common prefix
	contextBefore = 30
	maxRendered   = 64 << 10 // bytes of a value that are searched for the first difference
)

// difference describes a trial, with or without a disagreement.
func difference(set *implementation.Set, t *implementation.Trial) Difference {
	d := Difference{Args: t.Args}
	if t.Layer != 0 {
		d.Layer = t.Layer.String()
	}
	for i, r := range t.Runs {
		d.Results = append(d.Results, Result{
			Name: set.Names()[i], Outcome: r.Observation.Outcome.String(), Values: r.Values, Err: r.Err, Panic: r.Panic, Stack: r.Stack,
		})
	}
	for _, i := range t.Odd {
		d.Odd = append(d.Odd, set.Names()[i])
	}
	return d
}

func (d Difference) crashed() bool {
	for _, r := range d.Results {
		if r.Outcome == oracle.Crashed.String() {
			return true
		}
	}
	return false
}

func (d Difference) declined() bool {
	for _, r := range d.Results {
		if r.Outcome != oracle.Declined.String() {
			return false
		}
	}
	return true
}

// String formats the results as a table of several lines.
func (d Difference) String() string {
	var b strings.Builder
	switch {
	case d.crashed():
		var names []string
		for _, r := range d.Results {
			if r.Outcome == oracle.Crashed.String() {
				names = append(names, r.Name)
			}
		}
		fmt.Fprintf(&b, "%s crashed\n", strings.Join(names, " and "))
	case d.Layer != "":
		fmt.Fprintf(&b, "implementations disagree (%s)", d.Layer)
		if len(d.Odd) > 0 {
			fmt.Fprintf(&b, "; odd one out: %s", strings.Join(d.Odd, ", "))
		}
		b.WriteString("\n")
	}
	b.WriteString(d.table())
	return b.String()
}

// String formats the outcome and its details in one line.
func (r Result) String() string { return r.Outcome + r.rest(r.detail(), 0, false) }

// table lists the arguments, and the results below them.
func (d Difference) table() string {
	var b strings.Builder
	args := implementation.Quote(d.Args, maxArgument)
	for i, arg := range args {
		if len(args) == 1 {
			fmt.Fprintf(&b, "  input: %s\n", arg)
		} else {
			fmt.Fprintf(&b, "  argument %d: %s\n", i+1, arg)
		}
	}
	name, outcome := 0, 0
	for _, r := range d.Results {
		name, outcome = max(name, utf8.RuneCountInString(r.Name)), max(outcome, len(r.Outcome))
	}
	details := make([]oracle.Detail, len(d.Results))
	for i, r := range d.Results {
		details[i] = r.detail()
	}
	same := agreeing(details)
	for i, r := range d.Results {
		line := fmt.Sprintf("  %-*s  %-*s%s", name, r.Name, outcome, r.Outcome, r.rest(details[i], same, d.Layer == oracle.ClassLayer.String()))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for _, r := range d.Results {
		if r.Stack != "" {
			fmt.Fprintf(&b, "\n  %s panicked at:\n    %s\n", r.Name, strings.ReplaceAll(r.Stack, "\n", "\n    "))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// rest formats the details of an outcome. A value begins near byte same, after the prefix that all
// values share. With types set, an error is followed by its type.
func (r Result) rest(d oracle.Detail, same int, types bool) string {
	switch r.Outcome {
	case oracle.Accepted.String():
		if d.Value == "" {
			return ""
		}
		return "  " + cut(d.Value, same)
	case oracle.Crashed.String():
		return "  " + cut(printable(r.Panic), 0)
	}
	if r.Err == nil {
		return ""
	}
	text := "  " + cut(printable(fmt.Sprint(r.Err)), 0)
	if types {
		text += "  (" + kindOf(r.Err) + ")"
	}
	return text
}

// kindOf returns the type of an error, and what it wraps.
func kindOf(err error) string {
	var j oracle.Result
	j.Error(err)
	kind := fmt.Sprintf("%T", err)
	if inner := j.Detail(maxValue).Sentinel; inner != "" {
		kind += ", wraps " + printable(inner)
	}
	return kind
}

// detail renders values in the form that is compared, so that equal values look the same.
func (r Result) detail() oracle.Detail {
	if r.Outcome != oracle.Accepted.String() {
		return oracle.Detail{}
	}
	var j oracle.Result
	for _, v := range r.Values {
		j.Any(v)
	}
	return j.Detail(maxRendered)
}

// agreeing returns the length in bytes of the accepted values' common prefix, cut to whole
// characters. It returns 0 if the values are the same, or short enough to be shown whole.
func agreeing(details []oracle.Detail) int {
	first, same := "", -1
	longest := 0
	for _, d := range details {
		if d.Value == "" {
			continue
		}
		longest = max(longest, len(d.Value))
		if same < 0 {
			first, same = d.Value, len(d.Value)
			continue
		}
		n := 0
		for n < min(same, len(d.Value)) && d.Value[n] == first[n] {
			n++
		}
		same = n
	}
	if longest <= maxValue || same == longest {
		return 0
	}
	for same > 0 && !utf8.RuneStart(first[min(same, len(first)-1)]) {
		same--
	}
	return max(same, 0)
}

// cut shows the text from a few characters before byte from.
func cut(s string, from int) string {
	lead := ""
	from = min(from, len(s))
	for i := 0; i < contextBefore && from > 0; i++ {
		_, n := utf8.DecodeLastRuneInString(s[:from])
		from -= n
	}
	if from > 0 {
		lead = "…"
	}
	rest := s[from:]
	if utf8.RuneCountInString(rest) <= maxValue {
		return lead + rest
	}
	return lead + string([]rune(rest)[:maxValue]) + "… (" + strconv.Itoa(len(s)) + " bytes)"
}

// printable quotes a text that has characters which do not fit into a line.
func printable(s string) string {
	for _, c := range s {
		if !unicode.IsPrint(c) {
			return strconv.Quote(s)
		}
	}
	return s
}
