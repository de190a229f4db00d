// Package node owns models that are JavaScript functions for Node: a polyfill beside what Node has itself, a module of JavaScript beside a native one.
//
// A model and its original are two programs of kind persistent with one driver: call.mjs, which reads the arguments of a call from the JSON text
// that an input is, and tells the result as util.inspect does. Inputs are made of a grammar of the arguments' types (types.go). Write makes the files of
// a campaign in its folder; package config reads their configuration.
package node

import (
	"embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/prepared"
	"parallax/drivers"
	"parallax/internal/grammar"
)

// Model is a model and its original. Write checks what is in it.
type Model struct {
	Dir             string   // that modules are relative to
	Original, Model Function //
	Arguments       []string // their types
	Texts           []string // that strings are made of; none: any characters
	This            bool     // the first argument is what the function is a method of
	Unsupported     []string // names and codes of errors by which the model says that it does not have something
	Set             bool     // lists and sets that are returned are compared without their order
	Scope           Function // tells of arguments whether the model is meant for them; none: Names is ""
	Declared        bool     // the scope is declared, by Scope or, without one, as all calls
}

// Function is where a function is.
type Function struct {
	Module string `json:"module,omitempty"` // a file, if it begins with a dot or a slash, or a package; "": it is global
	Names  string `json:"names"`            // of the export, with dots between a name and what is in it
}

// Shown is a function as a configuration names it; "": none.
func (f Function) Shown() string {
	if f.Module == "" {
		return f.Names
	}
	return f.Module + "#" + f.Names
}

// Find reads what a configuration says of a function: ./file.mjs#name, package#name or, of what is global, Array.prototype.flat.
func Find(text string) (Function, error) {
	module, names, ok := strings.Cut(text, "#")
	f := Function{module, names}
	if !ok {
		f = Function{Names: text}
		if ext := filepath.Ext(text); ext == ".js" || ext == ".mjs" || ext == ".cjs" || strings.Contains(text, "/") {
			f = Function{text, "default"}
		}
	}
	if f.Names == "" || ok && module == "" {
		return f, exit.Usage("%q names no function: write ./file.mjs#name, package#name, or the name of what is global, such as Array.prototype.flat", text)
	}
	return f, nil
}

//go:embed call.mjs
var call embed.FS

// The files.
const (
	callFile    = "call.mjs"
	specFile    = "call.json"
	grammarFile = "arguments.ebnf"
)

// Grammar is what inputs are made of, or says what is wrong with the types.
func (m *Model) Grammar() (string, error) {
	text, err := grammarOf(m.Arguments, m.Texts)
	if err == nil {
		_, err = grammar.Parse(grammarFile, text)
	}
	return text, err
}

// Write writes the files of a campaign into a folder, and returns the path of the configuration. target is the campaign's name.
func (m *Model) Write(dir, target string) (config string, err error) {
	rules, err := m.Grammar()
	if err != nil {
		return "", err
	}
	spec, err := json.MarshalIndent(map[string]any{
		"dir": m.Dir, "original": m.Original, "model": m.Model, "count": len(m.Arguments), "this": m.This, "unsupported": m.Unsupported, "scope": m.scope(), "set": m.Set,
	}, "", "  ")
	if err != nil {
		return "", exit.Infra("%w", err)
	}
	files := map[string][]byte{specFile: append(spec, '\n'), grammarFile: []byte(rules)}
	for name, read := range map[string]func() ([]byte, error){
		callFile:     func() ([]byte, error) { return call.ReadFile(callFile) },
		"driver.mjs": func() ([]byte, error) { return drivers.Files.ReadFile("node/driver.mjs") },
		"cover.mjs":  func() ([]byte, error) { return drivers.Files.ReadFile("node/cover.mjs") },
	} {
		if files[name], err = read(); err != nil {
			return "", exit.Infra("%w", err)
		}
	}
	text := fmt.Sprintf("# Made by parallax model. Two functions of JavaScript, on the same arguments.\nversion = 1\nname = %s\n\n[input]\ngrammar = %s\n", prepared.Quoted(target), prepared.Quoted(grammarFile))
	name := m.Original.Names[strings.LastIndex(m.Original.Names, ".")+1:]
	for _, side := range []string{"original", "model"} {
		text += fmt.Sprintf("\n[[program]]\nname = %s\nkind = \"persistent\"\ncommand = [\"node\", \"./%s\", \"./%s\", %[1]s]\nread_only = true\ncall = %[4]s\nmethod = %[5]v\n", prepared.Quoted(side), callFile, specFile, prepared.Quoted(name), m.This)
	}
	var list []prepared.File
	for name, data := range files {
		list = append(list, prepared.Text(name, string(data)))
	}
	return filepath.Join(dir, prepared.Config), prepared.Write(dir, append(list, prepared.Text(prepared.Config, text))...)
}

func (m *Model) scope() *Function {
	if m.Scope.Names == "" {
		return nil
	}
	return &m.Scope
}
