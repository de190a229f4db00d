package finding

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/units"
)

// JSON encodes a document of a command other than diff and fuzz. The result is indented, and
// terminals act on none of its characters.
func JSON(v any) ([]byte, error) { return encode(v) }

// Encode returns the summary as one JSON object on several lines. It changes nothing in s. Empty
// lists are [], never null, and a number that JSON cannot hold is 0.
func (s *Summary) Encode() ([]byte, error) { return encode(s.Filled()) }

// Filled returns the summary as JSON has it.
func (s *Summary) Filled() *Summary {
	c := *s
	c.Version = Version
	c.ElapsedSeconds = units.Round(c.ElapsedSeconds)
	c.ExecutionsPerSecond = units.Round(c.ExecutionsPerSecond)
	c.Programs = nonNil(c.Programs)
	c.Guidance = nonNil(c.Guidance)
	c.Coverage = nonNil(c.Coverage)
	c.Findings.Buckets = nonNil(slices.Clone(c.Findings.Buckets))
	for i := range c.Findings.Buckets {
		if c.Findings.Buckets[i].Outcomes == nil {
			c.Findings.Buckets[i].Outcomes = map[string]string{}
		}
	}
	return &c
}

// Targets are the summaries of several targets as JSON has them.
type Targets struct {
	Version int        `json:"version"`
	Targets []*Summary `json:"targets"`
	Scope   *Scope     `json:"scope,omitempty"` // of several models, all together
}

// EncodeAll returns one JSON object for the campaigns of several targets. whole is the scope of
// several models, or nil.
func EncodeAll(summaries []*Summary, whole *Scope) ([]byte, error) {
	all := Targets{Version: Version, Targets: []*Summary{}, Scope: whole}
	for _, s := range summaries {
		all.Targets = append(all.Targets, s.Filled())
	}
	return encode(&all)
}

// ParseSummary reads summary.json. It ignores unknown keys; a newer version is an error.
func ParseSummary(data []byte) (*Summary, error) {
	var s Summary
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("the summary is not valid: %w", err)
	}
	if err := checkVersion(s.Version); err != nil {
		return nil, fmt.Errorf("summary: %w", err)
	}
	return &s, nil
}

func checkVersion(v int) error {
	if v < 1 || v > Version {
		return fmt.Errorf("format version %d is not one that this parallax reads (1 to %d)", v, Version)
	}
	return nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding a report: %w", err)
	}
	return visibleJSON(b.Bytes()), nil
}

// Line encodes a document on one line. Terminals act on none of its characters.
func Line(v any) ([]byte, error) {
	doc, err := encode(v)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Compact(&b, doc); err != nil {
		return nil, fmt.Errorf("encoding a line: %w", err)
	}
	return append(b.Bytes(), '\n'), nil
}

// visibleJSON writes characters as \u escapes that encoding/json lets through and a terminal would
// act on. Only strings hold characters beyond ASCII, so the meaning of the document does not
// change.
func visibleJSON(doc []byte) []byte {
	if !bytes.ContainsFunc(doc, func(r rune) bool { return r >= 0x7f }) {
		return doc
	}
	out := make([]byte, 0, len(doc)+64)
	for _, r := range string(doc) {
		switch {
		case r < 0x7f || (escape.Visible(r) && r != utf8.RuneError):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// EncodeLeftOut returns the JSON of one model without anything to check. It looks like that of a
// checked model, with no input.
func EncodeLeftOut(target string, programs []string, whole *Scope) ([]byte, error) {
	return (&Summary{Mode: "model", Target: target, Programs: programs, Scope: whole}).Encode()
}
