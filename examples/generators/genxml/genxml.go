// Package genxml draws XML documents, by hints which elements, attributes and texts there are: a
// generator to copy and to change.
package genxml

import (
	"regexp"
	"slices"
	"sort"
	"strings"

	"parallax/gen"
)

// Hints say what documents are made of. Learn makes them of documents that there are, and Schema of
// an XML schema.
type Hints struct {
	Roots    []string            // elements that a document may begin with
	Elements map[string]*Element // by name
	Words    []string            // that are likely as names, values and texts anywhere: see Dictionary
}

// Element describes the contents of elements of a name.
type Element struct {
	Attributes map[string][]string // names, and values that are likely
	Required   []string            // attributes that are always there
	Children   []string            // elements
	Texts      []string            // that are likely; there is text if there is one, or no child
	Model      *Part               // order and number of children, as in a schema; nil means random
}

// Document draws documents, which are well-formed. Most of a document is as the hints say, and some
// of it is not. Without hints, names are any.
func Document(h Hints) gen.Gen[string] {
	d := &documents{hints: h}
	for name := range h.Elements {
		d.names = append(d.names, name)
	}
	sort.Strings(d.names)
	for _, word := range h.Words {
		if isName.MatchString(word) {
			d.words = append(d.words, word)
		}
	}
	return gen.Custom(func(t *gen.T) string {
		root := d.name(t, "root", h.Roots)
		head := gen.SampledFrom([]string{"", `<?xml version="1.0"?>`, `<?xml version="1.0" encoding="UTF-8"?>` + "\n", "<!-- c -->", "<?p i?>"}).Draw(t, "head")
		return head + d.element(t, "document", root, h.Elements[root], 0)
	})
}

// deepest is how many levels of elements there are at most.
const deepest = 8

type documents struct {
	hints Hints
	names []string // of all elements
	words []string // of the dictionary that are names
}

var isName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

var anyName = gen.StringMatching(`[a-z_][A-Za-z0-9_.-]{0,7}`)

// name draws one of some names, now and then one of all elements, and else any.
func (d *documents) name(t *gen.T, label string, likely []string) string {
	which := t.Choose(label+" kind", 16)
	switch {
	case len(likely) > 0 && which < 14:
		return likely[t.Choose(label, len(likely))]
	case len(d.names) > 0 && which < 15:
		return d.names[t.Choose(label+" of all", len(d.names))]
	}
	return d.other(t, label+" at will")
}

// other draws a name that no hint has in this place.
func (d *documents) other(t *gen.T, label string) string {
	if len(d.words) > 0 && t.Flip(label+" of the dictionary") {
		return d.words[t.Choose(label+" word", len(d.words))]
	}
	return anyName.Draw(t, label)
}

// element draws an element. The rule has its name, so that parallax exchanges elements of one name
// between documents.
func (d *documents) element(t *gen.T, label, name string, e *Element, depth int) string {
	return gen.Rule("element "+name, func(t *gen.T) string {
		if e == nil {
			e = &Element{Children: d.names}
		}
		tag := "<" + name + d.attributes(t, e)
		content := d.content(t, e, depth)
		if content == "" && t.Flip("empty tag") {
			return tag + "/>"
		}
		return tag + ">" + content + "</" + name + ">"
	}).Draw(t, label)
}

// attributes draws some of those that there are, no one twice.
func (d *documents) attributes(t *gen.T, e *Element) string {
	text, there := "", map[string]bool{}
	add := func(name string, likely []string) {
		if !there[name] {
			there[name] = true
			text += " " + name + `="` + escape(d.value(t, "value", likely)) + `"`
		}
	}
	for _, name := range sorted(e.Attributes) {
		if slices.Contains(e.Required, name) || t.Choose("attribute", 3) > 0 {
			add(name, e.Attributes[name])
		}
	}
	if t.Choose("other attribute", 16) == 1 {
		add(d.other(t, "name"), nil)
	}
	return text
}

func sorted(m map[string][]string) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// value draws one of some texts, now and then a word of the dictionary, and else any.
func (d *documents) value(t *gen.T, label string, likely []string) string {
	which := t.Choose(label+" kind", 16)
	switch {
	case len(likely) > 0 && which < 14:
		return gen.SampledFrom(likely).Draw(t, label)
	case len(d.hints.Words) > 0 && which < 15:
		return gen.SampledFrom(d.hints.Words).Draw(t, label+" word")
	}
	return gen.StringN(gen.Rune(), 0, 12).Draw(t, label)
}

// content draws what is in an element: children, texts, and what is neither.
func (d *documents) content(t *gen.T, e *Element, depth int) string {
	switch as := t.Choose("content", 16); {
	case e.Model != nil && as < 15:
		return d.part(t, e.Model, depth)
	case len(e.Texts) > 0 && len(e.Children) == 0 && as < 12:
		return escape(d.value(t, "text", e.Texts)) // as in nearly all documents
	}
	var b strings.Builder
	for n := t.Choose("parts", 5); n > 0; n-- {
		switch which := t.Choose("part", 16); {
		case which == 15:
			b.WriteString("<!-- " + gen.StringMatching(`[a-z <>&"']{0,8}`).Draw(t, "comment") + " -->")
		case which == 14:
			b.WriteString("<![CDATA[" + gen.StringMatching(`[a-z <>&"']{0,8}`).Draw(t, "data") + "]]>")
		case which == 13:
			b.WriteString(gen.SampledFrom([]string{"&amp;", "&lt;", "&#10;", "&#x1F600;", "<?p i?>"}).Draw(t, "reference"))
		case which < 10 && depth < deepest && (len(e.Children) > 0 || d.names == nil):
			name := d.name(t, "child name", e.Children)
			b.WriteString(d.element(t, "child", name, d.hints.Elements[name], depth+1))
		case len(e.Texts) > 0 || len(e.Children) == 0:
			b.WriteString(escape(d.value(t, "text", e.Texts)))
		default:
			b.WriteString(gen.SampledFrom([]string{"\n", " ", "\t"}).Draw(t, "space"))
		}
	}
	return b.String()
}

// escape writes a text so that it is valid anywhere. It replaces characters that XML does not have.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&quot;")
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff:
			b.WriteRune('?')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
