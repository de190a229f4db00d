// Package styletest checks texts by the rules of docs/dev/style.md: documents, help, messages and
// comments. Only tests use it.
package styletest

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	maxSentence = 25 // words
	maxCell     = 20
	maxHeading  = 10
)

// words lists expressions that texts must not have.
var words = []struct {
	pattern *regexp.Regexp
	advice  string
}{
	{any(`tell|tells|told|telling`), "programs report and print"},
	{any(`comes? to|came to|coming to`), "say reaches, is or executes"},
	{any(`stands?|stood`), "say is, represents or lies"},
	{any(`puts? (it |them )?down to`), "say attributes"},
	{any(`look(s|ed|ing)? into`), "say examines"},
	{any(`looked at`), "say examined or inspected"},
	{any(`anew`), "say again"},
	{any(`mend(s|ed|ing)?`), "say fix or repair"},
	{any(`unlooked`), "say unexpected"},
	{any(`judging`), "say triage"},
	{any(`kin`), "say neighbor"},
	{any(`relatives|(its|a|the|nearest|closest) relative(?: of|[.,;:]|$)`), "say neighbor"},
	{any(`of which|of whom`), "begin a new sentence"},
	{any(`(is|are|was|were|be) what`), "name the thing"},
	{any(`beside`), "say next to"},
	{any(`whoever|nobody`), "name the actor"},
	{american, "American spelling"},
}

// american matches British spellings, in texts and as parts of identifiers.
var american = regexp.MustCompile(`(?i:(?:normal|minim|maxim|recogn|canonical|initial|serial|optim|organ|special|general|summar|random|local|symbol|token|capital|final|synchron|vector|custom|synthes|real|visual|categor)is(?:e|ed|es|er|ers|ing|ation|ations)|(?:behavi|col|fav|neighb|hon|lab|flav)our|analyse[dr]?\b|analysing|(?:cancel|label|model|travel|signal|marshal|channel)l(?:ed|ing)|artefact|judgement|licence|defence|catalogue|grey\b|centre)`)

func any(list string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + list + `)\b`) }

// Words returns the problems with the words of a text without code.
func Words(text string) (problems []string) {
	text = guidances.ReplaceAllString(text, "")
	for _, w := range words {
		if at := w.pattern.FindStringIndex(text); at != nil {
			problems = append(problems, fmt.Sprintf("%q: %s", text[at[0]:at[1]], w.advice))
		}
	}
	return problems
}

// guidances matches names that keep British spelling, like the JSON key.
var guidances = regexp.MustCompile(`\bbehaviour(?:-structure|-lifetime)?,? `)

var (
	sentenceEnd = regexp.MustCompile(`([.!?][)"”]*) `)
	abbreviated = regexp.MustCompile(`\b(?:e\.g|i\.e|vs|al|No|Vol)\.$`)
	whatSubject = regexp.MustCompile(`^["(]?What(ever)? `)
	word        = regexp.MustCompile(`[\pL\pN\x00]`)
)

// Sentences splits a paragraph.
func Sentences(text string) (list []string) {
	text = strings.Join(strings.Fields(text), " ")
	from := 0
	for _, at := range sentenceEnd.FindAllStringIndex(text, -1) {
		if !abbreviated.MatchString(text[from : at[1]-1]) {
			list = append(list, text[from:at[1]-1])
			from = at[1]
		}
	}
	return append(list, text[from:])
}

// count returns the number of words of a text. Code counts as one word. An enumeration of code or
// single words counts as its first and last word.
func count(text string) (n int) {
	listed := false
	for _, w := range strings.Fields(text) {
		item := strings.HasSuffix(w, ",")
		if word.MatchString(w) && w != code+"," && !(item && listed) {
			n++
		}
		listed = item
	}
	return n
}

// Prose returns the problems of a paragraph, in which a NUL byte represents code.
func Prose(text string) (problems []string) {
	for _, s := range Sentences(text) {
		if n := count(s); n > maxSentence {
			problems = append(problems, fmt.Sprintf("%d words: %s", n, s))
		}
		problems = append(problems, sentence(s)...)
	}
	return problems
}

// sentence returns the problems of a sentence, except its length.
func sentence(s string) (problems []string) {
	if whatSubject.MatchString(s) && strings.HasSuffix(s, ".") {
		problems = append(problems, "a clause with what is the subject: "+s)
	}
	for _, p := range Words(s) {
		problems = append(problems, p+" in: "+s)
	}
	return problems
}
