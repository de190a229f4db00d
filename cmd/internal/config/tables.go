package config

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/funcname"
	"parallax/cmd/internal/normalise"
	"parallax/cmd/internal/program"
	"parallax/internal/judge"
	"parallax/internal/mutate"
)

// Defaults and limits of what can be asked for. The limits of inputs and programs are those of package campaign.
const (
	defaultMaxBytes = 4096
	maxMaxBytes     = 1 << 20
	minPrograms     = 2
	maxPrograms     = 48
	acceptedName    = "parallax-accepted.toml"
)

// file reads the whole file.
func (r *reader) file(t *table, path string) *File {
	f := &File{Path: path, Dir: r.dir}
	f.Name = r.targetName(t, path)
	if k := t.find("repair"); k != nil {
		f.Repair = r.external("repair", k.value)
	}
	r.input(t.open("input", "[input]"), f)
	r.environment(t.open("environment", "[environment]"), f)
	limits := t.open("limits", "[limits]")
	f.Limits = limits.limits(defaultLimits, limitKeys)
	limits.finish()
	r.programs(t.each("program", "[[program]]"), t, f)
	r.compare(t.open("compare", "[compare]"), f)
	for _, c := range t.each("control", "[[control]]") {
		r.control(c, f)
	}
	t.finish()
	return f
}

// nameForm keeps the target's name usable as a folder.
var nameForm = regexp.MustCompile(`^[\pL\pN_][-\pL\pN_.+]{0,59}$`)

// targetName is the target's name: given, or the folder's for a file that is called as usual, or the file's.
func (r *reader) targetName(t *table, path string) string {
	if t.has("name") {
		name := t.text("name")
		if name != "" && !nameForm.MatchString(name) {
			t.bad(t.where("name"), "name = %q: the target's name becomes a folder's: letters, digits, _, and not at its beginning -, . and +; at most 60 characters", name)
		}
		return name
	}
	t.known = append(t.known, "name")
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

func (r *reader) input(t *table, f *File) {
	for _, i := range t.items("seeds", true) {
		if t.plain("seeds", &node{text: i.text, at: i.at}) && r.exists("seeds", i.text, i.at) != nil {
			f.Input.Seeds = append(f.Input.Seeds, r.path(i.text))
		}
	}
	if name := t.text("dictionary"); name != "" {
		at := t.where("dictionary")
		f.Input.Dictionary = r.path(name)
		if text, ok := r.read("dictionary", name, at); ok {
			if _, err := mutate.ParseDictionary(text); err != nil {
				r.bad(at, "%s: %v", name, err)
			}
		}
	}
	f.Input.MaxBytes = defaultMaxBytes
	if n, ok := t.size("max_bytes", 1, maxMaxBytes, false); ok {
		f.Input.MaxBytes = int(n)
	}
	t.finish()
}

// read returns the content of a file that must be there.
func (r *reader) read(name, written string, at Position) ([]byte, bool) {
	info := r.exists(name, written, at)
	if info == nil {
		return nil, false
	}
	if !info.Mode().IsRegular() {
		r.bad(at, "%s: %s is no regular file", name, written)
		return nil, false
	}
	data, err := r.disk.ReadFile(r.path(written))
	if err != nil {
		r.bad(at, "%s: %s", name, reason(err, written))
		return nil, false
	}
	return data, true
}

var defaultLimits = program.Limits{
	Timeout:   2 * time.Second,
	Memory:    1 << 30,
	FileSize:  64 << 20,
	Processes: 64,
	Output:    1 << 20,
}

// limitKeys are the keys of limits in their order.
var limitKeys = []string{"timeout", "memory", "file_size", "processes", "output", "network"}

const (
	minTimeout   = 10 * time.Millisecond
	maxTimeout   = time.Hour
	minMemory    = 1 << 20
	minGoMemory  = 64 << 20 // of a worker: package campaign
	maxSize      = 1 << 50
	maxProcesses = 100_000
	maxOutput    = 1 << 30 // it is held in memory
)

// limits reads those keys of limits that the table may have; what it has not is as before.
func (t *table) limits(l program.Limits, keys []string) program.Limits {
	may := func(name string) bool { return slices.Contains(keys, name) }
	if may("timeout") {
		if v, ok := t.span("timeout", minTimeout, maxTimeout); ok {
			l.Timeout = v
		}
	}
	if may("memory") {
		if v, ok := t.size("memory", minMemory, maxSize, true); ok {
			l.Memory = v
		}
	}
	if may("file_size") {
		if v, ok := t.size("file_size", 1, maxSize, true); ok {
			l.FileSize = v
		}
	}
	if may("processes") {
		if v, ok := t.whole("processes", 0, maxProcesses); ok {
			l.Processes = int(v)
		}
	}
	if may("output") {
		if v, ok := t.size("output", 1, maxOutput, false); ok {
			l.Output = int(v)
		}
	}
	if may("network") && t.has("network") {
		l.Network = t.flag("network")
	} else if may("network") {
		t.known = append(t.known, "network")
	}
	return l
}

// variableForm is what shells and programs take for the name of a variable; the first character is all that exec minds.
var variableForm = regexp.MustCompile(`^[^=\x00\s]+$`)

func (r *reader) environment(t *table, f *File) {
	e := &f.Environment
	if k := t.find("clock"); k != nil {
		clock, err := time.Parse(time.RFC3339, strings.Replace(strings.ToUpper(k.value.text), " ", "T", 1))
		switch {
		case k.value.form != timeForm && k.value.form != textForm || err != nil:
			t.bad(k.value.at, "clock is a time with a zone, as in clock = %s", examples[timeForm])
		case clock.Unix() < 0:
			t.bad(k.value.at, "clock = %s: choose a time from 1970 on", k.value.text)
		default:
			e.Clock = clock.UTC()
		}
	}
	e.Inherit = DefaultInherit
	if t.has("inherit") {
		e.Inherit = []string{}
	}
	for _, i := range t.items("inherit", false) {
		if !variableForm.MatchString(i.text) {
			t.bad(i.at, "inherit: %q is no name of a variable", i.text)
			continue
		}
		e.Inherit = append(e.Inherit, i.text)
	}
	e.Set = t.variables("set")
	t.finish()
}

// variables reads a table of environment variables.
func (t *table) variables(name string) map[string]string {
	var all map[string]string
	for _, p := range t.pairs(name) {
		switch {
		case !variableForm.MatchString(p.key.text):
			t.bad(p.key.at, "%s: %q is no name of a variable", name, p.key.text)
		case strings.ContainsRune(p.value.text, 0):
			t.bad(p.value.at, "%s.%s has a NUL character, which no variable can have", name, p.key.text)
		default:
			if all == nil {
				all = map[string]string{}
			}
			all[p.key.text] = p.value.text
		}
	}
	return all
}

func (r *reader) compare(t *table, f *File) {
	c := &f.Compare
	c.Layers, c.LayersGiven = judge.VerdictLayer|judge.ValueLayer, t.has("layers")
	if c.LayersGiven {
		c.Layers = 0
	}
	for _, i := range t.items("layers", true) {
		l, err := judge.ParseLayers([]string{i.text})
		if err != nil {
			t.bad(i.at, "layers: %v%s", err, meant(i.text, []string{"verdict", "value", "class"}))
		}
		c.Layers |= l
	}
	if t.hollow("layers") {
		t.bad(t.where("layers"), "layers is empty, so that nothing would be compared: name verdict, value, class or several of them")
	}
	c.Accepted = filepath.Join(r.dir, acceptedName)
	if name := t.text("accepted"); name != "" {
		c.Accepted = r.path(name)
		// The file is made when the first difference is accepted; its folder is not.
		if info, err := r.disk.Stat(filepath.Dir(c.Accepted)); err != nil || !info.IsDir() {
			r.bad(t.where("accepted"), "accepted: there is no folder %s", filepath.Dir(c.Accepted))
		}
	}
	c.Normalise = t.steps("normalise")
	for _, one := range t.each("class", "[[compare.class]]") {
		r.class(one, f)
	}
	t.finish()
}

func (r *reader) class(t *table, f *File) {
	c := Class{At: t.at(), Name: t.text("name")}
	if !t.has("name") {
		t.bad(t.at(), "[[compare.class]] has no name")
	}
	for _, i := range t.items("match", true) {
		re, err := regexp.Compile(i.text)
		if err != nil {
			t.bad(i.at, "match: %s", oneLine(err.Error()))
			continue
		}
		c.Match = append(c.Match, re)
	}
	if !t.has("match") || t.hollow("match") {
		t.bad(t.at(), `[[compare.class]] has nothing to match: write match = ["unexpected end", "EOF"]`)
	}
	c.Programs = r.members(t, f)
	t.finish()
	f.Compare.Classes = append(f.Compare.Classes, c)
}

// members reads the names of some of the target's programs.
func (r *reader) members(t *table, f *File) []string {
	var names, all []string
	for _, p := range f.Programs {
		names = append(names, p.Name)
	}
	for _, i := range t.items("programs", true) {
		switch {
		case !slices.Contains(names, i.text):
			t.bad(i.at, "there is no program %q: the programs are %s%s", i.text, strings.Join(names, ", "), meant(i.text, names))
		case slices.Contains(all, i.text):
			t.bad(i.at, "programs names %q twice", i.text)
		default:
			all = append(all, i.text)
		}
	}
	if t.hollow("programs") {
		t.bad(t.where("programs"), "programs is empty: leave it away for every program")
	}
	return all
}

func (r *reader) control(t *table, f *File) {
	c := Control{At: t.at()}
	switch name := t.text("input"); {
	case t.has("input") && t.has("text"):
		t.bad(t.at(), "[[control]] has input and text: keep the one that holds the input")
	case name != "":
		c.Path = r.path(name)
		c.Input, _ = r.read("input", name, t.where("input"))
	case !t.has("input") && !t.has("text"):
		t.bad(t.at(), `[[control]] has no input: name a file by input, or write text = "..."`)
	}
	if k := t.take("text", textForm); k != nil { // it may be empty: an empty input is an input
		c.Input = []byte(k.value.text)
	}
	if len(c.Input) > f.Input.MaxBytes {
		t.bad(t.at(), "[[control]] has an input of %d bytes, and max_bytes in [input] is %d: raise that, or choose another", len(c.Input), f.Input.MaxBytes)
	}
	expect := []string{judge.Accepted.String(), judge.Rejected.String(), judge.Declined.String()}
	if word := t.word("expect", expect...); word != "" {
		c.Expect, _ = judge.ParseOutcome(word)
	} else if !t.has("expect") {
		t.bad(t.at(), "[[control]] expects nothing: write expect = \"accepted\", or rejected or declined")
	}
	c.Programs = r.members(t, f)
	if k := t.take("value", textForm); k != nil {
		c.HasValue, c.Value = true, []byte(k.value.text)
		if c.Expect != judge.Accepted && c.Expect != 0 {
			t.bad(k.value.at, "value belongs to expect = \"accepted\": an input that is %v has none", c.Expect)
		}
	}
	t.finish()
	f.Controls = append(f.Controls, c)
}

// steps reads normalisers.
func (t *table) steps(name string) []Step {
	k := t.find(name)
	if k == nil {
		return nil
	}
	if k.value.form != arrayForm {
		t.bad(k.value.at, `%s is a list, and here is %s: write %s = ["json", "space"]`, name, k.value.form, name)
		return nil
	}
	var all []Step
	for _, n := range k.value.elems {
		switch n.form {
		case textForm:
			if !normalise.Known(n.text) {
				t.bad(n.at, "there is no normaliser %q%s", n.text, hint(n.text, normalise.Names))
				continue
			}
			all = append(all, Step{Builtin: n.text, At: n.at})
		case tableForm:
			if s, ok := t.step(name, n); ok {
				all = append(all, s)
			}
		default:
			t.bad(n.at, `%s: %s is no normaliser: write a name like "json", or a table with replace and with, go, or command`, name, n.form)
		}
	}
	return all
}

func (t *table) step(name string, n *node) (Step, bool) {
	if n.get("replace") == nil {
		inner := &table{reader: t.reader, node: n, name: name}
		if n.get("go") == nil && n.get("command") == nil {
			inner.known = []string{"replace", "with", "go", "command"}
			inner.finish()
			t.bad(n.at, "a normaliser in %s says nothing: it has replace and with, or go, or command", name)
			return Step{}, false
		}
		e := t.external(name, n)
		return Step{External: e, At: n.at}, e != nil
	}
	inner := &table{reader: t.reader, node: n, name: "a replacement in " + name}
	s := Step{At: n.at}
	if k := inner.take("replace", textForm); k != nil {
		re, err := regexp.Compile(k.value.text)
		if err != nil {
			t.bad(k.value.at, "replace: %s", oneLine(err.Error()))
		}
		s.Replace = re
	}
	if k := inner.take("with", textForm); k != nil {
		s.With = k.value.text
	} else if !inner.has("with") {
		t.bad(n.at, `replace has no with: write { replace = '...', with = "" } to remove what matches`)
	}
	inner.finish()
	return s, s.Replace != nil
}

// external reads a Go function or a command: text is the function alone.
func (r *reader) external(name string, n *node) *External {
	e := &External{At: n.at}
	switch n.form {
	case textForm:
		e.Go = n.text
	case tableForm:
		t := &table{reader: r, node: n, name: name}
		e.Go, e.Command = t.text("go"), t.command("command")
		t.noPlace("command", e.Command, "it reads what it normalises or repairs on standard input")
		if t.has("go") == t.has("command") {
			r.bad(n.at, `%s is either a Go function or a command: write { go = "./pkg.Func" } or { command = ["...", "..."] }`, name)
		}
		t.finish()
		if e.Go == "" {
			if len(e.Command) == 0 {
				return nil
			}
			return e
		}
	default:
		r.bad(n.at, `%s is a Go function or a command, and here is %s: write "./pkg.Func" or { command = ["...", "..."] }`, name, n.form)
		return nil
	}
	if _, err := funcname.Parse(e.Go); err != nil {
		r.bad(n.at, "%s: %s", name, oneLine(err.Error()))
		return nil
	}
	return e
}

// String is the step as it may stand in the file.
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
