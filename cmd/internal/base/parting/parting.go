// Package parting finds where results of programs differ. Results are texts, values that are trees,
// or the recorded calls of tests. It knows values only as findings record them, as text.
package parting

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// A Parting is a place in which values differ.
type Parting struct {
	Path  string   // "" the whole value
	Texts []string // of each value; "(nothing)" where it has nothing there
}

// Of returns the first places in which values differ below their tops, and the number of all.
// Values are texts as findings render them. There are none if a value is no tree, or if the values
// as wholes are unlike.
func Of(values []string) (list []Parting, n int) {
	if len(values) < 2 {
		return nil, 0
	}
	if list, n = OfCalls(values); n == 0 {
		list, n = OfTrees(values)
	}
	if len(list) == 0 || list[0].Path == "" {
		return nil, 0
	}
	return list, n
}

// parseTrees reads rendered values. False says that one is no tree.
func parseTrees(values []string) (list []tree, ok bool) {
	for _, v := range values {
		t, ok := parseTree(v)
		if !ok {
			return nil, false
		}
		list = append(list, t)
	}
	return list, true
}

// OfCalls are the first recorded calls whose results differ, and how many there are; none where
// values are no calls.
func OfCalls(values []string) (list []Parting, n int) {
	calls := make([][]string, len(values))
	most := 0
	for i, v := range values {
		if calls[i] = callsOf(v); calls[i] == nil {
			return nil, 0
		}
		most = max(most, len(calls[i]))
	}
	for k := range most {
		texts := make([]string, len(values))
		for i, list := range calls {
			if texts[i] = missing; k < len(list) {
				texts[i] = list[k]
			}
		}
		if slices.Equal(texts, slices.Repeat(texts[:1], len(texts))) {
			continue
		}
		path := fmt.Sprintf("call %d", k+1)
		if name := CallLine().FindString(texts[0]); name != "" && !slices.ContainsFunc(texts, func(s string) bool { return !strings.HasPrefix(s, name) }) {
			path = strings.TrimSuffix(name, ": ")
			for i := range texts {
				texts[i] = texts[i][len(name):]
			}
		}
		addParting(path, texts, &list, &n)
	}
	return list, n
}

// errorResult is the error among the results of a recorded call, which comes last but for what
// arguments point to.
var errorResult = lazyregexp.New(`(?:^|, )error \S+: `)

// OfErrors returns the first recorded call that returned an error in some of the values and none in
// the others. For each value, errs has the error, or "" for none. It is not ok if there is no such
// call, or if values are not calls.
func OfErrors(values []string) (call string, errs []string, ok bool) {
	partings, _ := OfCalls(values)
	for _, p := range partings {
		errs, failing := make([]string, len(values)), 0
		told := true
		for i, text := range p.Texts {
			if at := errorResult().FindStringIndex(text); at != nil {
				errs[i] = strings.TrimPrefix(text[at[0]:], ", ")
				failing++
			} else if text != "nil" && !strings.HasSuffix(text, ", nil") {
				told = false // cut, or no error is among the results
			}
		}
		if told && failing > 0 && failing < len(values) {
			return p.Path, errs, true
		}
	}
	return "", nil, false
}

// another begins a further recorded call on a line that holds several.
var another = lazyregexp.New(`; (\S+ \([^()]*\.go:\d+\): )`)

// Focus returns a line for each result, with the first recorded call that differs. If a call fails
// in some results only, the line has its error. Otherwise it has what the call returns. It is not
// ok if the results are not such calls.
func Focus(results []string) (lines []string, ok bool) {
	if lines, ok = transcripts(results); ok {
		return lines, true
	}
	results = slices.Clone(results)
	for i, s := range results {
		results[i] = another().ReplaceAllString(s, "\n$1")
	}
	if call, errs, ok := OfErrors(results); ok {
		for _, err := range errs {
			if err == "" {
				err = "no error"
			}
			lines = append(lines, call+": "+err)
		}
		return lines, true
	}
	list, _ := OfCalls(results)
	if len(list) == 0 || !CallLine().MatchString(list[0].Path+": ") { // one calls what the other does not
		return nil, false
	}
	for _, text := range list[0].Texts {
		lines = append(lines, list[0].Path+": "+text)
	}
	return lines, true
}

// callsOf returns the recorded calls of a text. A call of several lines is one element. The first
// line may say that the input was skipped. It returns nil if another text comes before the first
// call.
func callsOf(s string) (list []string) {
	for i, line := range strings.Split(s, "\n") {
		switch {
		case CallLine().MatchString(line):
			list = append(list, line)
		case len(list) > 0:
			list[len(list)-1] += "\n" + line
		case i > 0:
			return nil
		}
	}
	return list
}

// CallLine begins the line of a recorded call (oracle.Record).
var CallLine = lazyregexp.New(`^\S.* \([^()]*:\d+\): `)
