package original

import (
	"fmt"
	"slices"

	"parallax/cmd/internal/model/call"
)

// permitsNull lists the arguments of C library functions that C or POSIX permits to be null,
// counted from 0. Other null pointers make a call undefined, even with a size of 0, whatever musl
// does (C17, 7.1.4 and 7.24.1). That includes strtok_r. Its first argument may be null only after a
// call that began a string, but each call here is the first.
var permitsNull = map[string][]int{
	"strtol": {1}, "strtoll": {1}, "strtoul": {1}, "strtoull": {1}, "strtoimax": {1}, "strtoumax": {1},
	"__strtol_internal": {1}, "__strtoll_internal": {1}, "__strtoul_internal": {1}, "__strtoull_internal": {1}, "__strtoimax_internal": {1}, "__strtoumax_internal": {1},
}

// PermitsNull returns the arguments of a C library function that may be null pointers, counted from
// 0.
func PermitsNull(function string) []int { return permitsNull[function] }

// nulls returns which null pointer makes a call of a C library function undefined, or "". A user's
// function may take any.
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
