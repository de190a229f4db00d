package dynamic

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/language"
)

// alone is a program that a script can run without parallax: a function of a language, or a
// formula.
type alone struct{ *Settings }

// Reproducer implements finding.Reproducible.
func (a *alone) Reproducer(flat []byte, _ func([]string) []finding.Variable) finding.ScriptProgram {
	return finding.ScriptProgram{Runner: &reproducer{a.Settings, flat}}
}

// reproducer has the language make the call, or asks z3 whether the formula excludes the original's
// outcome.
type reproducer struct {
	settings *Settings
	flat     []byte
}

// questionsFile has the questions to z3. It is next to the script.
const questionsFile = "model.smt2"

// Needs implements finding.ScriptRunner.
func (r *reproducer) Needs() finding.ScriptNeeds { return finding.ScriptNeeds{} }

// Write implements finding.ScriptRunner.
func (r *reproducer) Write(w *finding.ScriptWriter) error {
	ctx := context.Background()
	f, err := dynamic.Read(r.settings.Function)
	if err != nil {
		return err
	}
	c := f.Decode(r.flat)
	if r.settings.Side == extract.OfOriginal {
		name, text := language.Alone(f, c)
		w.File(name, []byte(text))
		var words []string
		for _, word := range language.Command(f) {
			words = append(words, w.Word(word))
		}
		w.Run(fmt.Sprintf(`LC_ALL=C TZ=UTC timeout -s KILL %d %s "$here/%s"`, w.Limit, strings.Join(words, " "), name))
		w.Printf("case $status in\n'') ;;\n0) verdict=accepted ;;\n126|127) cannot \"it could not be started: exit status $status\" ;;\n137) verdict=timeout ;;\n*) verdict=crashed ;;\nesac\n")
		w.Printf("told \"exit status $status\" \"$box/out\" \"$box/err\"\n")
		return nil
	}
	asker, err := language.Open(ctx, f, *r.settings.Driver)
	if err != nil {
		return err
	}
	defer asker.Close()
	list := []json.RawMessage{c.JSON()}
	right, err := asker.Calls(ctx, f.Function, extract.OfOriginal, list)
	if err != nil {
		return err
	}
	said, err := asker.Calls(ctx, f.Function, extract.OfModel, list)
	if err != nil {
		return err
	}
	text, answers, err := asker.Questions(c, right[0], said[0])
	if err != nil {
		w.Printf("cannot %s\ntold '' \"$box/out\" \"$box/err\"\n", finding.ShellText(err.Error()))
		return nil
	}
	w.File(questionsFile, []byte(text))
	w.Run(fmt.Sprintf(`timeout -s KILL %d z3 "$here/%s"`, max(w.Limit, 60), questionsFile))
	w.Printf("if [ \"$status\" != 0 ] || grep -qv '^\\(un\\)\\{0,1\\}sat$' \"$box/out\"; then cannot \"z3 gives no answer: apt-get install z3\"\n")
	dropped := said[0].How == extract.Drops
	w.Printf("elif [ \"$(tr '\\n' ' ' <\"$box/out\")\" != %s ]; then verdict=accepted why=\"the model permits what the original does\"\n", finding.ShellText(strings.Join(answers, " ")+" "))
	w.Printf("\tprintf '%%s\\n' %s >\"$box/value\"\n", finding.ShellText(dynamic.Text(right[0])))
	if dropped {
		w.Printf("else verdict=rejected why=\"unsat: the model has no path for this call\"\nfi\n")
	} else {
		w.Printf("else verdict=accepted why=\"the model excludes what the original does\"\n\tprintf '%%s\\n' %s >\"$box/value\"\nfi\n", finding.ShellText(dynamic.Text(said[0])))
	}
	w.Printf("told '' \"$box/out\" \"$box/err\"\n")
	return nil
}
