package reproducer

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding"
)

// A Script runs programs of any kind, each as the campaign ran it, and compares what the campaign
// compares.
type Script struct {
	// Steps describe the normalization of values. A shell cannot compare values that have any.
	Steps    []string
	Programs []Program
	// Home is the folder of the configuration. Another copy of it may hold the programs when the
	// script runs. Empty means no configuration.
	Home string
	// Unseen describes what the campaign compares besides verdicts and a script cannot see. Empty
	// means nothing.
	Unseen string
}

// A Program is a program of a script.
type Program struct {
	Name    string
	Kind    string // as in parallax.toml
	Timeout time.Duration
	Runner  Runner
	// Variables returns the part of a program's environment that the script sets. If it is nil, the
	// program has the user's environment.
	Variables func(env []string) []Variable
}

// A Runner runs a program in the way of its kind.
type Runner interface {
	// WriteScript writes how the program runs, and what its end means. It begins with Writer.Needs
	// if the program needs anything, and ends with Writer.Compare or Writer.Unable.
	WriteScript(w *Writer) error
}

// A Variable is a variable of the environment. Inherited ones come from the user who runs the
// script, and no file holds their values.
type Variable struct {
	Name, Value string
	Inherited   bool
}

// Files implements finding.Reproducer. The script runs the programs on the minimized input.
func (s *Script) Files(f *finding.Finding) (map[string][]byte, error) {
	w := &Writer{f: f.ProgramInput(), s: s, files: files{}, needs: map[string][]string{}}
	for i := range s.Programs {
		if err := w.program(i); err != nil {
			return nil, fail(f, fmt.Errorf("%s: %w", s.Programs[i].Name, err))
		}
	}
	w.end()
	programs := w.b.String()
	w.b.Reset()
	w.head()
	w.File(ScriptFile, []byte(w.b.String()+programs))
	return w.files, nil
}

// A Writer writes a script. Its exported fields describe the program that is being written.
type Writer struct {
	Program *Program
	Limit   int    // seconds until it is killed
	Message string // of a failure in the campaign

	dir       string // in which the program runs; empty means a folder of its own
	f         *finding.Finding
	s         *Script
	moves     bool                // a word is relative to PROJECT
	builds    bool                // a program is built first
	port      bool                // a program is a service
	functions []string            // of sh, which only some kinds need
	needs     map[string][]string // programs by the files and commands that they need
	b         strings.Builder
	files     files
}

// Printf writes lines of the script.
func (w *Writer) Printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// sound reports whether the script can compare the programs' values.
func (w *Writer) sound() bool {
	return w.f.Layer == "value" && len(w.s.Steps) == 0 && w.s.Unseen == ""
}

func (w *Writer) head() {
	w.Printf("#!/bin/sh\n# A finding of parallax: bucket %s of target %s.\n", escape.Text(w.f.Bucket), escape.Text(w.f.Target))
	w.Printf("#\n#\tsh reproducer.sh\n#\n# runs the programs on the file %q next to this script, without parallax.\n", w.input())
	w.b.WriteString(`# Exit status: 1 while the programs ` + disagreeing(w.f) + `, 0 when they do not, 2 when a program cannot be run`)
	if w.f.Layer == "value" && !w.sound() || w.f.Layer == "class" || w.f.Layer == finding.CostLayer {
		w.b.WriteString(",\n# 3 when " + w.unjudged())
	}
	w.b.WriteString(`.
# Programs have slightly more time than in the campaign, and their own environment. The campaign's limits of memory, processes
# and network do not apply here.
`)
	w.needed()
	if w.port {
		w.b.WriteString("# PORT is the port of services that this script starts and ends.\n")
	}
	w.b.WriteString(scriptHead)
	w.ownFiles()
	w.b.WriteString(strings.Replace(scriptFunctions, "INPUT", w.input(), 1))
	if w.builds {
		w.b.WriteString(scriptPrepare)
	}
	slices.Sort(w.functions) // whichever program is first
	for _, text := range slices.Compact(w.functions) {
		w.b.WriteString(text)
	}
	more, project := "", ""
	if w.moves {
		w.Printf(scriptProject, shell.Text(w.s.Home))
		more, project = "project=%s ", ` "$(quoted "$project")"`
	}
	if w.port {
		w.b.WriteString("port=${PORT:-38417}\n")
		more += "port=38417 "
	}
	w.b.WriteString(strings.NewReplacer("INPUT", w.input(), "MORE", more, "PROJECT", project).Replace(scriptBegin))
}

// unjudged describes a difference that only the campaign can judge.
func (w *Writer) unjudged() string {
	if w.f.Layer == finding.CostLayer {
		return "the campaign compares how many blocks the versions execute and how much they allocate, which no script sees: outputs.json has both"
	}
	if w.s.Unseen != "" {
		return "the campaign compares " + w.s.Unseen + ", which no script sees: outputs.json has them"
	}
	if w.f.Layer == "class" {
		who := "they all reject with messages that differ"
		if !comparesVerdicts(w.f) {
			who = "those that reject have messages that differ"
		}
		return who + ": the campaign compares their classes"
	}
	return "raw values differ: the campaign compares them after " + strings.ReplaceAll(escape.Text(strings.Join(w.s.Steps, ", ")), "\n", " ")
}

// disagreeing returns what the programs do while the script ends with status 1.
func disagreeing(f *finding.Finding) string {
	verdicts := comparesVerdicts(f)
	switch {
	case f.Kind == "discrepancy" && f.Layer == "value" && verdicts:
		return "disagree"
	case f.Kind == "discrepancy" && f.Layer == "value":
		return "crash, hang or disagree in the value"
	case !verdicts:
		return "crash or hang"
	case f.Kind == "discrepancy" || f.Layer == finding.CostLayer:
		return "disagree in the verdict"
	}
	return "crash, hang or disagree in the verdict"
}

func (w *Writer) end() {
	w.b.WriteString("\necho\n[ -z \"$unable\" ] || { echo \"Not all programs could be run.\"; exit 2; }\n")
	w.b.WriteString("[ -z \"$broken\" ] || { echo \"A program crashes or hangs.\"; exit 1; }\n")
	open, agree := "The verdicts agree, and "+w.unjudged()+".", "The programs agree."
	if w.f.Layer != "value" && w.f.Layer != "class" {
		agree = "The verdicts agree."
	}
	if comparesVerdicts(w.f) {
		w.b.WriteString("[ -z \"$differ\" ] || { echo \"The verdicts differ.\"; exit 1; }\n")
	} else {
		w.b.WriteString("[ -z \"$differ\" ] || echo \"The campaign does not compare the verdicts, which differ.\"\n")
		open = strings.ToUpper(w.unjudged()[:1]) + w.unjudged()[1:] + "."
		agree = cmp.Or(map[string]string{"value": "No values differ.", "class": "No messages of those that reject differ."}[w.f.Layer], "No program crashes or hangs.")
	}
	switch {
	case w.f.Layer == finding.CostLayer, w.s.Unseen != "" && (w.f.Layer == "value" || w.f.Layer == "class"):
		w.Printf("echo %s\nexit 3\n", shell.Text(open))
	case w.sound():
		w.Printf("[ -z \"$values\" ] || { echo \"The values differ.\"; exit 1; }\necho \"%s\"\n", agree)
	case w.f.Layer == "value" || w.f.Layer == "class":
		variable := map[string]string{"value": "values", "class": "messages"}[w.f.Layer]
		w.Printf("[ -z \"$%s\" ] || { echo %s; exit 3; }\necho \"%s\"\n", variable, shell.Text(open), agree)
	default:
		w.Printf("echo \"%s\"\n", agree)
	}
}

// program writes one program: what runs, and what its end means.
func (w *Writer) program(i int) error {
	p := &w.s.Programs[i]
	seen := ""
	w.Message, w.dir = "", ""
	if i < len(w.f.Programs) {
		seen, w.Message = w.f.Programs[i].Outcome, w.f.Programs[i].Message
	}
	w.Program, w.Limit = p, p.limit(seen)
	w.Printf("\n# %s\nprogram %s %s %s\n", strings.ReplaceAll(escape.Text(p.Name), "\n", " "), shell.Text(p.Name), p.Kind, shell.Text(finding.Outcome(w.f.Kind, seen)))
	return p.Runner.WriteScript(w)
}

// limit returns the program's time in seconds. It is longer than in the campaign, unless the
// finding is a timeout: a slow machine is no difference.
func (p *Program) limit(seen string) int {
	seconds := max(1, int(math.Ceil(p.Timeout.Seconds())))
	if seen != "timeout" {
		seconds *= 5
	}
	return seconds
}

// Folder returns the beginning of a line that changes to the program's folder.
func (w *Writer) Folder() string {
	if w.dir == "" {
		return ""
	}
	return "cd " + w.Word(w.dir) + " &&\n"
}

// Flat returns the input in its flat form, for kinds that put it into command lines.
func (w *Writer) Flat() []byte { return w.f.Minimized }

// Size returns the number of bytes in the input's file.
func (w *Writer) Size() int { return len(w.f.Shape.Encode(w.f.Minimized)) }

// File adds a file next to the script. Preprocessed sources of others and models get no license of
// parallax, since spdx knows no comments of such files.
func (w *Writer) File(name string, data []byte) { w.files.add(name, data) }

// Run shows and runs a line.
func (w *Writer) Run(line string) { w.Prepare("run", line) }

// Prepare passes a line to a function of the script: build, or one of the kind.
func (w *Writer) Prepare(how, line string) {
	w.builds = w.builds || how == "build"
	end := "END"
	for strings.Contains("\n"+line+"\n", "\n"+end+"\n") {
		end += "D"
	}
	w.Printf("%s <<'%s'\n%s\n%s\n", how, end, strings.TrimRight(line, "\n"), end)
}

// Status takes the verdict from the exit status by cases of sh. Programs that cannot be started and
// those that were killed have no verdict of their own. The last cases are for any other status.
func (w *Writer) Status(cases []string, last ...string) {
	w.Printf("case $status in\n'') ;;\n")
	cases = append(cases, `126|127) cannot "it could not be started: exit status $status"`, "137) verdict=timeout")
	for _, c := range append(cases, last...) {
		w.Printf("%s ;;\n", c)
	}
	w.Printf("esac\n")
}

// Compare shows an output of the program (out or value) and its errors, and compares its verdict
// and value with those of other programs.
func (w *Writer) Compare(output string) {
	w.Printf("compare \"exit status $status\" \"$box/%s\" \"$box/err\"\n", output)
}

// Unable says why the script cannot run a program.
func (w *Writer) Unable(why string) {
	w.Printf("cannot %s\ncompare '' \"$box/out\" \"$box/err\"\n", shell.Text(why))
}

// Environ returns the beginning of a command that sets the program's variables. Programs have a
// folder of their own for HOME and TMPDIR.
func (w *Writer) Environ(env []string) string {
	if w.Program.Variables == nil {
		return ""
	}
	words := []string{"env -i"}
	has := map[string]bool{}
	for _, v := range w.Program.Variables(env) {
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
	return strings.Join(words, " ") + " "
}
