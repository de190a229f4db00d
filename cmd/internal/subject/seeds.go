package subject

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/gobuild/fuzztest"
	"parallax/cmd/internal/gobuild/mining"
	"parallax/cmd/internal/model/campaignfiles"
	"parallax/internal/input"
	"parallax/internal/mutate"
	"parallax/internal/tape"
)

// Seeds returns the first inputs: the user's seeds, those of tests, those of another campaign on
// the same FuzzXxx, and the input of zero values.
func Seeds(o *Options, t *Facts) (out []corpus.Seed, problems []string, err error) {
	var list []corpus.Seed
	for _, path := range o.Seeds {
		more, wrong, err := corpus.Seeds(path, t.Shape)
		if err != nil {
			return nil, nil, exit.Usage("--seeds %s: %w", path, err)
		}
		if len(more) == 0 && len(wrong) == 0 {
			wrong = append(wrong, fmt.Sprintf("--seeds %s: there is no input", path))
		} else if len(more) == 0 {
			return nil, nil, exit.Usage("--seeds %s: no file is an input of %s\n%s", path, t.Shape, strings.Join(wrong, "\n"))
		}
		list = append(list, o.relativeSeeds(more)...)
		problems = append(problems, wrong...)
	}
	if t.hello.Tapes {
		problems = append(problems, strangeTapes(corpus.Flats(list))...)
	}
	if o.GoCache && t.DrawnFor() {
		return nil, nil, exit.Usage("--go-cache: what go test -fuzz has cached for %s are inputs, and parallax does not know how the generator %s draws them: leave one of the two flags out", t.Test.fn.Name, o.Generator)
	}
	if o.GoCache {
		more, wrong, err := cachedSeeds(t)
		if err != nil {
			return nil, nil, err
		}
		list, problems = append(list, more...), append(problems, wrong...)
	}
	long, most := 0, t.MaxBytes(o)
	for _, s := range list {
		if !fits(t.Shape, s.Flat, most) {
			long++
		}
	}
	if long > 0 {
		problems = append(problems, fmt.Sprintf("seeds: %d of %d inputs are left out, because they are longer than --max-bytes %d", long, len(list), most))
	}
	mined := append([]corpus.Seed{}, t.Plan.Seeds...)
	if t.Test != nil {
		more, wrong := testSeeds(t)
		mined = append(mined, addedSeeds(t.hello.Seeds, t.Test.fn.Name)...)
		mined, problems = append(mined, more...), append(problems, wrong...)
	}
	more, wrong := campaignSeeds(o, t)
	mined, problems = append(mined, more...), append(problems, wrong...)
	mined = append(mined, mining.ChangedSeeds(o.Literals, t.Shape)...)
	if mined = append(mined, corpus.Seed{Flat: t.Shape.Zero(), From: "the input of zero values"}); o.Grammar != "" {
		var wrong []string
		list, wrong = o.texts(list, mined)
		problems = append(problems, wrong...)
	} else {
		list = append(list, mined...)
	}
	seen := map[string]bool{}
	for _, s := range list {
		if !seen[string(s.Flat)] && t.Shape.Check(s.Flat) == nil && fits(t.Shape, s.Flat, most) {
			seen[string(s.Flat)] = true
			out = append(out, s)
		}
	}
	return out, problems, nil
}

// relativeSeeds names files relative to the folder in which the campaign starts.
func (o *Options) relativeSeeds(list []corpus.Seed) []corpus.Seed {
	for i, s := range list {
		path := strings.TrimPrefix(s.From, "file ")
		if list[i].From = "file " + finding.Relative(o.Dir, path); o.isChosen(path) {
			list[i].From = "call " + filepath.Base(path) + " that parallax chose for the model"
		}
	}
	return list
}

// isChosen reports whether package prepared wrote a seed for a model.
func (o *Options) isChosen(path string) bool {
	return o.Mode == Model && o.Config != nil && filepath.Dir(path) == filepath.Join(filepath.Dir(o.Config.Path), campaignfiles.Seeds)
}

// addedSeeds returns the seeds that a FuzzXxx adds.
func addedSeeds(flats [][]byte, name string) []corpus.Seed {
	list := make([]corpus.Seed, len(flats))
	for i, flat := range flats {
		list[i] = corpus.Seed{Flat: flat, From: "f.Add in " + name}
	}
	return list
}

// inTestdata names the files in testdata/fuzz relative to the test's package.
func (t *FuzzTest) inTestdata(list []corpus.Seed) []corpus.Seed {
	for i, s := range list {
		list[i].From = "file testdata/fuzz/" + t.fn.Name + "/" + filepath.Base(s.From)
	}
	return list
}

// strangeTapes reports seeds of the user that are no tapes: a user who passes texts expects texts
// as inputs. The bytes of such seeds still count as choices, like those of mutants that go test
// -fuzz has saved.
func strangeTapes(flats [][]byte) []string {
	strange, first := countNoTapes(flats, func([]byte) bool { return true })
	if strange == 0 {
		return nil
	}
	return []string{fmt.Sprintf("seeds: %d of %d inputs are no tapes of choices, which a generator draws from: their bytes are choices one after another, and what is drawn is none of these texts. The first is %s. Texts are seeds of a grammar (--grammar)",
		strange, len(flats), first)}
}

// damagedTapes reports seeds that begin like an encoded tape but do not decode. Other bytes are
// choices, as go test -fuzz makes them.
func damagedTapes(where string, flats [][]byte) []string {
	damaged, first := countNoTapes(flats, tape.IsTape)
	if damaged == 0 {
		return nil
	}
	return []string{fmt.Sprintf("seeds: %d of %d inputs in %s are tapes of choices that are damaged, or of another version: their bytes are choices one after another. The first is %s",
		damaged, len(flats), where, first)}
}

// countNoTapes counts the inputs that satisfy some and are no tapes, and names the first. It skips
// empty inputs.
func countNoTapes(flats [][]byte, some func([]byte) bool) (n int, first string) {
	for _, flat := range flats {
		var t tape.Tape
		err := t.Decode(flat)
		if len(flat) == 0 || err == nil || !some(flat) {
			continue
		}
		n++
		name := fmt.Sprintf("%.60q", flat)
		if tape.IsTape(flat) {
			name += ": " + err.Error()
		}
		first = cmp.Or(first, name)
	}
	return n, first
}

// cachedSeeds returns the inputs that `go test -fuzz` has found interesting. It reports and skips
// inputs of an earlier signature.
func cachedSeeds(t *Facts) (list []corpus.Seed, problems []string, err error) {
	test := t.fuzzTest()
	if test == nil {
		return nil, []string{"--go-cache: go test -fuzz caches inputs of a FuzzXxx, and " + t.Name + " compares functions"}, nil
	}
	name := test.fn.Name
	dir, err := fuzztest.Cache(context.Background(), test.pkg.Dir, test.pkg.ImportPath, name)
	if err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, []string{fmt.Sprintf("--go-cache: go test -fuzz has cached nothing for %s: there is no %s", name, dir)}, nil
	}
	list, problems, err = corpus.Seeds(dir, t.Shape)
	if err != nil {
		return nil, nil, exit.Infra("--go-cache: %w", err)
	}
	for i, s := range list {
		list[i].From = "file " + filepath.Base(s.From) + " of the cache of go test -fuzz"
	}
	return list, problems, nil
}

// testSeeds returns the seeds of a FuzzXxx in testdata/fuzz. It reports and skips a seed that does
// not fit.
func testSeeds(t *Facts) (seeds []corpus.Seed, problems []string) {
	dir := t.Test.seedDir()
	list, err := os.ReadDir(dir)
	if err != nil || len(list) == 0 {
		return nil, nil
	}
	if t.DrawnFor() {
		return nil, []string{fmt.Sprintf("the seeds in testdata/fuzz/%s (%d) are left out: inputs are drawn, and parallax does not know the choices from which the generator would draw them", t.Test.fn.Name, len(list))}
	}
	seeds, problems, err = corpus.GoSeeds(dir, t.Shape)
	if err != nil {
		problems = append(problems, err.Error())
	}
	if t.hello.Tapes {
		problems = append(problems, damagedTapes("testdata/fuzz/"+t.Test.fn.Name, corpus.Flats(seeds))...)
	}
	return t.Test.inTestdata(seeds), problems
}

// fits reports whether all arguments of a valid flat form have at most max bytes.
func fits(shape input.Shape, flat []byte, max int) bool {
	for i, span := range shape.Spans(nil, flat) {
		if shape[i].Width() == 0 && span.End-span.Start > max {
			return false
		}
	}
	return true
}

// CheckFiles reports unreadable files that the options name, before anything is built.
func (o *Options) CheckFiles() error {
	for _, path := range o.Seeds {
		info, err := os.Stat(path)
		if err != nil {
			return exit.Usage("--seeds %s: there is no such file or folder", path)
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			_, err := corpus.ReadFile(path)
			return exit.Usage("--seeds: %w", err)
		}
	}
	if _, err := accept.Load(o.AcceptedFile()); err != nil {
		return err
	}
	_, err := o.Words(nil)
	return err
}

// Words joins the user's tokens, those of changed lines, and those of the programs' sources.
func (o *Options) Words(automatic [][]byte) ([][]byte, error) {
	automatic = append(mining.ChangedWords(o.Literals), automatic...)
	if o.Dictionary == "" {
		return automatic, nil
	}
	data, err := corpus.ReadFile(o.Dictionary)
	if err != nil {
		return nil, exit.Usage("--dict: %w", err)
	}
	tokens, err := mutate.ParseDictionary(data)
	if err != nil {
		return nil, exit.Usage("--dict %s: %w", o.Dictionary, err)
	}
	return append(tokens, automatic...), nil
}
