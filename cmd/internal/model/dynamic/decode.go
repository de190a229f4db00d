package dynamic

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Value is an argument.
type Value struct {
	Kind  string // str, bytes, int, float, bool, none, list
	Text  string // a str in UTF-8, or bytes
	Int   *big.Int
	Float float64
	Bool  bool
	List  []Value
}

// Call holds the given arguments. Those with default values are missing.
type Call []Value

// characters are decoded from the bytes 0x80 to 0xfd of a string. String methods often go wrong for
// them. They include letters that become several or others when their case changes, and title case.
// Digits and numbers that are no decimals, and whitespace, separators and controls outside of ASCII
// follow. The rest are combining marks, ignorable marks, and characters beyond 16 bits.
var characters = []rune("éÉßẞŉǰΐΰևẖẘẚᾳᾼῌﬀﬃıİſKÅµμΣσςªºǅǆǄდᲓᏸᎰ" +
	"²³¹¼½٣०๓Ⅷⅷⓐ①㊀〇一" +
	"\x00\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2003\u2028\u2029\u200b\u3000\ufeff\u00ad" +
	"\u0300\u0345\u0307ʼʰ中اא_·÷×€\u0378\ue000\uffff😀𝐀𝟘𐐀𐐨\U0010ffff")

const (
	small    = 0x80 // lower bytes are ASCII characters
	escaped  = 0xfe // followed by a character of three bytes, or by a plain byte
	nul      = 0xff
	longList = 4
)

// reader splits an input. Missing bytes at the end are zero.
type reader struct {
	rest  []byte
	most  int  // maximum number of elements
	words bool // integers have 64 bits
}

func (r *reader) byte() byte {
	if len(r.rest) == 0 {
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// Decode decodes any bytes to a call. Zero ends a string, so a truncated input is a call too.
func (f *Function) Decode(flat []byte) Call {
	r := &reader{flat, f.Elements, f.syntax().words}
	var c Call
	for i, p := range f.Parameters {
		choices := len(p.Kinds)
		if p.Optional {
			choices++
		}
		k := 0
		if choices > 1 {
			k = int(r.byte()) % choices
		}
		if p.Optional {
			if k == 0 {
				break // the remaining arguments have default values too
			}
			k--
		}
		c = append(c, r.value(p.Kinds[k], i == 0))
	}
	return c
}

func (r *reader) value(kind string, first bool) Value {
	if text, fixed := strings.CutPrefix(kind, "="); fixed {
		return Value{Kind: "str", Text: text}
	}
	if inner, list := strings.CutPrefix(kind, "list:"); list {
		v := Value{Kind: "list"}
		for range int(r.byte()) % longList {
			v.List = append(v.List, r.value(inner, false))
		}
		return v
	}
	switch kind {
	case "str":
		return Value{Kind: kind, Text: r.text()}
	case "bytes":
		return Value{Kind: kind, Text: r.bytes()}
	case "int":
		return Value{Kind: kind, Int: r.number(first)}
	case "float":
		return Value{Kind: kind, Float: r.float(first)}
	case "bool":
		return Value{Kind: kind, Bool: r.byte()&1 == 1}
	}
	return Value{Kind: "none"}
}

func (r *reader) text() string {
	var b strings.Builder
	for n := 0; len(r.rest) > 0; {
		var c rune
		switch k := r.byte(); {
		case k == 0:
			return b.String()
		case k < small:
			c = rune(k)
		case k == escaped:
			c = (rune(r.byte())<<16 | rune(r.byte())<<8 | rune(r.byte())) % (utf8.MaxRune + 1)
		case k == nul:
			c = 0
		default:
			c = characters[int(k-small)%len(characters)]
		}
		if n++; n <= r.most && utf8.ValidRune(c) {
			b.WriteRune(c)
		}
	}
	return b.String()
}

func (r *reader) bytes() string {
	var b []byte
	for len(r.rest) > 0 {
		k := r.byte()
		if k == 0 {
			break
		}
		if k == escaped {
			k = r.byte()
		} else if k == nul {
			k = 0
		}
		if len(b) < r.most {
			b = append(b, k)
		}
	}
	return string(b)
}

// number returns a number that is small or close to a power of two. Only the first argument may be
// large. Others are often sizes or exponents, which would use all memory.
func (r *reader) number(large bool) *big.Int {
	switch k := r.byte(); {
	case k < 0x80:
		return big.NewInt(int64(k))
	case k < 0xc0:
		return big.NewInt(-int64(k - 0x7f))
	default:
		power, d := uint(k-0xc0), r.byte()
		if !large {
			power %= 7
		}
		n := new(big.Int).Lsh(big.NewInt(1), power)
		n.Add(n, big.NewInt(int64(int8(d)>>1)))
		if d&1 == 1 {
			n.Neg(n)
		}
		if r.words && !n.IsInt64() {
			n.SetInt64(math.MaxInt64)
			if d&1 == 1 {
				n.SetInt64(math.MinInt64)
			}
		}
		return n
	}
}

// scales are factors that turn a number into a fraction or a large number.
var scales = []float64{1, 0.5, 0.1, 0.25, 1e-7, 1e15, 1e300, math.Inf(1)}

func (r *reader) float(large bool) float64 {
	n, _ := new(big.Float).SetInt(r.number(large)).Float64()
	if n == 0 {
		return 0 // avoids 0 times infinity
	}
	return n * scales[int(r.byte())%len(scales)]
}

// JSON returns a call in the form that adapters read.
func (c Call) JSON() json.RawMessage {
	list := []any{}
	for _, v := range c {
		list = append(list, v.message())
	}
	data, _ := json.Marshal(list) // strings are valid UTF-8
	return data
}

func (v Value) message() any {
	switch v.Kind {
	case "str":
		return map[string]string{"str": v.Text}
	case "bytes":
		return map[string]string{"hex": hex.EncodeToString([]byte(v.Text))}
	case "int":
		return map[string]string{"int": v.Int.String()}
	case "float":
		return map[string]string{"float": strconv.FormatFloat(v.Float, 'g', -1, 64)}
	case "bool":
		return map[string]bool{"bool": v.Bool}
	case "list":
		list := []any{}
		for _, e := range v.List {
			list = append(list, e.message())
		}
		return map[string]any{"list": list}
	}
	return map[string]bool{"none": true}
}

// ReadCall parses the output of JSON, for values other than lists.
func ReadCall(data json.RawMessage) (Call, error) {
	var list []struct {
		Str, Hex, Int, Float *string
		Bool                 *bool
	}
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("a call: %w", err)
	}
	var c Call
	for _, m := range list {
		v := Value{Kind: "none"}
		switch {
		case m.Str != nil:
			v = Value{Kind: "str", Text: *m.Str}
		case m.Hex != nil:
			text, err := hex.DecodeString(*m.Hex)
			if err != nil {
				return nil, fmt.Errorf("a call: %w", err)
			}
			v = Value{Kind: "bytes", Text: string(text)}
		case m.Int != nil:
			n, ok := new(big.Int).SetString(*m.Int, 10)
			if !ok {
				return nil, fmt.Errorf("a call: %q is no integer", *m.Int)
			}
			v = Value{Kind: "int", Int: n}
		case m.Float != nil:
			x, err := strconv.ParseFloat(*m.Float, 64)
			if err != nil {
				return nil, fmt.Errorf("a call: %w", err)
			}
			v = Value{Kind: "float", Float: x}
		case m.Bool != nil:
			v = Value{Kind: "bool", Bool: *m.Bool}
		}
		c = append(c, v)
	}
	return c, nil
}

// Quote renders a call as source on one line.
func (f *Function) Quote(c Call) string {
	text := f.Form
	var rest []string
	parts := []string{}
	for i, v := range c {
		mark := "{" + strconv.Itoa(i) + "}"
		if !strings.Contains(text, mark) {
			rest = append(rest, f.syntax().quote(v))
			continue
		}
		q := f.syntax().quote(v)
		if v.Kind == "int" && (v.Int.Sign() < 0 || strings.Contains(text, mark+".")) && !strings.Contains(text, "("+mark) && !strings.Contains(text, ", "+mark) {
			q = "(" + q + ")"
		}
		parts = append(parts, mark, q)
	}
	others := strings.Join(rest, ", ")
	if others == "" {
		parts = append(parts, ", {...}", "")
	}
	return strings.NewReplacer(append(parts, "{...}", others)...).Replace(text)
}
