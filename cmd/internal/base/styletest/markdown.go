package styletest

import (
	"fmt"
	"regexp"
	"strings"
)

// A Problem is a rule that a text breaks.
type Problem struct {
	Line int
	Text string
}

var (
	codeSpan = regexp.MustCompile("``[^`]+``|`[^`]+`")
	link     = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	bare     = regexp.MustCompile(`https?://[^\s)>]+`)
	item     = regexp.MustCompile(`^\s*(?:[-*]|\d+\.)\s+`)
	question = regexp.MustCompile(`^(?:In )?(?:What|Which|Why|Who|When|Where|Can|Does|Is|Are|Do)\b`)
)

const code = "\x00"

// plain replaces code by one word and links by their text.
func plain(text string) string {
	text = link.ReplaceAllString(codeSpan.ReplaceAllString(text, code), "$1")
	return strings.NewReplacer("**", "", "*", "", "_", " ").Replace(bare.ReplaceAllString(text, code))
}

// Document checks a page of Markdown. Blocks of code are left out, and the length of sentences that
// list links.
func Document(page string) (problems []Problem) {
	var block []string
	begin, fenced, after := 0, false, true
	flush := func() {
		text := strings.Join(block, " ")
		if block = nil; text == "" || len(link.FindAllString(text, 4)) == 4 {
			return
		}
		for _, p := range Prose(plain(item.ReplaceAllString(text, ""))) {
			problems = append(problems, Problem{begin, p})
		}
	}
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			fenced = !fenced
		case fenced:
		case trimmed == "", strings.HasPrefix(trimmed, "<"), strings.HasPrefix(trimmed, "|-"):
			flush()
		case after && strings.HasPrefix(line, "    ") && !item.MatchString(line):
			continue // code: the line after it may be code, too
		case strings.HasPrefix(line, "#"):
			flush()
			for _, p := range heading(plain(strings.TrimLeft(line, "# "))) {
				problems = append(problems, Problem{i + 1, p})
			}
		case strings.HasPrefix(trimmed, "|"):
			flush()
			for _, p := range row(trimmed) {
				problems = append(problems, Problem{i + 1, p})
			}
		default:
			if item.MatchString(line) {
				flush()
			}
			if len(block) == 0 {
				begin = i + 1
			}
			block = append(block, trimmed)
		}
		after = trimmed == ""
	}
	flush()
	return problems
}

// heading checks a heading: a task, a noun or a question.
func heading(text string) []string {
	problems := Words(text)
	if n := count(text); n > maxHeading {
		problems = append(problems, fmt.Sprintf("a heading of %d words: %s", n, text))
	}
	if question.MatchString(text) && !strings.HasSuffix(text, "?") || strings.HasSuffix(text, ".") || strings.HasSuffix(text, ":") {
		problems = append(problems, "a heading is a task, a noun or a question: "+text)
	}
	return problems
}

// row checks the cells of a row.
func row(line string) (problems []string) {
	for _, cell := range strings.Split(strings.ReplaceAll(codeSpan.ReplaceAllString(line, code), `\|`, ""), "|") {
		if n := count(plain(cell)); n > maxCell {
			problems = append(problems, fmt.Sprintf("a cell of %d words: %s", n, strings.TrimSpace(plain(cell))))
		}
		for _, p := range Words(plain(cell)) {
			problems = append(problems, fmt.Sprintf("%s in: %s", p, strings.TrimSpace(plain(cell))))
		}
	}
	return problems
}
