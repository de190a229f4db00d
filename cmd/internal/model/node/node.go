// Package node checks models that are JavaScript functions for Node. Examples are a polyfill of a
// function that Node has, and a JavaScript version of a native module.
//
// A model and its original are two programs of kind persistent with one driver, call.mjs. It reads
// the arguments of a call from the input, a JSON text, and renders the result with util.inspect. A
// grammar of the arguments' types generates inputs (types.go). Write makes the files of a campaign,
// and package config reads their configuration.
package node

import (
	"embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/campaignfiles"
	"parallax/drivers"
	"parallax/internal/grammar"
)

// Model describes a model and its original. Write checks it.
type Model struct {
	Dir             string   // base of module paths
	Original, Model Function //
	Arguments       []string // their types
	Texts           []string // parts of strings; empty means any characters
	This            bool     // the first argument is the receiver of a method
	Unsupported     []string // names and codes of errors by which the model rejects a call
	Set             bool     // lists and sets in results are compared without their order
	// reports whether the model is meant for arguments; none if Names is empty
	Scope    Function
	Declared bool // the scope is declared, by Scope or, without one, as all calls
}

// Function locates a function.
type Function struct {
	// a file if it begins with a dot or a slash, else a package; empty means global
	Module string `json:"module,omitempty"`
	Names  string `json:"names"` // of the export, with dots between nested names
}

// Shown renders a function as in a configuration, or returns "" for none.
func (f Function) Shown() string {
	if f.Module == "" {
		return f.Names
	}
	return f.Module + "#" + f.Names
}

// Find parses a function in a configuration: ./file.mjs#name, package#name or, for globals,
// Array.prototype.flat.
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

// Names of the files.
const (
	callFile    = "call.mjs"
	specFile    = "call.json"
	grammarFile = "arguments.ebnf"
)

// Grammar returns the grammar of inputs, or an error for invalid types.
func (m *Model) Grammar() (string, error) {
	text, err := grammarOf(m.Arguments, m.Texts)
	if err == nil {
		_, err = grammar.Parse(grammarFile, text)
	}
	return text, err
}

// Write writes the files of a campaign to a folder, and returns the path of the configuration.
// target is the campaign's name.
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
	text := fmt.Sprintf("# Made by parallax model. Two functions of JavaScript, on the same arguments.\nversion = 1\nname = %s\n\n[input]\ngrammar = %s\n", campaignfiles.Quoted(target), campaignfiles.Quoted(grammarFile))
	name := m.Original.Names[strings.LastIndex(m.Original.Names, ".")+1:]
	for _, side := range []string{"original", "model"} {
		text += fmt.Sprintf("\n[[program]]\nname = %s\nkind = \"persistent\"\ncommand = [\"node\", \"./%s\", \"./%s\", %[1]s]\nread_only = true\ncall = %[4]s\nmethod = %[5]v\n", campaignfiles.Quoted(side), callFile, specFile, campaignfiles.Quoted(name), m.This)
	}
	var list []campaignfiles.File
	for name, data := range files {
		list = append(list, campaignfiles.Text(name, string(data)))
	}
	return filepath.Join(dir, campaignfiles.Config), campaignfiles.Write(dir, append(list, campaignfiles.Text(campaignfiles.Config, text))...)
}

func (m *Model) scope() *Function {
	if m.Scope.Names == "" {
		return nil
	}
	return &m.Scope
}
