package config

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/normalize"
	"parallax/internal/grammar"
	"parallax/internal/mutate"
	"parallax/internal/oracle"
)

// Defaults and limits of keys. The limits of inputs and programs are those of package campaign.
const (
	defaultMaxBytes = 4096
	maxMaxBytes     = 1 << 20
	minPrograms     = 2
	maxPrograms     = 48
	acceptedName    = "parallax-accepted.toml"
)

// file reads the whole file.
func (r *reader) file(t *tomldoc.Table, path string) *File {
	f := &File{Path: path, Dir: r.Dir}
	f.Name = r.targetName(t, path)
	if k := t.Find("repair"); k != nil {
		f.Repair = external(r.Reader, "repair", k.Value)
	}
	r.input(t.Open("input", "[input]"), f)
	r.environment(t.Open("environment", "[environment]"), f)
	table := t.Open("limits", "[limits]")
	f.Limits = defaultLimits.Read(table, limits.Keys)
	table.ReportUnknown()
	r.regress(t, f)
	r.programs(t.Tables("program", "[[program]]"), t, f)
	r.compare(t.Open("compare", "[compare]"), f)
	for _, c := range t.Tables("control", "[[control]]") {
		r.control(c, f)
	}
	t.ReportUnknown()
	return f
}

// fitName reports whether a target's name is usable as a folder's. It uses no regular expression:
// compiling one takes a millisecond in each process of parallax.
func fitName(name string) bool {
	for i, r := range name {
		plain := r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_')
		if !plain && (i == 0 || r != '-' && r != '.' && r != '+') {
			return false
		}
	}
	n := utf8.RuneCountInString(name)
	return 0 < n && n <= 60
}

// targetName returns the target's name: that of the key, of the folder of a parallax.toml, or of
// the file.
func (r *reader) targetName(t *tomldoc.Table, path string) string {
	if t.Has("name") {
		name := t.Text("name")
		if name != "" && !fitName(name) {
			t.Reportf(t.ValuePosition("name"), "name = %q: the target's name is also the name of a folder: use letters, digits, _, and after the first character also -, . and +; at most 60 characters", name)
		}
		return name
	}
	t.Accept("name")
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if filepath.Base(path) == FileName {
		name = filepath.Base(filepath.Dir(path))
	}
	name = strings.TrimLeft(regexp.MustCompile(`[^-\pL\pN_.+]+`).ReplaceAllString(name, "-"), "-.+")
	if runes := []rune(name); len(runes) > 60 {
		name = string(runes[:60])
	}
	if name == "" {
		return "target"
	}
	return name
}

func (r *reader) input(t *tomldoc.Table, f *File) {
	for _, i := range t.Items("seeds", true) {
		if t.CheckText("seeds", i) && r.Exists("seeds", i.Text, i.At) != nil {
			f.Input.Seeds = append(f.Input.Seeds, r.Path(i.Text))
		}
	}
	if name := t.Text("dictionary"); name != "" {
		at := t.ValuePosition("dictionary")
		f.Input.Dictionary = r.Path(name)
		if text, ok := r.Read("dictionary", name, at); ok {
			if _, err := mutate.ParseDictionary(text); err != nil {
				r.Reportf(at, "%s: %v", name, err)
			}
		}
	}
	if name := t.Text("grammar"); name != "" {
		at := t.ValuePosition("grammar")
		f.Input.Grammar = r.Path(name)
		if text, ok := r.Read("grammar", name, at); ok {
			if _, err := grammar.Parse(name, string(text)); err != nil {
				r.Reportf(at, "%v", err)
			}
		}
	}
	if k := t.FindForm("generator", tomldoc.TextForm); k != nil {
		f.Input.Generator, f.Input.Drawn = k.Value.Text, k.Value.At
		switch _, err := funcname.Parse(k.Value.Text); {
		case err != nil:
			r.Reportf(k.Value.At, "generator: %s", tomldoc.OneLine(err.Error()))
		case f.Input.Grammar != "":
			r.Reportf(k.Value.At, "[input] has a grammar and a generator: keep the one that inputs are to be made of, or draw from gen.Grammar in the generator")
		case f.Repair != nil:
			r.Reportf(k.Value.At, "there is a generator, and repair: a generator makes the input itself. Repair it there, and leave repair out")
		}
	}
	f.Input.MaxBytes = defaultMaxBytes
	if n, ok := t.Size("max_bytes", 1, maxMaxBytes, false); ok {
		f.Input.MaxBytes, f.Input.Limited = int(n), true
	}
	t.ReportUnknown()
}

var defaultLimits = limits.Limits{
	Timeout:   2 * time.Second,
	Memory:    1 << 30,
	FileSize:  64 << 20,
	Processes: 64,
	Output:    1 << 20,
}

func (r *reader) environment(t *tomldoc.Table, f *File) {
	e := &f.Environment
	if k := t.Find("clock"); k != nil {
		clock, err := time.Parse(time.RFC3339, strings.Replace(strings.ToUpper(k.Value.Text), " ", "T", 1))
		switch {
		case k.Value.Form != tomldoc.TimeForm && k.Value.Form != tomldoc.TextForm || err != nil:
			t.Reportf(k.Value.At, "clock is a time with a zone, as in clock = %s", tomldoc.Examples[tomldoc.TimeForm])
		case clock.Unix() < 0:
			t.Reportf(k.Value.At, "clock = %s: choose a time from 1970 on", k.Value.Text)
		default:
			e.Clock = clock.UTC()
		}
	}
	e.Inherit = DefaultInherit
	if t.Has("inherit") {
		e.Inherit = []string{}
	}
	for _, i := range t.Items("inherit", false) {
		if !program.VariableForm().MatchString(i.Text) {
			t.Reportf(i.At, "inherit: %q is not the name of a variable", i.Text)
			continue
		}
		e.Inherit = append(e.Inherit, i.Text)
	}
	e.Set = program.Variables(t, "set")
	t.ReportUnknown()
}

func (r *reader) compare(t *tomldoc.Table, f *File) {
	c := &f.Compare
	c.Layers, c.LayersGiven = oracle.VerdictLayer|oracle.ValueLayer, t.Has("layers")
	if c.LayersGiven {
		c.Layers = 0
	}
	for _, i := range t.Items("layers", true) {
		l, err := oracle.ParseLayers([]string{i.Text})
		if err != nil {
			t.Reportf(i.At, "layers: %v%s", err, tomldoc.DidYouMean(i.Text, []string{"verdict", "value", "class"}))
		}
		c.Layers |= l
	}
	if t.IsEmptyList("layers") {
		t.Reportf(t.ValuePosition("layers"), "layers is empty, so nothing would be compared: name one or more of verdict, value and class")
	}
	c.Accepted = filepath.Join(r.Dir, acceptedName)
	if name := t.Text("accepted"); name != "" {
		c.Accepted = r.Path(name)
		// The first accepted difference creates the file, but not its folder.
		if info, err := r.Disk.Stat(filepath.Dir(c.Accepted)); err != nil || !info.IsDir() {
			r.Reportf(t.ValuePosition("accepted"), "accepted: there is no folder %s", filepath.Dir(c.Accepted))
		}
	}
	c.Normalize = steps(t, "normalize")
	for _, one := range t.Tables("class", "[[compare.class]]") {
		r.class(one, f)
	}
	t.ReportUnknown()
}

func (r *reader) class(t *tomldoc.Table, f *File) {
	c := Class{Name: t.Text("name")}
	if !t.Has("name") {
		t.Reportf(t.Position(), "[[compare.class]] has no name")
	}
	for _, i := range t.Items("match", true) {
		re, err := regexp.Compile(i.Text)
		if err != nil {
			t.Reportf(i.At, "match: %s", tomldoc.OneLine(err.Error()))
			continue
		}
		c.Match = append(c.Match, re)
	}
	if !t.Has("match") || t.IsEmptyList("match") {
		t.Reportf(t.Position(), `[[compare.class]] has nothing to match: write match = ["unexpected end", "EOF"]`)
	}
	c.Programs = r.programNames(t, f)
	t.ReportUnknown()
	f.Compare.Classes = append(f.Compare.Classes, c)
}

// programNames reads a list of programs of the target.
func (r *reader) programNames(t *tomldoc.Table, f *File) []string {
	var all []string
	names := f.programNames()
	for _, i := range t.Items("programs", true) {
		switch {
		case !slices.Contains(names, i.Text):
			t.Reportf(i.At, "there is no program %q: the programs are %s%s", i.Text, strings.Join(names, ", "), tomldoc.DidYouMean(i.Text, names))
		case slices.Contains(all, i.Text):
			t.Reportf(i.At, "programs names %q twice", i.Text)
		default:
			all = append(all, i.Text)
		}
	}
	if t.IsEmptyList("programs") {
		t.Reportf(t.ValuePosition("programs"), "programs is empty: remove it for every program")
	}
	return all
}

func (r *reader) control(t *tomldoc.Table, f *File) {
	c := Control{At: t.Position()}
	switch name := t.Text("input"); {
	case t.Has("input") && t.Has("text"):
		t.Reportf(t.Position(), "[[control]] has input and text: keep the one that holds the input")
	case name != "":
		c.Path = r.Path(name)
		c.Input, _ = r.Read("input", name, t.ValuePosition("input"))
	case !t.Has("input") && !t.Has("text"):
		t.Reportf(t.Position(), `[[control]] has no input: name a file by input, or write text = "..."`)
	}
	if k := t.FindForm("text", tomldoc.TextForm); k != nil { // the text may be empty: an empty input is an input
		c.Input = []byte(k.Value.Text)
	}
	if len(c.Input) > f.Input.MaxBytes {
		t.Reportf(t.Position(), "[[control]] has an input of %d bytes, and max_bytes in [input] is %d: raise max_bytes, or choose a smaller input", len(c.Input), f.Input.MaxBytes)
	}
	expect := []string{oracle.Accepted.String(), oracle.Rejected.String(), oracle.Declined.String()}
	if word := t.OneOf("expect", expect...); word != "" {
		c.Expect, _ = oracle.ParseOutcome(word)
	} else if !t.Has("expect") {
		t.Reportf(t.Position(), "[[control]] has no expect: write expect = \"accepted\", \"rejected\" or \"declined\"")
	}
	c.Programs = r.programNames(t, f)
	if k := t.FindForm("value", tomldoc.TextForm); k != nil {
		c.HasValue, c.Value = true, []byte(k.Value.Text)
		if c.Expect != oracle.Accepted && c.Expect != 0 {
			t.Reportf(k.Value.At, "value belongs to expect = \"accepted\": an input that is %v has none", c.Expect)
		}
	}
	t.ReportUnknown()
	f.Controls = append(f.Controls, c)
}

// steps reads normalizers.
func steps(t *tomldoc.Table, name string) []Step {
	k := t.Find(name)
	if k == nil {
		return nil
	}
	if k.Value.Form != tomldoc.ArrayForm {
		t.Reportf(k.Value.At, `%s is a list, and here is %s: write %s = ["json", "space"]`, name, k.Value.Form, name)
		return nil
	}
	var all []Step
	for _, n := range k.Value.Elems {
		switch n.Form {
		case tomldoc.TextForm:
			if !normalize.Known(n.Text) {
				t.Reportf(n.At, "there is no normalizer %q%s", n.Text, tomldoc.Hint(n.Text, normalize.Names))
				continue
			}
			all = append(all, Step{Builtin: n.Text})
		case tomldoc.TableForm:
			if s, ok := step(t, name, n); ok {
				all = append(all, s)
			}
		default:
			t.Reportf(n.At, `%s: %s is no normalizer: write a name like "json", or a table with replace and with, go, or command`, name, n.Form)
		}
	}
	return all
}

func step(t *tomldoc.Table, name string, n *tomldoc.Node) (Step, bool) {
	if n.Get("replace") == nil {
		inner := tomldoc.NewTable(t.Reader, n, name)
		if n.Get("go") == nil && n.Get("command") == nil {
			inner.Accept("replace", "with", "go", "command")
			inner.ReportUnknown()
			t.Reportf(n.At, "a normalizer in %s is empty: write replace and with, or go, or command", name)
			return Step{}, false
		}
		e := external(t.Reader, name, n)
		return Step{External: e}, e != nil
	}
	inner := tomldoc.NewTable(t.Reader, n, "a replacement in "+name)
	var s Step
	if k := inner.FindForm("replace", tomldoc.TextForm); k != nil {
		re, err := regexp.Compile(k.Value.Text)
		if err != nil {
			t.Reportf(k.Value.At, "replace: %s", tomldoc.OneLine(err.Error()))
		}
		s.Replace = re
	}
	if k := inner.FindForm("with", tomldoc.TextForm); k != nil {
		s.With = k.Value.Text
	} else if !inner.Has("with") {
		t.Reportf(n.At, `replace has no with: write { replace = '...', with = "" } to remove what matches`)
	}
	inner.ReportUnknown()
	return s, s.Replace != nil
}

// external reads a Go function or a command. A plain text is a function.
func external(r *tomldoc.Reader, name string, n *tomldoc.Node) *External {
	e := &External{At: n.At}
	switch n.Form {
	case tomldoc.TextForm:
		e.Go = n.Text
	case tomldoc.TableForm:
		t := tomldoc.NewTable(r, n, name)
		e.Go, e.Command = t.Text("go"), t.Command("command")
		program.NoPlace(t, "command", e.Command, "it reads what it normalizes or repairs on standard input")
		if t.Has("go") == t.Has("command") {
			r.Reportf(n.At, `%s is either a Go function or a command: write { go = "./pkg.Func" } or { command = ["...", "..."] }`, name)
		}
		t.ReportUnknown()
		if e.Go == "" {
			if len(e.Command) == 0 {
				return nil
			}
			return e
		}
	default:
		r.Reportf(n.At, `%s is a Go function or a command, and here is %s: write "./pkg.Func" or { command = ["...", "..."] }`, name, n.Form)
		return nil
	}
	if _, err := funcname.Parse(e.Go); err != nil {
		r.Reportf(n.At, "%s: %s", name, tomldoc.OneLine(err.Error()))
		return nil
	}
	return e
}

// String returns the step as a value in the file.
func (s Step) String() string {
	switch {
	case s.Builtin != "":
		return s.Builtin
	case s.Replace != nil:
		return fmt.Sprintf("{ replace = %q, with = %q }", s.Replace, s.With)
	case s.External != nil && s.External.Go != "":
		return fmt.Sprintf("{ go = %q }", s.External.Go)
	case s.External != nil:
		return fmt.Sprintf("{ command = %q }", s.External.Command)
	}
	return ""
}
