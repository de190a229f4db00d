package original

import (
	"fmt"

	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/model/call"
)

// sourceFile has the source of a program that makes the call. It is next to the script.
const sourceFile = "call.c"

// WriteScript implements reproducer.Runner. It calls the function of this machine's C library, or
// the user's, in a separate C program.
func (s *Settings) WriteScript(w *reproducer.Writer) error {
	o, kept, err := Load(s.Extraction)
	if err != nil {
		return err
	}
	c, by := o.Signature.Decode(w.Flat()), Comparator(o.Signature, s.Compare)
	if kept.Code != nil && kept.Code.Original != nil {
		return Alone(w, kept.Code.Original, o.Signature, c, by, false)
	}
	source, err := o.Signature.Program(c, by, o.Signature.Function)
	if err != nil {
		w.Unable(err.Error())
		return nil
	}
	w.File(sourceFile, []byte(source))
	w.Prepare("build", `cc -w -fno-builtin -o call "$here/`+sourceFile+`"`)
	w.Run(fmt.Sprintf("timeout -s KILL %d ./call", w.Limit))
	w.Status([]string{"0) verdict=accepted"}, "*) verdict=crashed")
	w.Printf("stable \"$box/out\"\n")
	w.Compare("out")
	return nil
}

// Solve writes the questions about a model for z3, and the first branch of an if in sh. That branch
// runs if z3 answers neither sat nor unsat. The caller writes the other branches.
func Solve(w *reproducer.Writer, questions string) {
	const file = "model.smt2"
	w.File(file, []byte(questions))
	w.Run(fmt.Sprintf(`timeout -s KILL %d z3 "$here/%s"`, max(w.Limit, 60), file))
	w.Printf("if [ \"$status\" != 0 ] || grep -qv '^\\(un\\)\\{0,1\\}sat$' \"$box/out\"; then cannot \"z3 gives no answer: apt-get install z3\"\n")
}

// Comparator returns the comparator of a configuration, or the function's default.
func Comparator(s *call.Signature, by call.Comparator) call.Comparator {
	if by == "" {
		return s.Comparator()
	}
	return by
}
