package oracle

import "strings"

const quotes = "\"`'"

// Errors of one cause in different inputs have the same text with different values. The class of a
// message is its text without the values. Quoted parts become <q> and numbers become <n>. Positions
// ("line 3, column 5") vanish with their numbers. One scanner computes both the text and its hash.

// MessageClass returns msg with quoted parts and numbers removed:
//
//	strconv.ParseInt: parsing "abc": invalid syntax
//	strconv.ParseInt: parsing <q>: invalid syntax
//
// Quotes are ", ` and ', also `like this'. An apostrophe inside or after a word is text, and so is
// a quote that is not closed. Quoted text may hold the quote itself. A " or ` that cannot open a
// part, with a word before it or a blank behind it, ends the part before it. A number is a run of
// digits with its sign, fraction, exponent and further dotted parts, or 0x and hexadecimal digits.
// U+00E9 and \xe9 count as numbers too. So does a word of four or more hexadecimal digits with a
// decimal one among them. So do three or more groups of such digits that - or : joins, as in a UUID
// or an address. The first 64 KiB of a message count.
func MessageClass(msg string) string {
	s := classSink{text: make([]byte, 0, min(len(msg), classLimit)), keep: true}
	s.scan(msg)
	return string(s.text)
}

// messageHash is the hash of MessageClass(msg), without building the text.
func messageHash(h byteHash, msg string) byteHash {
	s := classSink{hash: h}
	s.scan(msg)
	return s.hash
}

// classSink collects the class of a message as text or, with keep false, as a hash.
type classSink struct {
	hash byteHash
	text []byte
	keep bool
}

func (s *classSink) put(part string) {
	if s.keep {
		s.text = append(s.text, part...)
		return
	}
	s.hash = s.hash.text(part)
}

// classLimit limits the part of a message that determines its class. Longer messages hold data.
const classLimit = 64 << 10

func (s *classSink) scan(msg string) {
	msg = msg[:min(len(msg), classLimit)]
	// Once a kind of quote is not closed, no later one of that kind is. The search for its end has
	// seen the rest. This keeps the scan linear.
	var unclosed [3]bool // in the order of quotes
	plain := 0           // start of the pending text
	ungrouped := 0       // no groups of hexadecimal digits start before
	for i := 0; i < len(msg); {
		var end int
		var mark string
		switch c := msg[i]; {
		case c == '"' || c == '`' || c == '\'':
			kind := strings.IndexByte(quotes, c)
			if unclosed[kind] {
				break
			}
			if c == '\'' && i > 0 && isWord(msg[i-1]) {
				break // an apostrophe
			}
			if end = quoteEnd(msg, i); end == 0 {
				unclosed[kind] = true
			} else if c != '\'' {
				end = lastQuoteEnd(msg, end, c)
			}
			mark = "<q>"
		case isHex(c) && (i == 0 || !isWord(msg[i-1])):
			if i >= ungrouped {
				if end = groupsEnd(msg, i); end == 0 {
					ungrouped = chainEnd(msg, i)
				}
			}
			if end == 0 {
				end = hexWordEnd(msg, i)
			}
			if end == 0 && isDigit(c) {
				end = numberEnd(msg, i)
			}
			mark = "<n>"
		case isDigit(c):
			end, mark = numberEnd(msg, i), "<n>"
		case (c == '-' || c == '+') && i+1 < len(msg) && isDigit(msg[i+1]) && (i == 0 || !isWord(msg[i-1])):
			end, mark = numberEnd(msg, i+1), "<n>"
		case c == 'U' && i+2 < len(msg) && msg[i+1] == '+' && isHex(msg[i+2]) && (i == 0 || !isWord(msg[i-1])):
			end, mark = hexEnd(msg, i+2), "<n>"
		case c == '\\' && i+2 < len(msg) && (msg[i+1]|0x20 == 'x' || msg[i+1]|0x20 == 'u') && isHex(msg[i+2]):
			end, mark = hexEnd(msg, i+2), "<n>"
		}
		if end == 0 {
			i++
			continue
		}
		s.put(msg[plain:i])
		s.put(mark)
		i, plain = end, end
	}
	s.put(msg[plain:])
}

// quoteEnd returns the index after the quote that closes the one at start, 0
// if none does. A backslash hides the next byte except between backquotes.
func quoteEnd(msg string, start int) int {
	quote := msg[start]
	apostrophe := 0 // the end of `like this'
	for i := start + 1; i < len(msg); i++ {
		switch c := msg[i]; {
		case c == '\\' && quote != '`':
			i++
		case c == quote && apostrophe > 0 && opens(msg, i):
			return apostrophe // of the first of `several' `parts'
		case c == quote:
			// A closing ' is not followed by a word: 'can't' is one part.
			if c != '\'' || i+1 == len(msg) || !isWord(msg[i+1]) {
				return i + 1
			}
		case c == '\'' && quote == '`' && apostrophe == 0 && (i+1 == len(msg) || !isWord(msg[i+1])):
			apostrophe = i + 1
		}
	}
	return apostrophe
}

// lastQuoteEnd returns the index after the further quotes behind a quoted part that ends at end, if
// they cannot open another part.
func lastQuoteEnd(msg string, end int, quote byte) int {
	for {
		next := strings.IndexByte(msg[end:], quote)
		if next < 0 || opens(msg, end+next) {
			return end
		}
		end += next + 1
	}
}

// opens reports whether a quote can open a quoted part. A quote of another kind may precede it.
// Otherwise no word may precede it, except for a letter that languages put before a literal. A
// blank may follow it if the blank is all that is quoted. It may also follow if a blank or bracket
// precedes the quote, and a later one can close the part.
func opens(msg string, quote int) bool {
	if quote+1 == len(msg) {
		return false
	}
	before, behind := byte(' '), msg[quote+1]
	if quote > 0 {
		before = msg[quote-1]
	}
	if before == behind && strings.IndexByte(quotes, before) >= 0 {
		return true
	}
	if isWord(before) && (strings.IndexByte("bBfFLrRuU", before) < 0 || quote > 1 && isWord(msg[quote-2])) {
		return false
	}
	if behind > ' ' || quote+2 < len(msg) && msg[quote+2] == msg[quote] {
		return true
	}
	return strings.IndexByte(" \t\n([{=:", before) >= 0 && strings.IndexByte(msg[quote+1:], msg[quote]) >= 0
}

// numberEnd returns the index after the number whose first digit is at i.
func numberEnd(msg string, i int) int {
	if msg[i] == '0' && i+2 < len(msg) && msg[i+1]|0x20 == 'x' && isHex(msg[i+2]) {
		return hexEnd(msg, i+2)
	}
	i = digitsEnd(msg, i)
	for i+1 < len(msg) && msg[i] == '.' && isDigit(msg[i+1]) {
		i = digitsEnd(msg, i+1)
	}
	if i+1 < len(msg) && msg[i]|0x20 == 'e' {
		exponent := i + 1
		if exponent+1 < len(msg) && (msg[exponent] == '-' || msg[exponent] == '+') {
			exponent++
		}
		if end := digitsEnd(msg, exponent); end > exponent && (end == len(msg) || !isWord(msg[end])) {
			i = end
		}
	}
	return i
}

func digitsEnd(msg string, i int) int {
	for i < len(msg) && isDigit(msg[i]) {
		i++
	}
	return i
}

func hexEnd(msg string, i int) int {
	for i < len(msg) && isHex(msg[i]) {
		i++
	}
	return i
}

// minHex is the length from which a word of hexadecimal digits is taken for a value.
const minHex = 4

// hexWordEnd returns the index after the word at i if it is minHex hexadecimal digits or more, with
// both letters and decimal digits. Otherwise it returns 0.
func hexWordEnd(msg string, i int) int {
	end := hexEnd(msg, i)
	digits := decimals(msg[i:end])
	if end-i < minHex || digits == 0 || digits == end-i || end < len(msg) && isWord(msg[end]) {
		return 0
	}
	return end
}

// minGroups is the number of groups of hexadecimal digits from which they are taken for a value.
// A line and its column are two.
const minGroups = 3

// groupsEnd returns the index after the groups of hexadecimal digits at i that - or : joins. There
// must be minGroups or more, with a decimal digit. Two colons have an empty group between them.
// Otherwise it returns 0.
func groupsEnd(msg string, i int) int {
	if i > 0 && msg[i-1] == '.' { // the extension of a file, with line and column behind it
		return 0
	}
	end := chainEnd(msg, i)
	chain := msg[i:end]
	if decimals(chain) == 0 || strings.Count(chain, "-")+strings.Count(chain, ":")+1 < minGroups {
		return 0
	}
	return end
}

// chainEnd returns the index after the last of the groups at i. A group that continues as a word
// does not count.
func chainEnd(msg string, i int) int {
	for end := i; ; {
		next := hexEnd(msg, i)
		if next == i || next < len(msg) && isWord(msg[next]) {
			return end
		}
		if end = next; end == len(msg) || msg[end] != '-' && msg[end] != ':' {
			return end
		}
		i = end + 1
		if msg[end] == ':' && i < len(msg) && msg[i] == ':' {
			i++
		}
	}
}

func decimals(s string) (n int) {
	for i := 0; i < len(s); i++ {
		if isDigit(s[i]) {
			n++
		}
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// isWord reports whether c is part of a word. Bytes above ASCII count as letters.
func isWord(c byte) bool {
	return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= 0x80
}
