package model

import (
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/subject/config"
)

// Kinds of models, by what says how they are checked.
const (
	ofEngine = "models of C functions from an engine"
	ofValues = "models of Python's methods from an engine"
	ofSMT    = "models in SMT-LIB"
	ofStub   = "models in C"
	ofGo     = "Go functions"
	ofGoType = "Go types"
	ofNode   = "models in JavaScript"
	ofPHP    = "formulas beside PHP"
)

// inFile is where models of a configuration say what they are meant for.
const inFile = "the key scope of the configuration says what a model is meant for"

// compareInFile is where they say how their results are compared.
const compareInFile = "the key compare of the configuration says how results are compared"

// flagKinds has the flags that say nothing of some kinds of models. Each has the kinds that it is
// for, and what to do instead for others.
var flagKinds = []struct {
	flag    string
	kinds   []string
	instead map[string]string
}{
	{flag: "base", kinds: []string{ofEngine, ofValues}},
	{flag: "confirm", kinds: []string{ofEngine}},
	{flag: "extract-timeout", kinds: []string{ofEngine, ofValues}},
	{flag: "compare-results", kinds: []string{ofEngine, ofValues, ofSMT, ofStub}, instead: map[string]string{ofPHP: compareInFile, ofNode: compareInFile, ofGo: compareInFile}},
	{flag: "proofs", kinds: []string{ofEngine, ofSMT, ofStub}},
	{flag: "elements", kinds: []string{ofEngine, ofValues, ofPHP}, instead: map[string]string{
		ofSMT: "the key elements of [[model.parameter]] says how many a buffer has", ofStub: "the key elements of [[model.parameter]] says how many a buffer has",
	}},
	{flag: "scope", kinds: []string{ofEngine, ofValues}, instead: map[string]string{
		ofSMT: inFile, ofStub: inFile, ofNode: inFile, ofGo: inFile, ofPHP: inFile, ofGoType: "the key unsupported of the configuration says what a type leaves out",
	}},
	{flag: "samples", kinds: []string{ofEngine, ofValues, ofSMT, ofStub, ofPHP}},
	{flag: "threshold", kinds: []string{ofEngine, ofValues, ofSMT, ofStub, ofPHP, ofGo, ofNode}, instead: map[string]string{
		ofGoType: "the key unsupported of the configuration says what a type leaves out",
	}},
}

// kindsOf are those of the models that are checked.
func kindsOf(engine string, file *config.Models) []string {
	if file == nil {
		if extract.Values(engine) {
			return []string{ofValues}
		}
		return []string{ofEngine}
	}
	var all []string
	for i := range file.List {
		kind := ofStub
		switch m := &file.List[i]; {
		case m.Go != nil && m.Go.Type:
			kind = ofGoType
		case m.Go != nil:
			kind = ofGo
		case m.Node != nil:
			kind = ofNode
		case m.Beside != nil:
			kind = ofPHP
		case m.SMT != "":
			kind = ofSMT
		}
		if !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	return all
}

// unheard is the error of a flag that says nothing of any model that is checked.
func unheard(given func(flag string) bool, kinds []string) error {
	for _, m := range flagKinds {
		if !given(m.flag) || slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(m.kinds, k) }) {
			continue
		}
		hint := "leave it out"
		if instead := m.instead[kinds[0]]; instead != "" {
			hint += "; " + instead
		}
		return exit.Usage("--%s says nothing of %s, but of %s: %s", m.flag, strings.Join(kinds, " and "), strings.Join(m.kinds, ", "), hint)
	}
	return nil
}
