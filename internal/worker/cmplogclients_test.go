package worker

import (
	"testing"

	"parallax/internal/cmplog"
)

// told is a program that reports comparisons, and keeps what it was given.
type told struct{ given []string }

func (*told) Ready() bool { return true }
func (p *told) Compare(flat []byte) []cmplog.Comparison {
	p.given = append(p.given, string(flat))
	return make([]cmplog.Comparison, 1)
}

// Programs compare what is made of an input of the campaign, and nothing where there is nothing made of it.
func TestCompareMade(t *testing.T) {
	p := &told{}
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
