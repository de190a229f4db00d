package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/extract"
	"parallax/cmd/internal/report"
)

// Of the errors of several models, one that the user can put right decides the exit code, and all are told.
func TestForemost(t *testing.T) {
	infra, other, usage := exit.Infra("infra"), errors.New("other"), exit.Usage("usage")
	for _, test := range []struct {
		errs, others []error
		first        error
	}{
		{nil, nil, nil},
		{[]error{infra}, nil, infra},
		{[]error{infra, other}, []error{other}, infra},
		{[]error{infra, other, usage}, []error{infra, other}, usage},
	} {
		first, others := foremost(test.errs)
		if first != test.first || !slices.Equal(others, test.others) {
			t.Errorf("%v: %v, %v", test.errs, first, others)
		}
	}
}

// A model of which the engine cannot give some paths is checked, and named.
func TestIncomplete(t *testing.T) {
	f := &modelFlags{name: "angr", version: "1", campaignFlags: campaignFlags{flags: pflag.NewFlagSet("", pflag.ContinueOnError)}}
	f.prepare(t.Context(), nil, []extract.Answer{{Function: "strlen", Status: extract.OK}, {Function: "memset", Status: extract.OK, Failed: []string{"TypeError: no", "KeyError: 1"}}}, nil)
	text := report.Models(nil, &report.Scope{Models: 2, Extracted: 2, Incomplete: f.incomplete}, true)
	want := "\nextracted in part:\n  memset: the engine fails on some paths of its model: TypeError: no; KeyError: 1\n\nmodels"
	if len(f.runs) != 2 || !strings.HasPrefix(text, want) {
		t.Errorf("%d models, %s", len(f.runs), text)
	}
}
