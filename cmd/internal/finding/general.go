package finding

import (
	"fmt"
	"slices"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/quote"
	"parallax/internal/input"
)

// HoleOpen and HoleClose enclose the class of a hole in a general form. They are rare in inputs;
// those of an input are written as escapes.
const (
	HoleOpen  = "⟨"
	HoleClose = "⟩"
)

// GeneralForm returns the general form of the minimized input. It returns "" for calls and tapes,
// whose bytes mean nothing to people.
func (f *Finding) GeneralForm(limit int) string {
	if f.Drawn != "" {
		return ""
	}
	return GeneralForm(f.Shape, f.Minimized, f.Holes, limit)
}

// GeneralForm returns an input on one line, as QuoteInput does, with classes in place of its holes.
// For "1.⟨digit⟩.0", any digit shows the finding. It returns "" if the input has no valid holes.
func GeneralForm(shape input.Shape, flat []byte, holes []Hole, limit int) string {
	holes = validHoles(holes, len(flat))
	if len(holes) == 0 || len(shape) == 0 || shape.Check(flat) != nil {
		return ""
	}
	spans := shape.Spans(nil, flat)
	parts := make([]string, len(spans))
	for i, s := range spans {
		inside := clip(holes, s.Start, s.End)
		switch {
		case shape[i] == input.Bytes || shape[i] == input.String:
			parts[i] = holedText(flat[s.Start:s.End], inside, s.Start, limit)
		case len(inside) > 0:
			parts[i] = HoleOpen + "any " + shape[i].String() + HoleClose
		default:
			parts[i] = strings.ReplaceAll(quote.Input(shape[i:i+1], flat[s.Start:s.End], limit), HoleOpen, `\u27e8`)
			parts[i] = strings.TrimSuffix(strings.TrimPrefix(parts[i], "("), ")")
		}
	}
	if shape.Raw() {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// validHoles returns the holes that lie in n bytes, in order and without overlap: holes are read
// from a file.
func validHoles(holes []Hole, n int) []Hole {
	holes = slices.Clone(holes)
	slices.SortStableFunc(holes, func(a, b Hole) int { return a.Start - b.Start })
	var valid []Hole
	end := 0
	for _, h := range holes {
		if h.Start >= end && h.Start < h.End && h.End <= n {
			valid = append(valid, h)
			end = h.End
		}
	}
	return valid
}

// clip returns the parts of holes between start and end.
func clip(holes []Hole, start, end int) []Hole {
	var in []Hole
	for _, h := range holes {
		h.Start, h.End = max(h.Start, start), min(h.End, end)
		if h.Start < h.End {
			in = append(in, h)
		}
	}
	return in
}

// holedText quotes text with its holes, cut to about limit bytes. Its first byte is the byte base
// of the flat form.
func holedText(text []byte, holes []Hole, base, limit int) string {
	var b strings.Builder
	b.WriteByte('"')
	literal := func(s []byte) {
		q := strings.NewReplacer(HoleOpen, `\u27e8`, HoleClose, `\u27e9`).Replace(quote.Inner(string(s)))
		b.WriteString(q)
	}
	at := 0
	for i := 0; i < len(holes) && at < limit; i++ {
		h := holes[i]
		literal([]byte(escape.Prefix(string(text[at:h.Start-base]), limit-at)))
		at = h.Start - base
		n := h.End - h.Start
		for i+1 < len(holes) && holes[i+1].Start == h.Start+n && holes[i+1].Of == h.Of { // one byte each, or a range: it reads the same
			i++
			n += holes[i].End - holes[i].Start
		}
		if at < limit {
			b.WriteString(HoleOpen + holeText(n, h.Of) + HoleClose)
		}
		at += n
	}
	if at < limit {
		literal([]byte(escape.Prefix(string(text[min(at, len(text)):]), limit-at)))
	}
	b.WriteByte('"')
	if len(text) > limit {
		b.WriteString("… (" + escape.Size(len(text)) + " in all)")
	}
	return b.String()
}

// holeNames has the names of the classes of bytes, for one byte and for several.
var holeNames = map[string][2]string{
	"byte":            {"any byte", "any bytes"},
	"digit":           {"digit", "digits"},
	"letter":          {"letter", "letters"},
	"letter or digit": {"letter or digit", "letters or digits"},
	"printable":       {"printable", "printable"},
}

func holeText(n int, of string) string {
	name, ok := holeNames[of]
	if !ok {
		of = strings.NewReplacer(HoleOpen, "", HoleClose, "").Replace(escape.Text(of))
		name = [2]string{of, of}
	}
	if n == 1 {
		return name[0]
	}
	return fmt.Sprintf("%d %s", n, name[1])
}
