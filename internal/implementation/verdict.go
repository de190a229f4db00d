package implementation

import (
	"fmt"
	"reflect"
)

// Returns describes the results of a function that matter for its verdict.
type Returns struct {
	Bool   bool // the last result is a bool: the verdict
	Error  bool // the last result is an error: the verdict
	Values int  // number of values besides the verdict
	Answer bool // the last of these is a bool
}

// Misread finds two functions with the same results, except that the second also returns an error.
// The bool is the verdict of the first and an accepted value of the second, so that nearly every
// input would differ.
func Misread(list []Returns) (verdict, value int, found bool) {
	for i, a := range list {
		for k, b := range list {
			if a.Bool && b.Error && b.Answer && b.Values == a.Values+1 {
				return i, k, true
			}
		}
	}
	return 0, 0, false
}

// MisreadText describes the problem of two functions that Misread finds.
func MisreadText(verdict, value string) string {
	return fmt.Sprintf("false means rejected for %s, and is an accepted value of %s, which also returns an error", verdict, value)
}

// returns describes the results of a function.
func (f *function) returns() Returns {
	n := len(f.values)
	return Returns{
		Bool: f.ending == boolLast, Error: f.ending == errorLast || f.ending == pointerErr,
		Values: n, Answer: n > 0 && f.values[n-1].Kind() == reflect.Bool,
	}
}

// sameVerdict rejects functions whose verdict is another function's value: see Misread.
func (s *Set) sameVerdict() error {
	var list []Returns
	for _, p := range s.programs {
		list = append(list, p.returns())
	}
	i, k, found := Misread(list)
	if !found {
		return nil
	}
	a, b := s.config.Names[i], s.config.Names[k]
	return fmt.Errorf("%s: %s is a %v and %s is a %v. Give Impl(%q) a function that returns the results of %s, such as a nil error and the bool",
		MisreadText(a, b), a, s.config.Functions[i].Type(), b, s.config.Functions[k].Type(), a, b)
}
