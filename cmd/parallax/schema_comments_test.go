package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// describe gives the keys of a struct the comments of its fields.
func describe(s *jsonschema.Schema, t reflect.Type, f reflect.StructField) {
	of := t
	for _, i := range f.Index[:len(f.Index)-1] { // where it is embedded from
		of = of.Field(i).Type
		for of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
	}
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	for _, said := range []string{comments(of.PkgPath())[of.Name()+"."+f.Name], plain[of.Name()+"."+name], plain[name]} {
		if s.Description == "" {
			s.Description = said
		}
	}
}

// plain describes keys whose fields have no comment, by type and key or for all types.
var plain = map[string]string{
	"Arm.inputs": "that it made", "Arm.kept": "of these inputs", "Row.count": "inputs seen", "Row.flaky": "its input did not always show it when it was run again",
	"Row.accepted": "it is marked as intended", "Row.kind": "discrepancy, crash, failure, timeout, oom or change", "Row.outcomes": "by program",
	"Coverage.blocks": "in the packages that the program may run", "Coverage.covered": "blocks that it has run", "Coverage.own_covered": "those of the own blocks that it has run",
	"Change.covered": "change points that were executed", "Change.impacted": "blocks from which a change point can be reached", "Change.blocks_covered": "blocks with change points that were executed",
	"Corpus.bytes": "of the files of its inputs", "Corpus.size": "inputs kept", "Flaky.count": "of candidates", "Flaky.kind": "of finding that it would be",
	"Findings.total": "inputs in all buckets but those that are flaky", "Independent.b0": "branches that were covered", "Independent.inputs": "that are drawn from nothing",
	"Operator.kept": "inputs that were kept", "Operator.tried": "inputs that it took part in", "Summary.inputs": "that were executed", "Yield.tried": "mutants", "Yield.won": "of these, those that are valid and have a new trace",
	"Rarefied.traces": "unique ones", "Rarefied.b0": "branches that these would have covered",

	"arms": "of the adaptive schedule", "b1": "Hill number of order 1 of the branches", "b2": "Hill number of order 2 of the branches", "buckets": "the findings, one object a cause",
	"accepted": "it is marked as intended", "bytes": "of the files", "calls": "that were compared", "change": "distinct behaviors of changed code", "corpus": "the inputs that are kept", "count": "of inputs", "coverage": "of each program",
	"discrepant_inputs": "on which programs disagreed", "executions_per_second": "the quotient", "expected_branches": "that there are to be covered, at least (Chao2)",
	"failed": "inputs on which a program failed", "findings": "what the campaign has found", "flaky_candidates": "by kind and likely reason", "function": "its name", "guidance": "the domains that guide",
	"id": "12 hexadecimal digits", "impacted": "blocks from which a change point can be reached", "impacted_covered": "those of them that were executed", "invalid": "inputs that are not valid", "last_seen": "as first_seen, of its last input",
	"last_seen_time": "as first_seen_time, of its last input", "layer": "verdict, value, class or cost", "left_out": "those of which there is nothing to check", "location": "file:line",
	"minimized": "path of the input, minimized", "mode": "diff, fuzz, regress or model", "model": "what the model gives", "models": "of the campaign", "name": "its name",
	"new_branch": "estimate of how many branches the next input executes that none did", "new_branch_bound": "what the probability of a new branch is below with 95 % confidence", "notes": "the notes at the end of the text",
	"operators": "the yield of mutation operators", "original": "what the original gives", "points": "change points", "program": "its name", "programs": "their names", "reason": "the likely reason",
	"residual_risk": "probability that the next input fails", "residual_risk_bound": "that it is below with 95 % confidence", "seed": "of the random numbers of this invocation",
	"structural": "mutants by a change of the structure of what a generator draws", "target": "its name", "total": "of all", "valid_b1": "b1 of the traces of valid inputs", "valid_b2": "b2 of the traces of valid inputs",
	"valid_evenness": "evenness of the traces of valid inputs", "valid_traces": "traces of valid inputs", "value": "mutants by a change of values that a generator draws", "workers": "that fuzz beside each other",
	"worse_on": "a call on which it does so",
}

var commented sync.Map // by the path of a package, what comments returns

// comments returns what is said of the fields of the structs of a package, as Type.Field: the
// comment behind a field, or above it.
func comments(path string) map[string]string {
	if known, ok := commented.Load(path); ok {
		return known.(map[string]string)
	}
	all := map[string]string{}
	files, _ := filepath.Glob(filepath.Join("..", "..", strings.TrimPrefix(path, "parallax/"), "*.go"))
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			panic(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			fields, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			for _, field := range fields.Fields.List {
				said := strings.Join(strings.Fields(field.Comment.Text()), " ")
				if said == "" {
					said = strings.Join(strings.Fields(field.Doc.Text()), " ")
				}
				for _, name := range field.Names {
					all[spec.Name.Name+"."+name.Name] = said
				}
			}
			return true
		})
	}
	commented.Store(path, all)
	return all
}
