package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestTypeOf(t *testing.T) {
	for function, want := range map[string]string{
		"strncpy": "string", "stpcpy": "string", "strtok_r": "string", "wcscmp": "string", "memset": "array", "__memset_chk": "array", "bzero": "array",
		"strtoul": "arithmetic and conversion", "atoi": "arithmetic and conversion", "htons": "arithmetic and conversion", "toupper": "other", "isalnum": "other",
	} {
		if got := typeOf(function); got != want {
			t.Errorf("%s is of type %s, want %s", function, got, want)
		}
	}
}

// TestTables checks that a file of samples is read as it was written, and that its tables count its
// contents. Blocks count by the steps of paths in scope, each once.
func TestTables(t *testing.T) {
	s := sample{Engine: "angr==1", Confirm: "concrete", CPU: 12, Report: json.RawMessage(`{"targets":[{"target":"angr-1-strcmp",
		"coverage":[{"program":"original","blocks":9,"covered":8},{"program":"angr","blocks":2,"covered":1}],
		"findings":{"buckets":[{"id":"a","quoted":"strcmp(\"\", \"\")","results":{"original":"0","angr":"1"},"count":3,"suspect":true,"remark":"angr 1 with values: answers rightly"}]}}],
		"scope":{"models":3,"extracted":2,"paths":3,"in_scope":1,"suspects":1,"outside":{"dropped":7},"left_out":[{"function":"f","status":"crash","reason":"a|b"}]}}`),
		Scopes: []json.RawMessage{json.RawMessage(`{"function":"strcmp","paths":[{"path":"01","in_scope":true,"proof":{"agrees":"sat","match":true}},{"path":"02","in_scope":true,"suspect":true},{"path":"03"}],
		"steps":[{"from":-1,"to":4},{"from":4,"to":5},{"from":5,"to":4}]}`)}}
	file := filepath.Join(t.TempDir(), "samples.gz")
	if err := write(file, []sample{s}); err != nil {
		t.Fatal(err)
	}
	list, err := read(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := tables(&b, list); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| concrete | 3 | 2 | 1 | 3 | 1 (33 %) | 1 | 1 | 1 | 1 | 0 | 12 |", "| strcmp | 3 | 1 | 1 | 1 | 9 | 8 | 2 | 2 | 1 | 1 |", "| string | 1 in 1 functions |", "| dropped | 7 |",
		`| crash: a\|b | 1 | f |`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the tables lack %q:\n%s", want, b.String())
		}
	}
	alone := sample{Report: json.RawMessage(`{}`), Scopes: []json.RawMessage{json.RawMessage(`{"function":"isalnum","paths":[{"path":"01","in_scope":true}]}`)}}
	b.Reset()
	if err := tables(&b, append(list, alone)); err != nil || !strings.Contains(b.String(), "| isalnum | 1 | 1 | 0 | 0 | - | - | 0 | - | - | - |") {
		t.Errorf("a scope without a run is not told: %v\n%s", err, b.String())
	}
	b.Reset()
	if err := findings(&b, append(list, alone)); err != nil || b.String() != "concrete: strcmp a: strcmp(\"\", \"\"); original: 0; angr: 1 (3)\n" {
		t.Errorf("findings: %v, %q", err, b.String())
	}
	other := s
	other.Report, other.Scopes = json.RawMessage(`{"version":1,"target":"angr-1-atoi","findings":{"buckets":[]},"scope":{"models":1,"extracted":1,"paths":2,"in_scope":1}}`), nil
	b.Reset()
	if err := tables(&b, append(list, other)); err != nil || !strings.Contains(b.String(), "| concrete | 4 | 3 | 2 | 5 | 2 (40 %) | 1 | 1 | 1 | 1 | 0 | 24 |") {
		t.Errorf("two runs, of other functions, are not taken as one: %v\n%s", err, b.String())
	}
	b.Reset()
	if err := drawn(&b, append(list, list[0]), 1); err != nil || !strings.HasPrefix(b.String(), "1 paths in scope of 1 functions, and one out of scope of each of 1, seed 1\n\n1. strcmp 01: in scope true") {
		t.Errorf("drawn: %v\n%s", err, b.String())
	}
}
