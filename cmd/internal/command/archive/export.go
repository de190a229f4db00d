package archive

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/units"
	"parallax/cmd/internal/campaign/findings"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/subject"
	"parallax/internal/atomicfile"
	"parallax/internal/input"
)

// Export chooses the content and the target of an export.
type Export struct {
	Out     string   // the campaign's folder; empty means those in .parallax
	Buckets []string // ids, or prefixes of ids; empty means all open findings
	All     bool     // also accepted findings, and those that no longer reproduce
	Corpus  bool     // also the corpus
	Format  corpus.Format
	Trust   bool   // the user trusts the owner of the campaign's folder
	To      string // folder; empty means testdata/fuzz/FuzzXxx of the package
}

// parcel is the exported part of one campaign.
type parcel struct {
	past    *Campaign
	buckets []*findings.Group
	dir     string
	fuzz    string // FuzzXxx that reads dir; empty means none

	exporters []shaped // by shape: drawn values have another shape than their tapes
}

// Write exports. notes report omitted parts.
func (x *Export) Write(w io.Writer) (notes []string, err error) {
	switch {
	case !slices.Contains(corpus.Formats, x.Format):
		return nil, exit.Usage("--format %q: choose go, libfuzzer or afl", x.Format)
	case x.Format.Raw() && x.To == "":
		return nil, exit.Usage("--format %s: name the folder to write to, with --to", x.Format)
	}
	if info, err := os.Stat(x.To); x.To != "" && err == nil && !info.IsDir() {
		return nil, exit.Usage("--to %s is not a folder", x.To)
	}
	parcels, notes, err := x.choose()
	if err != nil {
		return nil, err
	}
	if parcels, err = x.address(parcels, &notes); err != nil {
		return nil, err
	}
	shown := 0
	var without []string // campaigns without open findings
	for _, p := range parcels {
		before := shown
		for _, b := range p.buckets {
			if len(x.Buckets) == 0 && x.Format == corpus.Go && p.passes(b) {
				notes = append(notes, fmt.Sprintf("left out: %s, which is no failure of go test: it compares two versions. `parallax export %s` writes its input as a seed", b.ID, b.ID))
				continue
			}
			taken := b.Best.HarnessInput()
			if p.past.draws() && taken == b.Best {
				notes = append(notes, fmt.Sprintf("left out: %s is a tape, and what the generator makes of it is not known, or is no text: `parallax show %s` shows it", b.ID, b.ID))
				continue
			}
			e, err := p.exporter(x.Format, taken.Shape)
			if err != nil {
				return notes, err
			}
			if shown++; shown > 1 {
				fmt.Fprintln(w)
			}
			if err := p.finding(w, e, b); err != nil {
				return notes, err
			}
		}
		if shown > before && p.fuzz == "" && x.Format == corpus.Go {
			if err := p.printReaders(w); err != nil {
				return notes, err
			}
		}
		if len(p.buckets) == 0 && !x.Corpus {
			without = append(without, p.past.Shown())
		}
		if x.Corpus && p.past.draws() {
			notes = append(notes, fmt.Sprintf("the corpus of %s is left out: it holds tapes of the choices of a generator, and not what is made of them. Another campaign with the generator takes them by --seeds %s", p.past.Shown(), shell.Word(p.past.folder.CorpusDir())))
		} else if x.Corpus {
			e, err := p.exporter(x.Format, p.past.Shape)
			if err != nil {
				return notes, err
			}
			more, err := p.corpus(w, e)
			notes = append(notes, more...)
			if err != nil {
				return notes, err
			}
		}
	}
	if n := len(without); n > 0 {
		where := without[0]
		if n > 1 {
			where = fmt.Sprintf("%d of %s", n, units.Count(len(parcels), "campaign", "campaigns"))
		}
		notes = append(notes, "no open findings in "+where+": nothing is exported (--all exports accepted findings, --corpus the corpus)")
	}
	return notes, nil
}

// passes reports whether a FuzzXxx passes on the input of a bucket: only a comparison of two
// versions shows the finding.
func (p *parcel) passes(b *findings.Group) bool {
	id := p.past.Config.Identity
	if p.fuzz == "" || id.Mode != subject.Regress {
		return false
	}
	at := b.Best.Failing()
	return at < 0 || b.Best.Programs[at].Name != id.Names()[0]
}

// draws reports whether inputs of the campaign are tapes of a generator that the user named.
func (p *Campaign) draws() bool { return p.Config.Options["generator"] != "" }

// exporter returns the exporter of a shape.
func (p *parcel) exporter(format corpus.Format, shape input.Shape) (*corpus.Exporter, error) {
	for _, e := range p.exporters {
		if e.shape.String() == shape.String() {
			return e.to, nil
		}
	}
	e, err := corpus.NewExporter(atomicfile.OS, p.dir, format, shape)
	if err != nil {
		var disk *atomicfile.Error
		if errors.As(err, &disk) {
			return nil, exit.Infra("%w", err)
		}
		return nil, exit.Usage("%s: %w", p.past.Config.Target, err)
	}
	p.exporters = append(p.exporters, shaped{shape, e})
	return e, nil
}

// shaped is an exporter of inputs with a shape.
type shaped struct {
	shape input.Shape
	to    *corpus.Exporter
}

// choose finds the campaigns and their findings.
func (x *Export) choose() (parcels []*parcel, notes []string, err error) {
	if len(x.Buckets) > 0 {
		parcels, err = x.named()
		return parcels, nil, err
	}
	pasts, problems, err := Open(x.Out)
	if err != nil {
		return nil, nil, err
	}
	for _, text := range problems {
		notes = append(notes, "left out: "+text)
	}
	for _, p := range pasts {
		s, err := p.Summary()
		if err != nil {
			return nil, nil, err
		}
		notes = append(notes, p.problems...)
		one := &parcel{past: p}
		for _, row := range s.Findings.Buckets { // in the order of the list
			if x.All || !findings.Closed(row) {
				one.buckets = append(one.buckets, p.bucket(row.ID))
			}
		}
		parcels = append(parcels, one)
	}
	return parcels, notes, nil
}

// named resolves the ids on the command line, which may belong to several campaigns.
func (x *Export) named() ([]*parcel, error) {
	var parcels []*parcel
	for _, id := range x.Buckets {
		past, id, err := Find(x.Out, id)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(parcels, func(p *parcel) bool { return p.past.folder.Dir() == past.folder.Dir() })
		if i < 0 {
			i = len(parcels)
			parcels = append(parcels, &parcel{past: past})
		}
		p := parcels[i]
		if b := p.past.bucket(id); b != nil && !slices.Contains(p.buckets, b) {
			p.buckets = append(p.buckets, b)
		}
	}
	return parcels, nil
}

// address sets the folder of each parcel. It omits parcels without a folder if others have one,
// with a note.
func (x *Export) address(parcels []*parcel, notes *[]string) ([]*parcel, error) {
	if x.To != "" {
		if len(parcels) > 1 {
			var names []string
			for _, p := range parcels {
				names = append(names, shell.Word(p.past.Shown()))
			}
			return nil, exit.Usage("one folder takes the inputs of one campaign: choose it with --campaign\n  %s", strings.Join(names, "\n  "))
		}
		parcels[0].dir = x.To
		return parcels, nil
	}
	var sent []*parcel
	var first error
	var reasons []error
	for _, p := range parcels {
		if x.Trust {
			p.past.Trust()
		}
		err := p.home()
		switch {
		case err == nil:
			sent = append(sent, p)
		case len(x.Buckets) > 0:
			return nil, err
		case len(p.buckets) > 0 || x.Corpus:
			*notes = append(*notes, "left out: "+err.Error())
			reasons = append(reasons, err)
		}
		if first == nil {
			first = err
		}
	}
	if len(sent) == 0 {
		*notes = nil
		if len(reasons) > 0 {
			first = exit.Usage("%w", errors.Join(reasons...))
		}
		return nil, first
	}
	return sent, nil
}

// home sets the parcel's folder to testdata/fuzz of the harness.
func (p *parcel) home() error {
	o := p.past.Config.Options
	fuzz, err := p.past.fuzz()
	if err != nil {
		return err
	}
	dir := o["package_dir"]
	if base, err := os.UserCacheDir(); err == nil && dir != "" {
		if rel, err := filepath.Rel(filepath.Join(base, "parallax"), dir); err == nil && filepath.IsLocal(rel) {
			return exit.Usage("%s ran on %s of a published module, which is no folder of yours: name one with --to", p.past.Shown(), fuzz)
		}
	}
	if o["harness"]+o["harnesses"]+o["config"] != "" {
		flags := "--to DIR"
		if p.past.Shape.Raw() {
			flags = "--format libfuzzer " + flags
		}
		return exit.Usage("%s ran on programs that are not Go tests and do not read testdata/fuzz: `parallax export --campaign %s %s` writes their inputs",
			p.past.Shown(), shell.Word(p.past.Shown()), flags)
	}
	if fuzz == "" || dir == "" {
		hint := "write its inputs elsewhere with --to DIR"
		if p.past.Shape.Raw() {
			hint += ", as plain files with --format libfuzzer"
		}
		return exit.Usage("%s compares functions and has no FuzzXxx that reads testdata/fuzz: `%s` writes one; or %s",
			p.past.Shown(), p.past.initCommand(), hint)
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.past.Config.Dir, dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return exit.Usage("%s ran on %s in %s, which is gone: choose another folder with --to", p.past.Shown(), fuzz, dir)
	}
	if whose := ownerOf(dir, o["package"]); whose != "" {
		return exit.Usage("%s belongs to %s, which all modules share: choose another folder with --to", dir, whose)
	}
	if err := p.past.Trusted(); err != nil {
		return exit.Usage("%w, or name another folder with --to", err)
	}
	p.fuzz, p.dir = fuzz, filepath.Join(dir, "testdata", "fuzz", fuzz)
	return nil
}

// initCommand returns the command that writes a FuzzXxx with the campaign's functions.
func (p *Campaign) initCommand() string {
	words := []string{"parallax", "init"}
	for _, f := range subject.SplitWords(p.Config.Options["functions"]) {
		words = append(words, shell.Word(f))
	}
	return strings.Join(words, " ")
}

// printReaders prints which commands read the files of findings outside of testdata/fuzz.
func (p *parcel) printReaders(w io.Writer) error {
	o := p.past.Config.Options
	name, err := p.past.fuzz()
	if err != nil {
		return err
	}
	by := "--seeds of parallax reads them"
	switch {
	case name != "":
		by = fmt.Sprintf("go test runs them in testdata/fuzz/%s of %s", name, escape.Text(o["package"]))
	case o["functions"] != "":
		by = fmt.Sprintf("go test runs them in testdata/fuzz/FuzzXxx next to the test that `%s` writes", escape.Text(p.past.initCommand()))
	}
	id := "ID"
	if len(p.buckets) == 1 {
		id = p.buckets[0].ID
	}
	_, err = fmt.Fprintf(w, "The format is go test fuzz v1: %s. `parallax show %s` says how to run it without parallax\n", by, id)
	return writing(err)
}

// ownerOf returns the owner of a package's folder that is not the user's. go test -fuzz refuses
// such folders too.
func ownerOf(dir, importPath string) string {
	for _, part := range strings.Split(filepath.ToSlash(dir), "/") {
		if _, version, ok := strings.Cut(part, "@v"); ok && strings.Count(version, ".") >= 2 {
			return "the module cache"
		}
	}
	if root, ok := strings.CutSuffix(dir, filepath.Join("/src", importPath)); ok {
		if _, err := os.Stat(filepath.Join(root, "src", "runtime", "proc.go")); err == nil {
			return "the Go installation"
		}
	}
	return ""
}

// finding exports the minimized input of a bucket, and prints the go test command that runs it.
func (p *parcel) finding(w io.Writer, e *corpus.Exporter, b *findings.Group) error {
	path, added, err := e.Write(b.Best.HarnessInput().Minimized, b.Kind, b.ID)
	if errors.Is(err, corpus.ErrEmpty) {
		_, err = fmt.Fprintf(w, "%s: %s on an empty input: left out, because AFL does not take empty inputs\n", b.ID, b.Kind)
		return writing(err)
	}
	if err != nil {
		return exporting(err)
	}
	dir, _ := os.Getwd()
	what := "Failing input"
	if p.passes(b) {
		what = "Input, on which go test passes,"
	}
	where := what + " written to"
	if !added {
		where = what + " is already in"
	}
	fmt.Fprintf(w, "%s: %s on %s\n%s %s\n", b.ID, b.Kind, b.Best.Quote(120), where, finding.Relative(dir, path))
	if p.fuzz == "" {
		return nil
	}
	o := p.past.Config.Options
	flags := ""
	if o["tags"] != "" {
		flags += "-tags " + shell.Word(o["tags"]) + " "
	}
	if b.Kind == "timeout" { // go test would wait ten minutes
		flags += "-timeout 60s "
	}
	_, err = fmt.Fprintf(w, "To re-run:\ngo test %s-run=%s/%s %s\n", flags, p.fuzz, filepath.Base(path), shell.Word(o["package"]))
	return writing(err)
}

// corpus exports the inputs of the corpus.
func (p *parcel) corpus(w io.Writer, e *corpus.Exporter) (notes []string, err error) {
	store, err := corpus.OpenExisting(p.past.folder.FS(), p.past.folder.CorpusDir(), p.past.Shape)
	if errors.Is(err, fs.ErrNotExist) {
		return []string{p.past.Shown() + " has no corpus"}, nil
	}
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	entries, problems, err := store.Load()
	if err != nil {
		return nil, exit.Infra("%w", err)
	}
	written, there := 0, 0
	for _, in := range entries {
		_, added, err := e.Write(in.Flat, "", in.Hash)
		switch {
		case errors.Is(err, corpus.ErrEmpty):
			problems = append(problems, "the empty input of the corpus is left out: AFL does not take empty inputs")
		case err != nil:
			return problems, exporting(err)
		case added:
			written++
		default:
			there++
		}
	}
	dir, _ := os.Getwd()
	_, err = fmt.Fprintf(w, "Corpus written to %s: %d inputs, %d of them were already there\n", finding.Relative(dir, e.Dir()), written, there)
	return problems, writing(err)
}

func writing(err error) error {
	return exit.Doing("writing", err)
}

func exporting(err error) error {
	var taken *corpus.TakenError
	if errors.As(err, &taken) {
		return exit.Usage("%w", err)
	}
	return exit.Infra("exporting: %w", err)
}
