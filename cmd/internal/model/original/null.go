package original

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/call"
)

// permitsNull are the arguments of functions of the C library, counted from 0, that C or POSIX permits to be null pointers. Any other null pointer makes
// a call undefined (C17, 7.1.4 and 7.24.1), also beside a size of 0, whatever musl does. That is so of strtok_r too: its first argument may be null only
// behind a call that began a string, and each call here is a first one.
var permitsNull = map[string][]int{
	"strtol": {1}, "strtoll": {1}, "strtoul": {1}, "strtoull": {1}, "strtoimax": {1}, "strtoumax": {1},
	"__strtol_internal": {1}, "__strtoll_internal": {1}, "__strtoul_internal": {1}, "__strtoull_internal": {1}, "__strtoimax_internal": {1}, "__strtoumax_internal": {1},
}

// PermitsNull are the arguments of a function of the C library that may be null pointers, counted from 0.
func PermitsNull(function string) []int { return permitsNull[function] }

// nulls says which null pointer leaves a call of the C library's function undefined; "": none does. A user's function may take any.
func (o *Original) nulls(c call.Call) string {
	if !o.library {
		return ""
	}
	for i := range o.Signature.Arguments {
		a := &o.Signature.Arguments[i]
		if a.Kind != "scalar" && c[i].Data == nil && !slices.Contains(permitsNull[o.Signature.Function], i) {
			return fmt.Sprintf("C does not let %s of %s be a null pointer", a.Name, o.Signature.Function)
		}
	}
	return ""
}
