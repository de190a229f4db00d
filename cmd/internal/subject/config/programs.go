package config

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/program"
)

// keysOfAll lists the keys that programs of all kinds have. The table of kinds lists the others,
// which the package of each kind reads.
var keysOfAll = []string{"name", "kind", "dir", "normalize"}

func (r *reader) programs(all []*tomldoc.Table, file *tomldoc.Table, f *File) {
	for _, t := range all {
		p := Program{At: t.Position(), Common: program.Common{Dir: r.Dir, Limits: f.Limits}}
		r.program(t, &p)
		f.Programs = append(f.Programs, p)
	}
	switch n := len(f.Programs); {
	case n == 0 && f.Regress != nil && !file.Has("program"): // two versions of one program are compared
	case n == 0 && file.IsTable("program"): // reported already
	case n < minPrograms:
		what := [...]string{"there is no [[program]]", "there is one [[program]]"}[n]
		file.Reportf(file.ValuePosition("program"), "%s: a comparison needs two programs or more", what)
	case n > maxPrograms:
		file.Reportf(f.Programs[maxPrograms].At, "there are %d programs: at most %d in one target", n, maxPrograms)
		f.Programs = f.Programs[:maxPrograms]
	}
	r.names(f)
}

func (r *reader) program(t *tomldoc.Table, p *Program) {
	kind := r.kind(t)
	p.Name = t.Text("name")
	if p.Name != "" {
		if why := unusable(p.Name); why != "" {
			t.Reportf(t.ValuePosition("name"), "name = %q: %s", p.Name, why)
		}
	}
	if dir := t.Text("dir"); dir != "" {
		p.Dir = r.Path(dir)
		if info := r.Exists("dir", dir, t.ValuePosition("dir")); info != nil && !info.IsDir() {
			t.Reportf(t.ValuePosition("dir"), "dir: %s is not a folder", dir)
		}
	}
	p.Normalize = steps(t, "normalize")
	if kind == nil { // the other keys depend on the kind
		return
	}
	p.Kind = kind.Name
	r.reportForeign(t, kind)
	p.Limits = p.Limits.Read(t, kind.Keys)
	p.Settings = kind.Parse(t, &p.Common)
	t.ReportUnknown()
}

// kind reads the kind. Nil means a missing or unknown one.
func (r *reader) kind(t *tomldoc.Table) *program.Kind {
	k, names := t.FindForm("kind", tomldoc.TextForm), r.kinds.Names()
	switch {
	case k == nil && t.Has("kind"): // reported already
		return nil
	case k == nil:
		guess := ""
		if g := r.guess(t); g != nil {
			guess = fmt.Sprintf(" (for a %s: kind = %q)", g.Mark, g.Name)
		}
		t.Reportf(t.Position(), "[[program]] has no kind: %s%s", tomldoc.Alternatives(names), guess)
		return nil
	case !slices.Contains(names, k.Value.Text):
		t.Reportf(k.Value.At, "there is no kind %q: choose %s%s", k.Value.Text, tomldoc.Alternatives(names), tomldoc.DidYouMean(k.Value.Text, names))
		return nil
	}
	return r.kinds.Find(k.Value.Text)
}

// guess returns the likely kind of a program by its keys. A key of only one kind counts first.
func (r *reader) guess(t *tomldoc.Table) *program.Kind {
	for _, shared := range []bool{false, true} {
		for i := range r.kinds {
			k := &r.kinds[i]
			if k.Mark != "" && t.Has(k.Mark) && (len(r.kindsWith(k.Mark)) > 1) == shared {
				return k
			}
		}
	}
	return nil
}

// kindsWith returns the kinds that have a key.
func (r *reader) kindsWith(key string) (names []string) {
	for i := range r.kinds {
		if slices.Contains(r.kinds[i].Keys, key) {
			names = append(names, r.kinds[i].Name)
		}
	}
	return names
}

// reportForeign reports keys that only other kinds have.
func (r *reader) reportForeign(t *tomldoc.Table, kind *program.Kind) {
	for _, k := range t.Keys() {
		if slices.Contains(kind.Keys, k.Name) || slices.Contains(keysOfAll, k.Name) {
			continue
		}
		others := r.kindsWith(k.Name)
		if len(others) == 0 {
			continue
		}
		t.Accept(k.Name)
		why := ""
		if instead := kind.Instead[k.Name]; instead != "" {
			why = ": " + instead
		}
		t.Reportf(k.At, "%s is not a key of kind %s, but of %s%s", k.Name, kind.Name, tomldoc.Alternatives(others), why)
	}
}
