package parting

import (
	"fmt"
	"go/token"
	"strings"

	"parallax/cmd/internal/base/units"
)

// Values of programs are recorded as package oracle renders them: trees of structs, maps and lists
// as text. Here that text is read again, to say where in a tree two values part.

// A tree is a value and what it holds.
type tree struct {
	text string // the whole of it
	head string // of a container: the type before the bracket, with & for pointers
	open byte   // of a container: its bracket
	kids []branch
}

type branch struct {
	key   string // of a field or entry; "" in lists
	value tree
}

// maxTreeDepth bounds recursion: package oracle renders no deeper than this.
const maxTreeDepth = 1100

// parseTree reads a rendered value. It is tolerant: what was cut off is missing, nothing else.
// false says that the text is not of the form.
func parseTree(s string) (tree, bool) {
	p := treeParser{s: s}
	t, ok := p.value(0)
	return t, ok && p.at == len(s)
}

type treeParser struct {
	s  string
	at int
}

func (p *treeParser) value(depth int) (tree, bool) {
	if depth > maxTreeDepth {
		return tree{}, false
	}
	start := p.at
	for p.at < len(p.s) {
		head := p.s[start:p.at]
		untyped := strings.Trim(head, "&") == ""
		switch c := p.s[p.at]; c {
		case '"':
			p.quoted()
			continue
		case '{':
			return p.container(start, depth)
		case '[', '(':
			if untyped {
				return p.container(start, depth)
			}
			p.skip() // arguments of a type, or time(...)
			continue
		case ',', ']', '}', ')':
			return tree{text: head}, p.at > start
		case ':':
			if strings.HasPrefix(p.s[p.at:], ": ") {
				return tree{text: head}, p.at > start
			}
		}
		p.at++
	}
	return tree{text: p.s[start:]}, p.at > start
}

func (p *treeParser) container(start, depth int) (tree, bool) {
	t := tree{head: p.s[start:p.at], open: p.s[p.at]}
	shut := map[byte]byte{'{': '}', '[': ']', '(': ')'}[t.open]
	p.at++
	for p.at < len(p.s) && p.s[p.at] != shut {
		kid, ok := p.value(depth + 1)
		if !ok {
			return tree{}, false
		}
		b := branch{value: kid}
		if strings.HasPrefix(p.s[p.at:], ": ") {
			p.at += 2
			b.key = kid.text
			if p.at < len(p.s) {
				if b.value, ok = p.value(depth + 1); !ok {
					return tree{}, false
				}
			}
		}
		t.kids = append(t.kids, b)
		if strings.HasPrefix(p.s[p.at:], ", ") {
			p.at += 2
		} else if p.at < len(p.s) && p.s[p.at] != shut {
			return tree{}, false
		}
	}
	if p.at < len(p.s) {
		p.at++
	}
	t.text = p.s[start:p.at]
	return t, true
}

// quoted skips a string.
func (p *treeParser) quoted() {
	for p.at++; p.at < len(p.s); p.at++ {
		switch p.s[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			return
		}
	}
	p.at = len(p.s)
}

// skip passes a bracket with all that is in it.
func (p *treeParser) skip() {
	deep := 0
	for p.at < len(p.s) {
		switch p.s[p.at] {
		case '"':
			p.quoted()
			continue
		case '[', '(', '{':
			deep++
		case ']', ')', '}':
			if deep--; deep == 0 {
				p.at++
				return
			}
		}
		p.at++
	}
}

// missing represents a part that a value does not have.
const missing = "(nothing)"

// maxPartings is how many places are reported. All are counted.
const maxPartings = 3

// OfTrees are the first places in which values that are trees differ, and how many there are.
func OfTrees(values []string) (list []Parting, n int) {
	if trees, ok := parseTrees(values); ok {
		walkTrees(trees, "", &list, &n)
	}
	return list, n
}

func walkTrees(values []tree, path string, list *[]Parting, n *int) {
	same, alike := true, values[0].open != 0
	for _, v := range values[1:] {
		same = same && v.text == values[0].text
		alike = alike && v.open == values[0].open && v.head == values[0].head
	}
	if same {
		return
	}
	if !alike {
		addParting(path, texts(values), list, n)
		return
	}
	if values[0].open == '{' {
		walkEntries(values, path, list, n)
		return
	}
	most, uneven := len(values[0].kids), false
	var lengths []string
	for _, v := range values {
		uneven = uneven || len(v.kids) != len(values[0].kids)
		most = max(most, len(v.kids))
		lengths = append(lengths, units.Plural(len(v.kids), "element"))
	}
	if uneven {
		addParting("len("+orValue(path)+")", lengths, list, n)
	}
	for i := range most {
		step := fmt.Sprintf("%s[%d]", path, i)
		if values[0].open == '(' && path == "" {
			step = fmt.Sprintf("result %d", i+1)
		}
		kids, whole := make([]tree, len(values)), true
		for k, v := range values {
			if i < len(v.kids) {
				kids[k] = v.kids[i].value
			} else {
				kids[k], whole = tree{text: missing}, false
			}
		}
		if whole {
			walkTrees(kids, step, list, n)
		} else {
			addParting(step, texts(kids), list, n)
		}
	}
}

func walkEntries(values []tree, path string, list *[]Parting, n *int) {
	var keys []string
	byKey := make([]map[string]tree, len(values))
	known := map[string]bool{}
	for i, v := range values {
		byKey[i] = map[string]tree{}
		for _, k := range v.kids {
			byKey[i][k.key] = k.value
			if !known[k.key] {
				known[k.key] = true
				keys = append(keys, k.key)
			}
		}
	}
	for _, key := range keys {
		step := path + "[" + key + "]"
		if token.IsIdentifier(key) || token.IsKeyword(key) {
			step = path + "." + key
		}
		kids, whole := make([]tree, len(values)), true
		for i := range values {
			kid, ok := byKey[i][key]
			if !ok {
				kid, whole = tree{text: missing}, false
			}
			kids[i] = kid
		}
		if whole {
			walkTrees(kids, step, list, n)
		} else {
			addParting(step, texts(kids), list, n)
		}
	}
}

// addParting counts a parting and adds it while the list has room.
func addParting(path string, texts []string, list *[]Parting, n *int) {
	if *n++; len(*list) < maxPartings {
		*list = append(*list, Parting{path, texts})
	}
}

func texts(values []tree) []string {
	var list []string
	for _, v := range values {
		list = append(list, v.text)
	}
	return list
}

func orValue(path string) string {
	if path == "" {
		return "value"
	}
	return path
}
