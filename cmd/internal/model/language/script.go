package language

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/smt/solver"
)

// Alone returns a program of the language, and its name, that makes a call and prints the outcome
// in the form of campaigns.
func Alone(f *dynamic.Function, c dynamic.Call) (name, text string) {
	return Find(f.Language).alone(f, c)
}

// Command returns the command that runs such a program.
func Command(f *dynamic.Function) []string {
	l := Find(f.Language)
	return append([]string{l.Command}, l.flags...)
}

// Questions returns a script with the questions to a solver about a deviation, and the answers by
// which the model excludes the original's outcome.
func (m *Formula) Questions(c dynamic.Call, right, said extract.Said) (text string, answers []string, err error) {
	list, err := m.questions(c, right, said)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "; %s: the original %s; the model: %s\n", m.f.Quote(c), dynamic.Text(right), dynamic.Text(said))
	for _, q := range list {
		script, err := solver.Script(solver.Query{Assertions: q.assertions})
		if err != nil {
			return "", nil, err
		}
		fmt.Fprintf(&b, "(reset)\n; %s: %s is expected\n%s(check-sat)\n", strings.ReplaceAll(q.text, "\n", " "), q.want, script)
		answers = append(answers, q.want.String())
	}
	return b.String(), answers, nil
}
