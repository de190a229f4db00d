package original

import (
	"fmt"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/call"
)

// Reproducer implements finding.Reproducible.
func (s *Settings) Reproducer(flat []byte, _ func([]string) []finding.Variable) finding.ScriptProgram {
	return finding.ScriptProgram{Runner: &reproducer{s, flat}}
}

// reproducer calls the function of this machine's C library, or the user's, in a separate C
// program.
type reproducer struct {
	settings *Settings
	flat     []byte
}

// sourceFile has the program's source. It is next to the script.
const sourceFile = "call.c"

// Needs implements finding.ScriptRunner.
func (r *reproducer) Needs() finding.ScriptNeeds { return finding.ScriptNeeds{Build: true} }

// Write implements finding.ScriptRunner.
func (r *reproducer) Write(w *finding.ScriptWriter) error {
	o, kept, err := Load(r.settings.Extraction)
	if err != nil {
		return err
	}
	c, by := o.Signature.Decode(r.flat), Comparator(o.Signature, r.settings.Compare)
	if kept.Code != nil && kept.Code.Original != nil {
		return Alone(w, kept.Code.Original, o.Signature, c, by, false)
	}
	source, err := o.Signature.Program(c, by, o.Signature.Function)
	if err != nil {
		Unable(w, err.Error())
		return nil
	}
	w.File(sourceFile, []byte(source))
	w.Prepare("build", `cc -w -fno-builtin -o call "$here/`+sourceFile+`"`)
	w.Run(fmt.Sprintf("timeout -s KILL %d ./call", w.Limit))
	w.Printf("case $status in\n'') ;;\n0) verdict=accepted ;;\n126|127) cannot \"it could not be started: exit status $status\" ;;\n137) verdict=timeout ;;\n*) verdict=crashed ;;\nesac\n")
	w.Printf("stable \"$box/out\"\ntold \"exit status $status\" \"$box/out\" \"$box/err\"\n")
	return nil
}

// Unable writes why a script cannot run a program.
func Unable(w *finding.ScriptWriter, why string) {
	w.Printf("cannot %s\ntold '' \"$box/out\" \"$box/err\"\n", finding.ShellText(why))
}

// Comparator returns the comparator of a configuration, or the function's default.
func Comparator(s *call.Signature, by call.Comparator) call.Comparator {
	if by == "" {
		return s.Comparator()
	}
	return by
}
