package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parallax/cmd/internal/shell"
)

// ScriptFile is the name of the reproducer of programs that are not all Go functions of one build, in a finding's folder.
const ScriptFile = "reproducer.sh"

// A Script is what a reproducer in sh runs: programs of any kind, each as the campaign ran it.
type Script struct {
	// Steps are what values are brought into before they are compared, for people. With any, no shell can compare values.
	Steps    []string
	Programs []ScriptProgram
}

// A ScriptProgram is one of them. What does not belong to its kind is empty.
type ScriptProgram struct {
	Name    string
	Kind    string // go, c, command, persistent or http
	Timeout time.Duration
	Env     []Variable // all of its environment; of a Go function, it is the user's
	Dir     string     // where it runs; "": a folder of its own

	Args  []string // command, persistent: with {input}, {arg} and {output} in arguments of commands
	Exit  Codes    // command
	Value []string // command: stdout, stderr, output or none; http: status, body, header:NAME

	Curl   string // http: a command for a shell, in which $input is the input's file and $port the service's port
	Start  []string
	Ready  string // URL that answers with 2xx when the service is up; "": Base can be connected to
	Base   string // URL of the service
	Status Statuses

	Go     *GoCall
	Native *NativeLink // c
}

// A Variable of the environment. What is Inherited is taken from who runs the script, and stands in no file.
type Variable struct {
	Name, Value string
	Inherited   bool
}

// Codes are the exit statuses of a command that mean something.
type Codes struct{ Accepted, Rejected, Declined []int }

func (c Codes) none() bool { return len(c.Accepted)+len(c.Rejected)+len(c.Declined) == 0 }

// Statuses are codes (200) and classes (2xx) of HTTP.
type Statuses struct{ Accepted, Rejected []string }

// ScriptFiles are reproducer.sh and the files that it needs, by path in the finding's folder. It runs the programs on the minimised
// input, compares verdicts, and values where a shell can.
func (f *Finding) ScriptFiles() (map[string][]byte, error) {
	w := &scriptWriter{f: f, s: f.Script, files: map[string][]byte{}}
	w.head()
	for i := range f.Script.Programs {
		if err := w.program(i); err != nil {
			return nil, fmt.Errorf("finding %s: %s: %w", f.Bucket, f.Script.Programs[i].Name, err)
		}
	}
	w.end()
	w.files[ScriptFile] = []byte(w.b.String())
	return w.files, nil
}

type scriptWriter struct {
	f     *Finding
	s     *Script
	b     strings.Builder
	files map[string][]byte
}

func (w *scriptWriter) printf(format string, args ...any) { fmt.Fprintf(&w.b, format, args...) }

// sound reports whether what accepted or rejected programs say can be compared as it stands.
func (w *scriptWriter) sound() bool { return w.f.Layer == "value" && len(w.s.Steps) == 0 }

func (w *scriptWriter) head() {
	kinds := map[string]bool{}
	for _, p := range w.s.Programs {
		kinds[p.Kind] = true
		kinds["start"] = kinds["start"] || len(p.Start) > 0
	}
	w.printf("#!/bin/sh\n# A finding of parallax: bucket %s of target %s.\n", Escape(w.f.Bucket), Escape(w.f.Target))
	w.b.WriteString(`#
#	sh reproducer.sh
#
# runs the programs on the file "minimized" beside this script. It needs the programs, and no parallax.
# Exit status: 1 as long as the programs ` + w.f.disagreeing() + `, 0 when they do not, 2 when a program cannot be run`)
	if w.f.Layer == "value" && !w.sound() || w.f.Layer == "class" {
		w.b.WriteString(",\n# 3 when " + w.unjudged())
	}
	w.b.WriteString(`.
# Programs get the time that they had in the campaign and some more, and their own environment. The campaign's limits on memory, on
# processes and on the network are parallax's, and are not here.
`)
	if kinds["start"] {
		w.b.WriteString("# PORT is where services listen that this script starts and ends.\n")
	}
	w.b.WriteString(scriptHead)
	if kinds["go"] || kinds["c"] || kinds["start"] {
		w.b.WriteString(scriptPrepare)
	}
	if kinds["persistent"] {
		w.b.WriteString(scriptDriver)
	}
	if kinds["http"] {
		w.b.WriteString(scriptHTTP)
	}
	if kinds["start"] {
		w.b.WriteString(scriptService)
		w.b.WriteString("port=${PORT:-38417}\n")
	}
	port := ""
	if kinds["start"] {
		port = "port=38417 "
	}
	w.b.WriteString(strings.Replace(scriptBegin, "PORT", port, 1))
}

// unjudged says what is left open.
func (w *scriptWriter) unjudged() string {
	if w.f.Layer == "class" {
		return "they all reject with messages that differ: the campaign compares their classes"
	}
	return "values differ as they stand: the campaign compares them after " + strings.ReplaceAll(Escape(strings.Join(w.s.Steps, ", ")), "\n", " ")
}

func (f *Finding) disagreeing() string {
	switch {
	case f.Kind != "discrepancy":
		return "crash, hang or disagree in the verdict"
	case f.Layer == "value":
		return "disagree"
	}
	return "disagree in the verdict"
}

func (w *scriptWriter) end() {
	w.b.WriteString("\necho\n[ -z \"$unable\" ] || { echo \"Not all programs could be run.\"; exit 2; }\n")
	w.b.WriteString("[ -z \"$broken\" ] || { echo \"A program crashes or hangs.\"; exit 1; }\n")
	w.b.WriteString("[ -z \"$differ\" ] || { echo \"The verdicts differ.\"; exit 1; }\n")
	switch {
	case w.sound():
		w.b.WriteString("[ -z \"$values\" ] || { echo \"The values differ.\"; exit 1; }\necho \"The programs agree.\"\n")
	case w.f.Layer == "value" || w.f.Layer == "class":
		variable := map[string]string{"value": "values", "class": "messages"}[w.f.Layer]
		w.printf("[ -z \"$%s\" ] || { echo %s; exit 3; }\necho \"The programs agree.\"\n", variable, shellText("The verdicts agree, and "+w.unjudged()+"."))
	default:
		w.b.WriteString("echo \"The verdicts agree.\"\n")
	}
}

// program writes one program: what is run, and what its end means.
func (w *scriptWriter) program(i int) error {
	p := &w.s.Programs[i]
	seen := ""
	if i < len(w.f.Programs) {
		seen = w.f.Programs[i].Outcome
	}
	w.printf("\n# %s\nprogram %s %s %s\n", strings.ReplaceAll(Escape(p.Name), "\n", " "), shellText(p.Name), p.Kind, shellText(Outcome(w.f.Kind, seen)))
	limit := p.limit(seen)
	switch p.Kind {
	case "go":
		if p.Go == nil {
			w.b.WriteString("cannot \"no Go expression can call it\"\ntold '' \"$box/out\" \"$box/err\"\n")
			return nil
		}
		return w.goProgram(i, limit)
	case "c":
		w.nativeProgram(p, limit, i < len(w.f.Programs) && strings.Contains(w.f.Programs[i].Message, "Sanitizer: "))
	case "command":
		w.command(p, limit)
	case "persistent":
		w.persistent(p, limit)
	case "http":
		w.http(p)
	default:
		return fmt.Errorf("programs of kind %q have no reproducer", p.Kind)
	}
	return nil
}

// limit is the program's time in seconds. A slow machine is no difference, unless the finding is that it takes long.
func (p *ScriptProgram) limit(seen string) int {
	seconds := max(1, int(math.Ceil(p.Timeout.Seconds())))
	if seen != "timeout" {
		seconds *= 5
	}
	return seconds
}

func (w *scriptWriter) command(p *ScriptProgram, limit int) {
	copied, stdin, arg := "", true, false
	var words []string
	for i, a := range p.Args {
		if i == 0 {
			words = append(words, shellText(a))
			continue
		}
		word := ""
		for a != "" {
			at := placeholder.FindStringIndex(a)
			if at == nil {
				word += shellText(a)
				break
			}
			if at[0] > 0 {
				word += shellText(a[:at[0]])
			}
			name := strings.Trim(a[at[0]:at[1]], "{}")
			switch {
			case name == "arg":
				word += `"${arg%x}"`
				stdin, arg = false, true
			default:
				word += `"$folder/` + name + `"`
				if strings.HasPrefix(name, "input") {
					copied, stdin = name, false
				}
			}
			a = a[at[1]:]
		}
		if word == "" {
			word = "''"
		}
		words = append(words, word)
	}
	line := ""
	if copied != "" {
		line += `cp "$input" ` + copied + "\n"
	}
	if arg {
		line += `arg=$(cat "$input"; printf x)` + "\n" // without x, line feeds at the end would be lost
	}
	line += w.folder(p) + fmt.Sprintf("timeout -s KILL %d %s %s", limit, p.environ(), strings.Join(words, " "))
	if stdin {
		line += ` <"$input"`
	}
	w.run(line)
	w.b.WriteString("case $status in\n")
	for _, m := range []struct {
		codes   []int
		verdict string
	}{{p.Exit.Accepted, "accepted"}, {p.Exit.Rejected, "rejected"}, {p.Exit.Declined, "declined"}} {
		var patterns []string
		for _, c := range m.codes {
			patterns = append(patterns, fmt.Sprint(c))
		}
		if m.verdict == "accepted" && len(patterns) == 0 && !slices.Contains(append(slices.Clone(p.Exit.Rejected), p.Exit.Declined...), 0) {
			patterns = []string{"0"}
		}
		if len(patterns) > 0 {
			w.printf("%s) verdict=%s ;;\n", strings.Join(patterns, "|"), m.verdict)
		}
	}
	w.b.WriteString("126|127) cannot \"it could not be started: exit status $status\" ;;\n137) verdict=timeout ;;\n")
	if p.Exit.none() {
		w.b.WriteString("129|13?|14?|15?) verdict=crashed ;;\n*) verdict=rejected ;;\nesac\n")
	} else {
		w.b.WriteString("*) verdict=crashed ;;\nesac\n")
	}
	value, shown := "stdout", "out"
	if len(p.Value) > 0 && p.Value[0] != "" {
		value = p.Value[0]
	}
	switch value {
	case "stdout":
		w.b.WriteString("stable \"$box/out\"\n")
	case "stderr":
		w.b.WriteString("stable \"$box/err\"\n")
	case "output":
		name := "output"
		for _, a := range p.Args[1:] {
			for _, found := range placeholder.FindAllString(a, -1) {
				if strings.HasPrefix(found, "{output") {
					name = strings.Trim(found, "{}")
				}
			}
		}
		w.printf("stable \"$folder/%s\"\n", name)
		shown = "value"
	}
	w.printf("told \"exit status $status\" \"$box/%s\" \"$box/err\"\n", shown)
}

// folder goes to where a program runs.
func (w *scriptWriter) folder(p *ScriptProgram) string {
	if p.Dir == "" {
		return ""
	}
	return "cd " + shellText(p.Dir) + " &&\n"
}

func (w *scriptWriter) persistent(p *ScriptProgram, limit int) {
	var words []string
	for _, a := range p.Args {
		words = append(words, shellText(a))
	}
	n := len(w.f.Shape.Encode(w.f.Minimized))
	const greeting = 20 // seconds until a driver speaks, as in a campaign
	line := w.folder(p) + fmt.Sprintf(`{ printf '\%03o\%03o\%03o\%03o'; cat "$input"; } |`+"\n", n&255, n>>8&255, n>>16&255, n>>24&255)
	line += fmt.Sprintf("timeout -s KILL %d %s %s", greeting+limit, p.environ(), strings.Join(words, " "))
	w.run(line)
	w.b.WriteString("answer\ntold \"exit status $status\" \"$box/value\" \"$box/err\"\n")
}

func (w *scriptWriter) http(p *ScriptProgram) {
	if len(p.Start) > 0 {
		var words []string
		for _, a := range p.Start {
			words = append(words, withPort(a))
		}
		ready, flag := p.Ready, "-f"
		if ready == "" {
			ready, flag = p.Base, ""
		}
		w.prepare("start "+withPort(ready)+" "+shell.Word(flag),
			w.folder(p)+"exec timeout -k 1 600 "+p.environ()+` PORT="$port" `+strings.Join(words, " "))
	}
	w.run(p.Curl)
	w.b.WriteString("response\ncase $code in\n\"\") ;;\n")
	accepted, rejected := p.Status.Accepted, p.Status.Rejected
	if len(accepted)+len(rejected) == 0 {
		accepted, rejected = []string{"2xx", "3xx"}, []string{"4xx"}
	}
	for _, class := range []bool{false, true} { // a code comes before its class
		for _, m := range []struct {
			list    []string
			verdict string
		}{{accepted, "accepted"}, {rejected, "rejected"}} {
			var patterns []string
			for _, c := range m.list {
				if strings.HasSuffix(c, "xx") == class {
					patterns = append(patterns, strings.Replace(c, "xx", "??", 1))
				}
			}
			if len(patterns) > 0 {
				w.printf("%s) verdict=%s ;;\n", strings.Join(patterns, "|"), m.verdict)
			}
		}
	}
	w.b.WriteString("*) verdict=crashed ;;\nesac\n")
	if len(p.Value) > 0 {
		w.b.WriteString("if [ \"$verdict\" = accepted ]; then\n")
	}
	for i, part := range p.Value {
		if i > 0 {
			w.b.WriteString("echo >>\"$box/value\"\n")
		}
		switch name, header := strings.CutPrefix(part, "header:"); {
		case header:
			w.printf("header %s >>\"$box/value\"\n", shellText(name))
		case part == "status":
			w.b.WriteString("printf %s \"$code\" >>\"$box/value\"\n")
		default:
			w.b.WriteString("cat \"$box/body\" >>\"$box/value\"\n")
		}
	}
	if len(p.Value) > 0 {
		w.b.WriteString("fi\n")
	}
	if len(p.Start) > 0 {
		w.b.WriteString("stop\n")
	}
	w.b.WriteString("told \"status ${code:-none}\" \"$box/out\" \"$box/err\"\n")
}

// run has a line run: what is shown is what is run, since it is one text.
func (w *scriptWriter) run(line string) { w.prepare("run", line) }

func (w *scriptWriter) prepare(how, line string) {
	end := "END"
	for strings.Contains("\n"+line+"\n", "\n"+end+"\n") {
		end += "D"
	}
	w.printf("%s <<'%s'\n%s\n%s\n", how, end, strings.TrimRight(line, "\n"), end)
}

// environ is env with the program's variables, as the beginning of a command. Programs have a folder of their own for what
// looks for HOME and TMPDIR.
func (p *ScriptProgram) environ() string {
	words := []string{"env -i"}
	has := map[string]bool{}
	for _, v := range p.Env {
		has[v.Name] = true
		if v.Inherited {
			words = append(words, fmt.Sprintf(`${%s+"%s=$%s"}`, v.Name, v.Name, v.Name))
		} else {
			words = append(words, shellText(v.Name+"="+v.Value))
		}
	}
	for _, name := range []string{"HOME", "TMPDIR"} {
		if !has[name] {
			words = append(words, name+`="$folder"`)
		}
	}
	return strings.Join(words, " ")
}

// shellText is a word for sh that is any text but zero bytes. What a terminal could take for a command is written in octal.
func shellText(s string) string {
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

// withPort is a word in which {port} is the service's port.
func withPort(s string) string {
	parts := strings.Split(s, "{port}")
	for i := range parts {
		if parts[i] != "" || len(parts) == 1 {
			parts[i] = shellText(parts[i])
		}
	}
	return strings.Join(parts, `"$port"`)
}
