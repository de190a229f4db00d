package feature

// The structure of a JSON output: the nesting and types of its values. Field names count if they
// are the program's own. Names that the input has are data.

// json reads a JSON object or array and appends the cells of its fields, strings and sizes. It
// reports whether the text is JSON or a prefix of JSON. It does not read beyond an error. So other
// text may pass as JSON, which still gives it a structure of its own.
func (s *tokenizer) json(dst []uint16, b []byte) ([]uint16, bool) {
	var objects uint64 // bit per level: the value is an object
	depth, deepest, members, values, leaves := 0, 0, 0, 0, 0
	named, field := false, uint64(0) // the next string is a field name; hash of the field whose value is next
	put := func(kind byte) {
		token := Chain(field, uint64(kind))
		field = 0
		s.put(token)
		if values++; values <= maxFields {
			dst = append(dst, uint16(firstField+token%fieldCells))
		}
	}
	for i := 0; i < len(b); {
		c := b[i]
		end := i + 1
		switch {
		case c == '{' || c == '[':
			if depth == 63 {
				return dst, false
			}
			s.put(Chain(field, uint64(c)))
			field, named = 0, c == '{'
			depth++
			if objects &^= 1 << depth; named {
				objects |= 1 << depth
			}
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			if depth == 0 || (objects>>depth&1 != 0) != (c == '}') {
				return dst, false
			}
			s.put(uint64(c))
			if depth--; depth == 0 {
				return append(dst, uint16(firstSize+bucket(deepest)), uint16(firstSize+8+bucketOrNone(members)), uint16(firstSize+16+bucketOrNone(values))), blank(b[end:])
			}
		case depth == 0 && classOf[c] != spaceClass:
			return dst, false
		case c == ',':
			named = objects>>depth&1 != 0
		case c == '"':
			for end < len(b) && b[end] != '"' {
				if b[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(b))
			text := b[i+1 : max(end-1, i+1)]
			if named {
				members++
				if named, field = false, 0; !s.echoes(text) {
					field = textHash(text)
				}
				break
			}
			if leaves++; leaves <= maxLeaves && len(text) > 0 {
				dst = append(dst, uint16(firstLeaf+leaf(text)))
			}
			switch {
			case len(text) == 0:
				put('e')
			case s.echoes(text):
				put('s')
			default:
				put('S')
			}
		case classOf[c] == spaceClass || c == ':':
		default: // a number or a word
			for end < len(b) && (isWord(b[end]) || b[end] == '.' || b[end] == '-' || b[end] == '+') {
				end++
			}
			if c != '-' && !isWord(c) {
				return dst, false
			}
			put(number(b[i:end]))
		}
		i = end
	}
	return dst, depth > 0 && len(b) == maxText
}

// number returns the kind of a value that is not a string: a word's first letter, or whether a
// number is whole and negative.
func number(b []byte) byte {
	if classOf[b[0]] != digitClass && b[0] != '-' {
		return b[0]
	}
	kind := byte('0')
	for _, c := range b {
		if c == '.' || c|0x20 == 'e' {
			kind = '1'
		}
	}
	if b[0] == '-' {
		kind += 2
	}
	return kind
}

// leaf returns a bit mask of the character groups in a string.
func leaf(text []byte) int {
	mask := 0
	for _, c := range text {
		mask |= 1 << groupOf[classOf[c]]
	}
	return mask
}

// bucketOrNone returns the bucket of a number that may be 0, which shares the bucket of 1.
func bucketOrNone(n int) int { return bucket(max(n, 1)) }

func blank(b []byte) bool {
	for _, c := range b {
		if classOf[c] != spaceClass {
			return false
		}
	}
	return true
}
