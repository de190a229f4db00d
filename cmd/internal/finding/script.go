package finding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/base/spdx"
)

// ScriptFile is the name of the reproducer of programs that are not all Go functions of one build, in a finding's folder.
const ScriptFile = "reproducer.sh"

// A Script is what a reproducer in sh runs: programs of any kind, each as the campaign ran it.
type Script struct {
	// Steps are what values are brought into before they are compared, for people. With any, no shell can compare values.
	Steps    []string
	Programs []ScriptProgram
	// Home is the folder of the configuration. Its programs may be in another copy of it when the script runs. Empty means no configuration.
	Home string
	// Unseen is what the campaign compares beside verdicts and a script cannot see, for people; "": nothing.
	Unseen string
}

// A ScriptProgram is one of them.
type ScriptProgram struct {
	Name    string
	Kind    string // as in parallax.toml
	Timeout time.Duration
	Env     []Variable // all of its environment; of a Go function, it is the user's
	Dir     string     // where it runs; "": a folder of its own
	Runner  ScriptRunner
}

// A ScriptRunner is what runs a program, in the way of its kind.
type ScriptRunner interface {
	// Needs is what the script has for its programs.
	Needs() ScriptNeeds
	// Write writes how the program runs, and what its end means. Its last line calls told.
	Write(w *ScriptWriter) error
}

// ScriptNeeds is what not all scripts have.
type ScriptNeeds struct {
	Build     bool     // the function build: something comes before the program
	Port      bool     // the variable port: it starts a service
	Functions []string // functions of sh that the kind has itself
	Command   []string // runs the program: files among its words must be there
	Folders   []string // that the program is built from
}

// Reproducible is a program of which scripts can be made.
type Reproducible interface {
	// Reproducer is how the program runs on an input, which is a part of some command lines. environ says what a script has of an
	// environment. Name, kind and timeout come from who knows them.
	Reproducer(flat []byte, environ func(env []string) []Variable) ScriptProgram
}

// A Variable of the environment. What is Inherited is taken from who runs the script, and stands in no file.
type Variable struct {
	Name, Value string
	Inherited   bool
}

// ScriptFiles are reproducer.sh and the files that it needs, by path in the finding's folder. It runs the programs on the minimized
// input, compares verdicts, and values where a shell can.
func (f *Finding) ScriptFiles() (map[string][]byte, error) {
	w := &ScriptWriter{f: f, s: f.Script, files: map[string][]byte{}}
	for i := range f.Script.Programs {
		if err := w.program(i); err != nil {
			return nil, fmt.Errorf("finding %s: %s: %w", f.Bucket, f.Script.Programs[i].Name, err)
		}
	}
	w.end()
	programs := w.b.String()
	w.b.Reset()
	w.head()
	w.File(ScriptFile, []byte(w.b.String()+programs))
	return w.files, nil
}

// A ScriptWriter writes a script. Its fields are about the program that is being written.
type ScriptWriter struct {
	Program *ScriptProgram
	Limit   int    // seconds until it is killed
	Message string // what the campaign knows of how it failed; ""

	f     *Finding
	s     *Script
	moves bool // a word is relative to PROJECT
	b     strings.Builder
	files map[string][]byte
}

// Printf writes lines of the script.
func (w *ScriptWriter) Printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// sound reports whether what accepted or rejected programs say can be compared as it stands.
func (w *ScriptWriter) sound() bool {
	return w.f.Layer == "value" && len(w.s.Steps) == 0 && w.s.Unseen == ""
}

func (w *ScriptWriter) head() {
	var needs ScriptNeeds
	for _, p := range w.s.Programs {
		n := p.Runner.Needs()
		needs.Build, needs.Port = needs.Build || n.Build, needs.Port || n.Port
		needs.Functions = append(needs.Functions, n.Functions...)
	}
	w.Printf("#!/bin/sh\n# A finding of parallax: bucket %s of target %s.\n", escape.Text(w.f.Bucket), escape.Text(w.f.Target))
	w.Printf("#\n#\tsh reproducer.sh\n#\n# runs the programs on the file %q next to this script, without parallax.\n", w.input())
	w.b.WriteString(`# Exit status: 1 while the programs ` + w.f.disagreeing() + `, 0 when they do not, 2 when a program cannot be run`)
	if w.f.Layer == "value" && !w.sound() || w.f.Layer == "class" || w.f.Layer == CostLayer {
		w.b.WriteString(",\n# 3 when " + w.unjudged())
	}
	w.b.WriteString(`.
# Programs have slightly more time than in the campaign, and their own environment. The campaign's limits of memory, processes
# and network do not apply here.
`)
	w.needed()
	if needs.Port {
		w.b.WriteString("# PORT is the port of services that this script starts and ends.\n")
	}
	w.b.WriteString(scriptHead)
	w.ownFiles()
	w.b.WriteString(strings.Replace(scriptFunctions, "INPUT", w.input(), 1))
	if needs.Build || needs.Port {
		w.b.WriteString(scriptPrepare)
	}
	slices.Sort(needs.Functions) // whichever program is first
	for _, text := range slices.Compact(needs.Functions) {
		w.b.WriteString(text)
	}
	more, project := "", ""
	if w.moves {
		w.Printf(scriptProject, ShellText(w.s.Home))
		more, project = "project=%s ", ` "$(quoted "$project")"`
	}
	if needs.Port {
		w.b.WriteString("port=${PORT:-38417}\n")
		more += "port=38417 "
	}
	w.b.WriteString(strings.NewReplacer("INPUT", w.input(), "MORE", more, "PROJECT", project).Replace(scriptBegin))
}

// unjudged says what is left open.
func (w *ScriptWriter) unjudged() string {
	if w.f.Layer == CostLayer {
		return "the campaign compares how many blocks the versions execute and how much they allocate, which no script sees: outputs.json has both"
	}
	if w.s.Unseen != "" {
		return "the campaign compares " + w.s.Unseen + ", which no script sees: outputs.json has them"
	}
	if w.f.Layer == "class" {
		who := "they all reject with messages that differ"
		if !w.f.comparesVerdicts() {
			who = "those that reject have messages that differ"
		}
		return who + ": the campaign compares their classes"
	}
	return "raw values differ: the campaign compares them after " + strings.ReplaceAll(escape.Text(strings.Join(w.s.Steps, ", ")), "\n", " ")
}

// comparesVerdicts reports whether the campaign compares verdicts, or it is not known what it compares.
func (f *Finding) comparesVerdicts() bool {
	return len(f.Compare) == 0 || slices.Contains(f.Compare, "verdict")
}

func (f *Finding) disagreeing() string {
	verdicts := f.comparesVerdicts()
	switch {
	case f.Kind == "discrepancy" && f.Layer == "value" && verdicts:
		return "disagree"
	case f.Kind == "discrepancy" && f.Layer == "value":
		return "crash, hang or disagree in the value"
	case !verdicts:
		return "crash or hang"
	case f.Kind == "discrepancy" || f.Layer == CostLayer:
		return "disagree in the verdict"
	}
	return "crash, hang or disagree in the verdict"
}

func (w *ScriptWriter) end() {
	w.b.WriteString("\necho\n[ -z \"$unable\" ] || { echo \"Not all programs could be run.\"; exit 2; }\n")
	w.b.WriteString("[ -z \"$broken\" ] || { echo \"A program crashes or hangs.\"; exit 1; }\n")
	open, agree := "The verdicts agree, and "+w.unjudged()+".", "The programs agree."
	if w.f.Layer != "value" && w.f.Layer != "class" {
		agree = "The verdicts agree."
	}
	if w.f.comparesVerdicts() {
		w.b.WriteString("[ -z \"$differ\" ] || { echo \"The verdicts differ.\"; exit 1; }\n")
	} else {
		w.b.WriteString("[ -z \"$differ\" ] || echo \"The campaign does not compare the verdicts, which differ.\"\n")
		open = strings.ToUpper(w.unjudged()[:1]) + w.unjudged()[1:] + "."
		agree = cmp.Or(map[string]string{"value": "No values differ.", "class": "No messages of those that reject differ."}[w.f.Layer], "No program crashes or hangs.")
	}
	switch {
	case w.f.Layer == CostLayer, w.s.Unseen != "" && (w.f.Layer == "value" || w.f.Layer == "class"):
		w.Printf("echo %s\nexit 3\n", ShellText(open))
	case w.sound():
		w.Printf("[ -z \"$values\" ] || { echo \"The values differ.\"; exit 1; }\necho \"%s\"\n", agree)
	case w.f.Layer == "value" || w.f.Layer == "class":
		variable := map[string]string{"value": "values", "class": "messages"}[w.f.Layer]
		w.Printf("[ -z \"$%s\" ] || { echo %s; exit 3; }\necho \"%s\"\n", variable, ShellText(open), agree)
	default:
		w.Printf("echo \"%s\"\n", agree)
	}
}

// program writes one program: what is run, and what its end means.
func (w *ScriptWriter) program(i int) error {
	p := &w.s.Programs[i]
	seen := ""
	if i < len(w.f.Programs) {
		seen = w.f.Programs[i].Outcome
	}
	w.Printf("\n# %s\nprogram %s %s %s\n", strings.ReplaceAll(escape.Text(p.Name), "\n", " "), ShellText(p.Name), p.Kind, ShellText(Outcome(w.f.Kind, seen)))
	w.Program, w.Limit, w.Message = p, p.limit(seen), ""
	if i < len(w.f.Programs) {
		w.Message = w.f.Programs[i].Message
	}
	w.checkFiles(p)
	return p.Runner.Write(w)
}

// limit is the program's time in seconds. A slow machine is no difference, unless the finding is that it takes long.
func (p *ScriptProgram) limit(seen string) int {
	seconds := max(1, int(math.Ceil(p.Timeout.Seconds())))
	if seen != "timeout" {
		seconds *= 5
	}
	return seconds
}

// Folder goes to where the program runs, as the beginning of a line.
func (w *ScriptWriter) Folder() string {
	if w.Program.Dir == "" {
		return ""
	}
	return "cd " + w.Word(w.Program.Dir) + " &&\n"
}

// Size is how many bytes the input's file has.
func (w *ScriptWriter) Size() int { return len(w.f.Shape.Encode(w.f.Minimized)) }

// File puts a file beside the script. What is preprocessed of others' sources, or is a model, has no license of parallax: spdx knows no comments
// of such files.
func (w *ScriptWriter) File(name string, data []byte) { w.files[name] = spdx.Mark(name, data) }

// Run has a line run: what is shown is what is run, since it is one text.
func (w *ScriptWriter) Run(line string) { w.Prepare("run", line) }

// Prepare hands a line to a function of the script: build, or one of the kind.
func (w *ScriptWriter) Prepare(how, line string) {
	end := "END"
	for strings.Contains("\n"+line+"\n", "\n"+end+"\n") {
		end += "D"
	}
	w.Printf("%s <<'%s'\n%s\n%s\n", how, end, strings.TrimRight(line, "\n"), end)
}

// Environ is env with the program's variables, as the beginning of a command. Programs have a folder of their own for what
// looks for HOME and TMPDIR.
func (w *ScriptWriter) Environ() string {
	words := []string{"env -i"}
	has := map[string]bool{}
	for _, v := range w.Program.Env {
		has[v.Name] = true
		if v.Inherited {
			words = append(words, fmt.Sprintf(`${%s+"%s=$%s"}`, v.Name, v.Name, v.Name))
		} else {
			words = append(words, w.Word(v.Name+"="+v.Value))
		}
	}
	for _, name := range []string{"HOME", "TMPDIR"} {
		if !has[name] {
			words = append(words, name+`="$folder"`)
		}
	}
	return strings.Join(words, " ")
}

// ShellText is a word for sh that is any text but zero bytes. What a terminal could take for a command is written in octal.
func ShellText(s string) string {
	plain := utf8.ValidString(s)
	for _, r := range s {
		plain = plain && (unicode.IsPrint(r) || r == '\n' || r == '\t')
	}
	if plain {
		return shell.Word(s)
	}
	end := len(strings.TrimRight(s, "\n")) // which a substitution would drop
	var b strings.Builder
	b.WriteString(`"$(printf '`)
	for i := range end {
		fmt.Fprintf(&b, `\%03o`, s[i])
	}
	b.WriteString(`')"`)
	if end < len(s) {
		b.WriteString("'" + s[end:] + "'")
	}
	return b.String()
}
