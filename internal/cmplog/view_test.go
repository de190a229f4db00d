package cmplog

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/rand"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"parallax/internal/input"
)

// TestSearch compares the index with the obvious search.
func TestSearch(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	var x index
	for round := 0; round < 300; round++ {
		text := make([]byte, r.Intn(200))
		for i := range text {
			text[i] = "abAB\x00"[r.Intn(5)]
		}
		x.build(text)
		for try := 0; try < 30; try++ {
			pattern := make([]byte, 1+r.Intn(6))
			for i := range pattern {
				pattern[i] = "abAB\x00"[r.Intn(5)]
			}
			fold, limit := r.Intn(2) == 0, 1+r.Intn(20)
			var want []int32
			for i := 0; i+len(pattern) <= len(text) && len(want) < limit; i++ {
				part := text[i : i+len(pattern)]
				if bytes.Equal(part, pattern) || fold && bytes.EqualFold(part, pattern) {
					want = append(want, int32(i))
				}
			}
			if got := x.search(pattern, fold, limit); len(got) != len(want) || len(got) > 0 && got[len(got)-1] != want[len(want)-1] {
				t.Fatalf("search(%q in %q, %v, %d) = %v, want %v", pattern, text, fold, limit, got, want)
			}
		}
	}
}

// TestViews checks the views of inputs.
func TestViews(t *testing.T) {
	for text, want := range map[string][]string{
		"plain text":                        nil,
		`{"a":"b\nc","d":"e"}`:              {"b\nc"},
		`"unfinished \n`:                    nil,
		`["\u00e9\ud83d\ude00\ud83d","\q"]`: {"é😀\ufffd"},
		"id=00ff10aa55":                     {"\x00\xff\x10\xaa\x55"},
		"deadbeef":                          {"\xde\xad\xbe\xef"},
		"password deadline":                 nil,
		"aGVsbG8gd29ybGQ=":                  {"hello world"},
		`{"k":"aGk_"}`:                      {"hi?"},
		"eyJhbGciOiJub25lIn0.e30.":          {`{"alg":"none"}`},
		"a%20b/c%zz d%2":                    {"a b/c%zz"},
		"h\x00i\x00 \x00t\x00!":             {"hi t"},
		"\x00h\x00i\x00 \x00t":              {"hi t"},
		"WyJhXG5iIl0=":                      {`["a\nb"]`, "a\nb"},
		`"aGVsbG8\u003d"`:                   {"aGVsbG8=", "hello"},
	} {
		var h haystack
		h.load(raw, []byte(text))
		var got []string
		for _, v := range h.views[1:] {
			got = append(got, string(h.text[v.start:v.end]))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestLift replaces every part of every view, and checks that decoding returns the new text.
func TestLift(t *testing.T) {
	inner := func(s string) (string, error) { return s[3 : len(s)-3], nil }
	hexText := func(s string) (string, error) {
		b, err := hex.DecodeString(s)
		return string(b), err
	}
	quoted := func(s string) (data string, err error) {
		err = json.Unmarshal([]byte(s), &data)
		return data, err
	}
	base := func(e *base64.Encoding) func(string) (string, error) {
		return func(s string) (string, error) {
			b, err := e.DecodeString(s)
			return string(b), err
		}
	}
	utf16le := func(s string) (string, error) {
		var units []uint16
		for i := 0; i+2 <= len(s); i += 2 {
			units = append(units, uint16(s[i])|uint16(s[i+1])<<8)
		}
		return string(utf16.Decode(units)), nil
	}
	swapped := func(s string) (string, error) {
		b := []byte(s)
		for i := 0; i+2 <= len(b); i += 2 {
			b[i], b[i+1] = b[i+1], b[i]
		}
		return string(b), nil
	}
	type decoder = func(string) (string, error)
	for _, test := range []struct {
		text   string
		decode []decoder // leads to the last view
	}{
		{`"a\nb\u00e9\ud83d\ude00!"`, []decoder{quoted}},
		{"=> 00ff10aa55 <=", []decoder{inner, hexText}},
		{"DEADBEEF", []decoder{hexText}},
		{"aGVsbG8gd29ybGQ=", []decoder{base(base64.StdEncoding)}},
		{"aGVsbG8gd29ybA==", []decoder{base(base64.StdEncoding)}},
		{"xx aGVsbG8gd29ybGQhIT0 xx", []decoder{inner, base(base64.RawURLEncoding)}},
		{"/p?q=a%20b%41", []decoder{url.PathUnescape}},
		{"...h\x00i\x00 \x00t\x00!\x00...", []decoder{inner, utf16le}},
		{"\x00h\x00i\x00 \x00t\x00!", []decoder{swapped, utf16le}},
		{"ImFcbmIi", []decoder{base(base64.StdEncoding), quoted}},
		{`"aGVsbG8\u003d"`, []decoder{quoted, base(base64.StdEncoding)}},
	} {
		var h haystack
		h.load(raw, []byte(test.text))
		last := len(h.views) - 1
		data := string(h.text[h.views[last].start:])
		for from := 0; from <= len(data); from++ {
			for to := from; to <= min(len(data), from+4); to++ {
				if utf8.ValidString(data) && !(utf8.ValidString(data[:from]) && utf8.ValidString(data[to:])) {
					continue // a cut inside a character
				}
				for _, put := range []string{"", "X", "\"\\%", "long text, é"} {
					want := data[:from] + put + data[to:]
					e, ok := h.lift(last, from, to, []byte(put))
					if !ok {
						t.Fatalf("%q: no edit", test.text)
					}
					got, err := string(appendEdited(nil, []byte(test.text), []edit{e})), error(nil)
					for _, decode := range test.decode {
						if got, err = decode(got); err != nil {
							break
						}
					}
					if got != want || err != nil {
						t.Errorf("%q with %q in %d:%d is %q, %v, want %q", test.text, put, from, to, got, err, want)
					}
				}
			}
		}
	}
}

// TestBounds checks that deeply encoded or long inputs are searched in part.
func TestBounds(t *testing.T) {
	for name, text := range map[string]string{
		"literals": strings.Repeat(`"a\n",`, 10000),
		"quotes":   strings.Repeat(`"`, 300000),
		"escapes":  `"` + strings.Repeat(`\\`, 100000) + `"`,
		"hex":      strings.Repeat("0011aabb ", 50000),
		"percent":  strings.Repeat("%25", 100000),
		"wide":     strings.Repeat("a\x00", 200000),
		"base64":   strings.Repeat("aA0/", 100000),
	} {
		var h haystack
		h.load(raw, []byte(text))
		if len(h.views) > maxViews || len(h.text) > 4*maxSearched+4096 || len(h.literals) > maxLiterals {
			t.Errorf("%s: %d views, %d bytes, %d literals", name, len(h.views), len(h.text), len(h.literals))
		}
		mutants(t, NewSolver(raw, len(text)+10), []byte(text), text1(StringEqual, text[:3], "x"), int1(IntOrder, 8, int64(len(text)), 3))
	}
	// Arguments beyond the searched part are still extended at their ends.
	shape := input.Shape{input.Bytes, input.Bytes}
	flat, err := shape.Pack(bytes.Repeat([]byte("x"), maxSearched+10), []byte("abc"))
	if err != nil {
		t.Fatal(err)
	}
	mutants(t, NewSolver(shape, 2*maxSearched), flat, int1(IntEqual, 8, maxSearched+10, maxSearched+12), text1(StringEqual, "", "y"))
}
