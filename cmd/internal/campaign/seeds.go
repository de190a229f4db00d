package campaign

import (
	"fmt"
	"os"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/internal/corpus"
	"parallax/internal/input"
	"parallax/internal/mutate"
)

// seeds are the inputs to begin with: the user's, those mined from the programs' tests, and the input of zero values.
func seeds(o *Options, t *Target) (flats [][]byte, problems []string, err error) {
	if o.Seeds != "" {
		flats, problems, err = corpus.Seeds(o.Seeds, t.Shape)
		if err != nil {
			return nil, nil, exit.Usage("--seeds %s: %w", o.Seeds, err)
		}
		if len(flats) == 0 && len(problems) == 0 {
			problems = append(problems, fmt.Sprintf("--seeds %s: the folder is empty", o.Seeds))
		} else if len(flats) == 0 {
			return nil, nil, exit.Usage("--seeds %s: no file there is an input of %s\n%s", o.Seeds, t.Shape, strings.Join(problems, "\n"))
		}
	}
	long := 0
	for _, f := range flats {
		if !fits(t.Shape, f, o.MaxBytes) {
			long++
		}
	}
	if long > 0 {
		problems = append(problems, fmt.Sprintf("--seeds: %d of %d inputs are left out, since they are longer than --max-bytes %d", long, len(flats), o.MaxBytes))
	}
	flats = append(flats, t.Plan.Seeds...)
	flats = append(flats, t.Shape.Zero())
	seen := map[string]bool{}
	var out [][]byte
	for _, f := range flats {
		if !seen[string(f)] && t.Shape.Check(f) == nil && fits(t.Shape, f, o.MaxBytes) {
			seen[string(f)] = true
			out = append(out, f)
		}
	}
	return out, problems, nil
}

// fits reports whether no argument of a valid flat form is longer than max bytes.
func fits(shape input.Shape, flat []byte, max int) bool {
	for i, span := range shape.Spans(nil, flat) {
		if shape[i].Width() == 0 && span.End-span.Start > max {
			return false
		}
	}
	return true
}

// checkFiles refuses what the options name and cannot be read, before anything is built.
func (o *Options) checkFiles() error {
	if o.Seeds != "" {
		if info, err := os.Stat(o.Seeds); err != nil || !info.IsDir() {
			return exit.Usage("--seeds %s: there is no such folder", o.Seeds)
		}
	}
	_, err := dictionary(o.Dictionary, nil)
	return err
}

// dictionary joins the user's tokens with those of the programs' sources.
func dictionary(file string, automatic [][]byte) ([][]byte, error) {
	if file == "" {
		return automatic, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, exit.Usage("--dict: %w", err)
	}
	tokens, err := mutate.ParseDictionary(data)
	if err != nil {
		return nil, exit.Usage("--dict %s: %w", file, err)
	}
	return append(tokens, automatic...), nil
}

// joinWords and splitWords keep a list of words in one option.
func joinWords(words []string) string { return strings.Join(words, " ") }

func splitWords(s string) []string { return strings.Fields(s) }
