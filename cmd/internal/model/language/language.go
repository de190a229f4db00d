// Package language checks formulas as models of functions of a programming language. The formulas
// are scripts of SMT-LIB or Z3-str. A sandboxed driver of the language runs the original, and this
// package computes the formula. An Asker provides both sides to package dynamic, which samples
// calls, finds the scope and judges findings.
//
// Models of PHP engines are such formulas (SEDiff, Figure 2). Each language is an entry of a table
// with its signatures, its driver's files, and its casts to the sorts of formulas.
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
	"parallax/cmd/internal/model/campaignfiles"
	"parallax/cmd/internal/model/dynamic"
	"parallax/cmd/internal/model/smt"
	"parallax/cmd/internal/process/confine"
	"parallax/cmd/internal/program/persistent"
)

// Language is an entry of the table.
type Language struct {
	Name    string // as in Function.Language, and the key of a [[model]]
	Shown   string // for people
	Command string
	Install string

	// Signature parses a function as a user writes it.
	Signature func(text string) (*dynamic.Function, error)

	read func(source string) (dynamic.Value, error) // parses a value
	// casts a value to a sort of formulas
	convert func(v dynamic.Value, to *smt.Sort) (smt.Value, error)
	// converts a formula's value to the language
	result func(v smt.Value) (dynamic.Value, error)
	flags  []string                                       // flags of Command
	call   func(dir string, f *dynamic.Function) []string // command line of the driver
	files  []string                                       // files of Write
	alone  func(f *dynamic.Function, c dynamic.Call) (name, text string)
}

// Table lists the languages.
var Table = []*Language{php}

// Find returns the language of a name, or nil.
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

// Missing returns an error if this machine lacks the language.
func (l *Language) Missing() error {
	if _, err := exec.LookPath(l.Command); err != nil {
		return exit.Infra("functions of %s are called by %s, and it is not there: %s", l.Shown, l.Command, l.Install)
	}
	return nil
}

// environment returns the environment of the language's processes, so functions do not depend on
// this machine's settings.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=UTC"}
}

// Described is a language's description of a function.
type Described struct {
	Required, Total int   // numbers of parameters; Total is -1 if unlimited
	References      []int // parameters that are passed by reference
}

// Describe asks the language about functions. The list has nil for unknown functions.
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

// Fits returns an error if a function, as the user writes it, does not match the language's
// description.
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

// Write writes the files of the driver to a folder.
func (l *Language) Write(dir string) error {
	var list []campaignfiles.File
	for _, name := range l.files {
		list = append(list, campaignfiles.Text(name, source(name)))
	}
	return campaignfiles.Write(dir, list...)
}

// callLimits bounds a call, whose arguments are a few short values.
var callLimits = limits.Limits{Timeout: 5 * time.Second, Memory: 512 << 20, FileSize: 1 << 20, Processes: 8, Output: 1 << 20}

// Driver returns the configuration of the original's driver. dir has the files of Write. Working
// folders are made in temp.
func Driver(f *dynamic.Function, dir, tool, temp string) persistent.Config {
	return persistent.Config{
		Name: "original", Args: Find(f.Language).call(dir, f), Env: environment(), Limits: callLimits,
		Sandbox: confine.Options{Tool: tool, Limits: callLimits, Dir: temp, ReadOnly: true},
	}
}
