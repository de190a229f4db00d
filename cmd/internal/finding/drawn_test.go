package finding_test

import (
	"testing"

	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/finding"
	"parallax/internal/input"
	"parallax/internal/tape"
)

// TestQuoteTape checks that a tape is quoted by its number of choices. If the draws are known, they
// are quoted instead.
func TestQuoteTape(t *testing.T) {
	tp := &tape.Tape{}
	if got := quote.Input(input.Shape{input.Bytes}, tp.Append(nil), 20); got != "a tape of 0 choices" {
		t.Error(got)
	}
	if got := finding.QuoteDrawn(input.Shape{input.Bytes}, tp.Append(nil), "s = `a\nb`\nn = 3", 80); got != `s = "a\nb"; n = 3` {
		t.Error(got)
	}
	if got := finding.QuoteDrawn(input.Shape{input.Bytes}, []byte("x"), "f(1)\ng(2)", 80); got != "f(1); g(2)" { // calls
		t.Error(got)
	}
	tp.Rest = 7
	if got := quote.Input(input.Shape{input.Bytes}, tp.Append(nil), 20); got != "a tape of 0 choices and a seed for the rest" {
		t.Error(got)
	}
}
