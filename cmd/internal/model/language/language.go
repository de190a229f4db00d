// Package language checks models that are formulas, scripts of SMT-LIB or of Z3-str, beside functions of a programming language: the original runs in
// a process of that language, a driver in a sandbox, and the formula is computed here. An Asker is both sides for package dynamic, which samples calls,
// finds the scope and judges findings.
//
// The models of engines for PHP are such formulas (SEDiff, Figure 2). A language is a row of the table: how its signatures are read, which files its
// driver has, what it makes of a value where a formula has another sort.
package language

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/limits"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/prepared"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program/persistent"
)

// Language is a row of the table.
type Language struct {
	Name    string // of Function.Language, and the key of a [[model]]
	Shown   string // to people
	Command string
	Install string

	// Signature reads how a user writes a function.
	Signature func(text string) (*dynamic.Function, error)

	read    func(source string) (dynamic.Value, error)             // a value as source
	convert func(v dynamic.Value, to *smt.Sort) (smt.Value, error) // the value that the language makes of it, in a sort of formulas
	result  func(v smt.Value) (dynamic.Value, error)               // of a formula as a value of the language
	flags   []string                                               // of the command
	call    func(dir string, f *dynamic.Function) []string         // the driver's command line
	files   []string                                               // what Write puts into a folder
	alone   func(f *dynamic.Function, c dynamic.Call) (name, text string)
}

// Table is the languages.
var Table = []*Language{php}

// Find is the language of a name.
func Find(name string) *Language {
	for _, l := range Table {
		if l.Name == name {
			return l
		}
	}
	return nil
}

//go:embed shown.php call.php describe.php
var sources embed.FS

func source(name string) string {
	data, err := sources.ReadFile(name)
	if err != nil {
		panic(err) // the name is one of those above
	}
	return string(data)
}

// Missing says that a language cannot be had on this machine.
func (l *Language) Missing() error {
	if _, err := exec.LookPath(l.Command); err != nil {
		return exit.Infra("functions of %s are called by %s, and it is not there: %s", l.Shown, l.Command, l.Install)
	}
	return nil
}

// environment is that of the language's processes: what a function does depends on nothing of this machine's.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
}

// Described is what a language says of a function.
type Described struct {
	Required, Total int   // parameters; Total is -1 where there is no end to them
	References      []int // parameters that are variables
}

// Describe asks the language for functions: nil for those that it does not have.
func (l *Language) Describe(ctx context.Context, names []string) (version string, list []*Described, err error) {
	if err := l.Missing(); err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "parallax-"+l.Name+"-")
	if err != nil {
		return "", nil, exit.Infra("creating a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := l.Write(dir); err != nil {
		return "", nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, l.Command, append(append(append([]string{}, l.flags...), filepath.Join(dir, "describe."+l.Name)), names...)...)
	cmd.Env, cmd.Dir = environment(), dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", nil, exit.Infra("%s does not say which functions it has: %w %s", l.Command, err, bytes.TrimSpace(stderr.Bytes()))
	}
	var told struct {
		Version   string
		Functions []*Described
	}
	if err := json.Unmarshal(out, &told); err != nil || len(told.Functions) != len(names) {
		return "", nil, exit.Infra("%s does not say which functions it has: %q", l.Command, out)
	}
	return told.Version, told.Functions, nil
}

// Fits says what is wrong with a function as the user writes it, for what the language says of it.
func (l *Language) Fits(f *dynamic.Function, d *Described, version string) error {
	name, n := f.Function, len(f.Parameters)
	if d == nil {
		return fmt.Errorf("%s %s has no function %s", l.Shown, version, name)
	}
	required := 0
	for _, p := range f.Parameters {
		if !p.Optional {
			required++
		}
	}
	switch {
	case d.Total >= 0 && n > d.Total:
		return fmt.Errorf("%s of %s %s takes at most %s, and the signature has %d", name, l.Shown, version, count(d.Total), n)
	case required < d.Required:
		return fmt.Errorf("%s of %s %s takes at least %s, and the signature has %d that are always given", name, l.Shown, version, count(d.Required), required)
	}
	for _, at := range d.References {
		if at < n {
			return fmt.Errorf("%s of %s changes its parameter %d, which is not supported: leave it out, if it is the last", name, l.Shown, at+1)
		}
	}
	return nil
}

func count(n int) string {
	if n == 1 {
		return "1 parameter"
	}
	return fmt.Sprintf("%d parameters", n)
}

// Write writes the files of the driver into a folder.
func (l *Language) Write(dir string) error {
	var list []prepared.File
	for _, name := range l.files {
		list = append(list, prepared.Text(name, source(name)))
	}
	return prepared.Write(dir, list...)
}

// callLimits bounds a call, whose arguments are a few short values.
var callLimits = limits.Limits{Timeout: 5 * time.Second, Memory: 512 << 20, FileSize: 1 << 20, Processes: 8, Output: 1 << 20}

// Driver is how the original runs. dir holds what Write wrote; working folders are made in temp.
func Driver(f *dynamic.Function, dir, tool, temp string) persistent.Config {
	return persistent.Config{
		Name: "original", Args: Find(f.Language).call(dir, f), Env: environment(), Limits: callLimits,
		Sandbox: confine.Options{Tool: tool, Limits: callLimits, Dir: temp, ReadOnly: true},
	}
}
