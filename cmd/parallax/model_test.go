package main

import (
	"errors"
	"slices"
	"testing"

	"parallax/cmd/internal/exit"
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
