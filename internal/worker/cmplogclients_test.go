package worker

import (
	"testing"

	"parallax/internal/cmplog"
)

// recording is a program that reports comparisons and records its inputs.
type recording struct{ given []string }

func (*recording) Ready() bool { return true }
func (p *recording) Compare(flat []byte) []cmplog.Comparison {
	p.given = append(p.given, string(flat))
	return make([]cmplog.Comparison, 1)
}

// TestCompareMade checks that programs compare the input made from a campaign's input, and nothing
// if there is none.
func TestCompareMade(t *testing.T) {
	p := &recording{}
	a := newCmplogClients(nil, []CmpLog{p})
	if len(a.Compare([]byte("x"))) != 1 {
		t.Error("nothing is compared")
	}
	a.made = func(flat []byte) []byte {
		if string(flat) == "none" {
			return nil
		}
		return append(flat, '!')
	}
	if len(a.Compare([]byte("y"))) != 1 || len(a.Compare([]byte("none"))) != 0 {
		t.Error("what is made is not what counts")
	}
	if len(p.given) != 2 || p.given[0] != "x" || p.given[1] != "y!" {
		t.Errorf("given %q", p.given)
	}
}
