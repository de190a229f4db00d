package cmplog

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
)

// The functions below guess where encoded parts of a view begin and end. A wrong guess costs only a
// little search.

// Classes of bytes.
const (
	digit = 1 << iota
	letter
	hexLetter
	base64Mark // neither letter nor digit, of either alphabet
	space
)

// byteClass holds the classes of each byte.
var byteClass = func() (t [256]uint8) {
	for c := '0'; c <= '9'; c++ {
		t[c] |= digit
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= letter
		t[c-'a'+'A'] |= letter
	}
	for _, c := range "abcdefABCDEF" {
		t[c] |= hexLetter
	}
	for _, c := range "+/-_" {
		t[c] |= base64Mark
	}
	for _, c := range " \t\r\n" {
		t[c] |= space
	}
	return t
}()

// decodeLiterals records the texts in double quotes, and adds views of those with escapes.
func (h *haystack) decodeLiterals(n, bound int) {
	start, end := h.views[n].start, h.views[n].end
	for i := start; i < end; {
		q := bytes.IndexByte(h.text[i:end], '"')
		if q < 0 {
			return
		}
		i += q + 1
		j, escaped := closing(h.text[:end], i)
		if j < 0 {
			continue // another literal may begin inside
		}
		if !escaped {
			if len(h.literals) < maxLiterals {
				h.literals = append(h.literals, literal{i, j})
				h.lengths[(j-i)%len(h.lengths)] = true
			}
		} else if data, at, ok := unquote(nil, nil, h.text[i:j]); ok {
			h.add(n, i-start, j-start, quoted{}, data, at, bound)
		}
		i = j + 1
	}
}

// closing returns the offset of the quote that closes a literal which begins at i. It returns -1 if
// the line has none.
func closing(text []byte, i int) (end int, escaped bool) {
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i, escaped
		case c == '\\':
			escaped = true
			i++
		case c < ' ':
			return -1, false
		}
	}
	return -1, false
}

// decodeRuns adds views of runs of hex digits and of base64.
func (h *haystack) decodeRuns(n, bound int) {
	start, end := h.views[n].start, h.views[n].end
	for i := start; i < end; {
		var seen uint8
		notHex, upper, lowerCase := false, false, false
		j := i
		for ; j < end; j++ {
			class := byteClass[h.text[j]]
			if class&(digit|letter|base64Mark) == 0 {
				break
			}
			seen |= class
			notHex = notHex || class&(digit|hexLetter) == 0
			if class&letter != 0 {
				upper, lowerCase = upper || h.text[j] < 'a', lowerCase || h.text[j] >= 'a'
			}
		}
		run := h.text[i:j]
		pad := 0
		for j+pad < end && pad < 2 && h.text[j+pad] == '=' {
			pad++
		}
		whole := i == start && j+pad == end || i > start && h.text[i-1] == '"' && j+pad < end && h.text[j+pad] == '"'
		mixed := upper && lowerCase && (seen&digit != 0 || len(run) >= 20)
		// Words are valid base64, too.
		plain := pad == 0 && !(upper && lowerCase) && seen&base64Mark == 0
		switch {
		case !notHex && pad == 0 && len(run)%2 == 0 && (len(run) >= 8 && seen&digit != 0 || len(run) >= 4 && whole):
			data, err := hex.DecodeString(string(run))
			if err == nil {
				h.add(n, i-start, j-start, hexadecimal{upper: upper && !lowerCase}, data, nil, bound)
			}
		case len(run) >= 16 && mixed || len(run) >= 2 && (pad > 0 && (len(run)+pad)%4 == 0 || whole && !plain && len(run) >= 4):
			h.decodeBase64(n, i-start, run, pad, bound)
		}
		i = j + max(pad, 1)
	}
}

// decodeBase64 adds a view of base64. A run without the alphabets' distinct characters and without
// padding uses the URL alphabet, as tokens do.
func (h *haystack) decodeBase64(n, from int, run []byte, pad, bound int) {
	if pad > 0 && (len(run)+pad)%4 != 0 {
		return
	}
	padded := pad > 0 || len(run)%4 == 0
	forURL := bytes.ContainsAny(run, "-_") || !padded && !bytes.ContainsAny(run, "+/")
	b := base{padded: padded, encoding: base64.RawStdEncoding}
	if forURL {
		b.encoding = base64.RawURLEncoding
		// Tokens have no padding, even if its length would be 0.
		b.padded = pad > 0
	}
	if data, err := b.encoding.DecodeString(string(run)); err == nil {
		h.add(n, from, from+len(run)+pad, b, data, nil, bound)
	}
}

// decodePercent adds views of words with percent-encoding.
func (h *haystack) decodePercent(n, bound int) {
	start, end := h.views[n].start, h.views[n].end
	for i := start; i < end; {
		p := bytes.IndexByte(h.text[i:end], '%')
		if p < 0 {
			return
		}
		p += i
		from, to := p, p
		for from > i && isWordOfURL(h.text[from-1]) {
			from--
		}
		for to < end && isWordOfURL(h.text[to]) {
			to++
		}
		if data, at := unescape(h.text[from:to]); len(data) < to-from {
			h.add(n, from-start, to-start, percent{}, data, at, bound)
		}
		i = to
	}
}

func isWordOfURL(c byte) bool { return c > ' ' && c < 0x7f && c != '"' && c != '<' && c != '>' }

// unescape decodes percent-encoding. It keeps a percent sign without two hex digits.
func unescape(text []byte) (data []byte, at []int32) {
	for i := 0; i < len(text); i++ {
		at = append(at, int32(i))
		var b [1]byte
		if text[i] == '%' && i+3 <= len(text) {
			if _, err := hex.Decode(b[:], text[i+1:i+3]); err == nil {
				data = append(data, b[0])
				i += 2
				continue
			}
		}
		data = append(data, text[i])
	}
	return data, append(at, int32(len(text)))
}

// decodeWide adds views of UTF-16 of four or more ASCII characters.
func (h *haystack) decodeWide(n, bound int) {
	start, end := h.views[n].start, h.views[n].end
	for i := start; i+8 <= end; {
		w := wide{bigEndian: h.text[i] == 0}
		high := 1
		if w.bigEndian {
			high = 0
		}
		j := i
		for ; j+2 <= end && h.text[j+high] == 0 && isText(h.text[j+1-high]); j += 2 {
		}
		if j-i < 8 {
			i++
			continue
		}
		var data []byte
		for k := i + 1 - high; k < j; k += 2 {
			data = append(data, h.text[k])
		}
		h.add(n, i-start, j-start, w, data, nil, bound)
		i = j
	}
}

func isText(c byte) bool { return c >= ' ' && c < 0x7f || byteClass[c]&space != 0 }
