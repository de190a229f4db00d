package dynamic

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/extract"
	originals "parallax/cmd/internal/model/kind/original"
	"parallax/cmd/internal/model/language"
)

// alone is a program that a script can run without parallax: a function of a language, or a
// formula.
type alone struct{ *Settings }

// WriteScript implements reproducer.Runner. The language makes the call, or z3 says whether the
// formula excludes the original's outcome.
func (a *alone) WriteScript(w *reproducer.Writer) error {
	ctx := context.Background()
	f, err := dynamic.Read(a.Function)
	if err != nil {
		return err
	}
	c := f.Decode(w.Flat())
	if a.Side == extract.OfOriginal {
		name, text := language.Alone(f, c)
		w.File(name, []byte(text))
		var words []string
		for _, word := range language.Command(f) {
			words = append(words, w.Word(word))
		}
		w.Run(fmt.Sprintf(`LC_ALL=C TZ=UTC timeout -s KILL %d %s "$here/%s"`, w.Limit, strings.Join(words, " "), name))
		w.Status([]string{"0) verdict=accepted"}, "*) verdict=crashed")
		w.Compare("out")
		return nil
	}
	asker, err := language.Open(ctx, f, *a.Driver)
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
		w.Unable(err.Error())
		return nil
	}
	originals.Solve(w, text)
	dropped := said[0].How == extract.Drops
	w.Printf("elif [ \"$(tr '\\n' ' ' <\"$box/out\")\" != %s ]; then verdict=accepted why=\"the model permits what the original does\"\n", shell.Text(strings.Join(answers, " ")+" "))
	w.Printf("\tprintf '%%s\\n' %s >\"$box/value\"\n", shell.Text(dynamic.Text(right[0])))
	if dropped {
		w.Printf("else verdict=rejected why=\"unsat: the model has no path for this call\"\nfi\n")
	} else {
		w.Printf("else verdict=accepted why=\"the model excludes what the original does\"\n\tprintf '%%s\\n' %s >\"$box/value\"\nfi\n", shell.Text(dynamic.Text(said[0])))
	}
	w.Compare("out")
	return nil
}
