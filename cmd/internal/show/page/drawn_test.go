package page

import (
	"strings"
	"testing"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/sample"
	"parallax/internal/input"
	"parallax/internal/tape"
)

// TestDrawn checks that the drawn value comes before its tape, whose bytes are not readable.
func TestDrawn(t *testing.T) {
	d := document("", 1)
	drawn := (&tape.Tape{}).Append(nil)
	f := d.Campaigns[0].Findings[0].Record
	f.Shape, f.Drawn = input.Shape{input.Bytes}, "a = 1\nb = \"<x>\""
	flat, err := f.Shape.Pack(drawn)
	if err != nil {
		t.Fatal(err)
	}
	f.Minimized, f.Input, f.Parent, f.Holes = flat, flat, append([]byte("x"), flat...), nil
	page := write(t, d)
	value, tape := strings.Index(page, "a = 1\nb = &#34;&lt;x&gt;&#34;"), strings.Index(page, "The tape that it is drawn from")
	if value < 0 || tape < value {
		t.Errorf("what was drawn is at %d, the tape at %d", value, tape)
	}
	if strings.Contains(page, "How it came about") || !strings.Contains(page, "<dt>made by</dt><dd>insert</dd>") {
		t.Error("the change of a tape is shown in bytes, or its operators are not")
	}
	f.Minimized, f.Input = []byte("x"), []byte("x")
	if page = write(t, d); !strings.Contains(page, "As bytes of an input") {
		t.Error("the bytes of a call are not named")
	}
	if page = write(t, document("", 1)); strings.Contains(page, `class="input drawn"`) {
		t.Error("something is drawn of an input of no generator")
	}
}

// TestQuotedLength checks that the size next to a cut input is that of the whole input, in the
// table and in the finding.
func TestQuotedLength(t *testing.T) {
	for _, of := range []string{"a", "\xff", "é", "\u200b", "\\"} {
		for _, n := range []int{1, 20, 165, 250, 5000} {
			text := strings.Repeat(of, n)
			f := &finding.Finding{Shape: input.Shape{input.Bytes}}
			flat, err := f.Shape.Pack([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			f.Minimized = flat
			got := quoted(f)
			whole := escape.Quote(text)
			if got != whole && (!strings.HasSuffix(got, `"… (`+escape.Size(len(text))+" in all)") || len(whole) < 100 || len(got) > 220) {
				t.Errorf("%q, %d times: %s", of, n, got)
			}
		}
	}
}

// TestTicks checks that a part of a constant curve has few labels, however large its values are.
func TestTicks(t *testing.T) {
	for _, value := range []float64{0, 3, 1 << 62} {
		in := timeline{from: 15, end: 30 * 24 * 3600, samples: []sample.Sample{{Elapsed: 15}, {Elapsed: 30 * 24 * 3600}}}
		p := draw(in, "corpus", "", []curve{{name: "inputs", value: func(int) float64 { return value }}}, false)
		if len(p.Up) > 2*mostTicks || len(p.Across) > 2*mostTicks || len(p.Up) == 0 || len(p.Across) == 0 {
			t.Errorf("%v: %d labels up, %d across", value, len(p.Up), len(p.Across))
		}
	}
}
