package golang

import (
	"fmt"
	"slices"
	"strconv"
)

// form is the kind of an inserted text.
type form uint8

const (
	formCount     form = iota // a counting statement
	formElse                  // an else branch that counts
	formElseOpen              // the start of a block around an else-if
	formElseClose             // its end
	formDefault               // a default clause that counts
	formOpen                  // before a right operand of && or ||
	formClose                 // after it
	// before a call whose results are recorded; node is the number of its site
	formRecord
	formRecorded // after it, or after
	formOut      // an argument or a receiver that it may write to
	formAfter    // after a call without results
)

// An edit inserts text at a byte offset. Edits at one offset apply in the order in which they were
// made.
type edit struct {
	offset int
	form   form
	fn     *function
	node   int
	arg    int // for formOut: its index among those of the call
	out    out // for formOut
}

// A dialect determines the text of counting.
type dialect struct {
	Options
	race bool // counters are bumped by a function the race detector does not see
}

func (d dialect) append(dst []byte, e edit) []byte {
	switch e.form {
	case formElseClose:
		return append(dst, '}')
	case formClose:
		return append(dst, "))"...)
	case formRecord:
		return fmt.Appendf(dst, " plxRec%d(", e.node) // apart from a keyword that may touch it
	case formOut:
		dst = fmt.Appendf(dst, " plxOut(plxRecFirst+%d, %d, %d, ", e.node, e.arg, e.out.effect)
		if e.out.address {
			dst = append(dst, '&')
		}
		return dst
	case formAfter:
		return fmt.Appendf(dst, "; plxRec%d()", e.node)
	case formRecorded:
		return append(dst, ')')
	}
	id := e.fn.nodes[e.node].id
	switch e.form {
	case formElse:
		return append(d.count(append(dst, " else {"...), id), '}')
	case formElseOpen:
		return d.count(append(dst, '{'), id)
	case formDefault:
		return d.count(append(dst, "default:"...), id)
	case formOpen:
		// The comparison is an untyped bool, so that operands of named bool types stay valid.
		return fmt.Appendf(dst, "(plxOne(%d) != 0 && (", id)
	}
	return d.count(dst, id)
}

func (d dialect) count(dst []byte, id int) []byte {
	i := strconv.Itoa(id)
	cov := d.counter(i)
	if d.race {
		return append(append(append(dst, "plxHit("...), i...), ");"...)
	}
	if d.Order {
		dst = fmt.Appendf(dst, "if %s==0{plxSeq++;plxOrd[%s]=plxSeq}", cov, i)
		if !d.wide {
			dst = fmt.Appendf(dst, "else if %s==255{%s=127}", cov, cov)
		}
		dst = append(dst, ';')
	}
	// Eight sums instead of one: consecutive blocks do not wait for each other's addition.
	return fmt.Appendf(dst, "%s++;plxLen[%d]++;", cov, id&7)
}

// counter returns the text of a counter.
func (d dialect) counter(i string) string {
	if d.Apart {
		return fmt.Sprintf("plxMap[%d+%s]", Page, i)
	}
	return "plxCov[" + i + "]"
}

// Page is the size of the areas before and behind the counters with Options.Apart.
const Page = 4096

// apply returns text with the edits inserted.
func (d dialect) apply(text []byte, edits []edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b edit) int { return a.offset - b.offset })
	out := make([]byte, 0, len(text)+40*len(edits))
	last := 0
	for _, e := range edits {
		out = append(out, text[last:e.offset]...)
		out = d.append(out, e)
		last = e.offset
	}
	return append(out, text[last:]...)
}

// support returns the file that declares the counters of a package with n blocks. It compiles at
// every language version, as the inserted text does.
func (d dialect) support(pkg string, n int) []byte {
	cell, body, cov := "uint8", "", d.counter("i")
	if d.wide {
		cell = "uint64"
	}
	// The //line directive keeps the name of the temporary file out of the object file.
	out := fmt.Appendf(nil, "//line plx_cov.go:1:1\npackage %s\n\n", pkg)
	if d.Order {
		out = append(out, "import _ \"unsafe\" // for go:linkname\n\n"...)
		body = fmt.Sprintf("if %[1]s == 0 { plxSeq++; plxOrd[i] = plxSeq }; ", cov)
		if !d.wide {
			body = fmt.Sprintf("if %[1]s == 0 { plxSeq++; plxOrd[i] = plxSeq } else if %[1]s == 255 { %[1]s = 127 }; ", cov)
		}
	}
	body += cov + "++; plxLen[i&7]++"
	if d.Apart {
		out = fmt.Appendf(out, "var plxMap [%d]%s\nvar plxLen [8]uint64\n\n", Page+n+Page, cell)
	} else {
		out = fmt.Appendf(out, "var plxCov [%d]%s\nvar plxLen [8]uint64\n\n", n, cell)
	}
	if d.Order {
		// A variable with a link name and no initial value merges with the definition in main, or
		// with its peers if main has none.
		out = fmt.Appendf(out, "var plxOrd [%d]uint32\n\n//go:linkname plxSeq main.plxSeq\nvar plxSeq uint32\n\n", n)
	}
	norace := ""
	if d.race {
		norace = "//go:norace\n"
		out = fmt.Appendf(out, "//go:norace\nfunc plxHit(i int) { %s }\n\n", body)
	}
	// The result is a constant and not the counter, which wraps to zero.
	return fmt.Appendf(out, "%sfunc plxOne(i int) uint8 { %s; return 1 }\n", norace, body)
}
