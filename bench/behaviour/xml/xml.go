//parallax:generator

// Package xml generates XML documents from a dictionary of names and texts. It reads them strictly:
// an element or attribute that a type does not know is an error. The choices are those of the
// generator by which Zest and BeDivFuzz were measured on Maven and Tomcat (Padhye et al., ISSTA
// 2019, section 4).
package xml

import (
	"strings"

	"parallax/gen"
)

const (
	deepest    = 6
	meanNodes  = 4
	meanNames  = 2
	characters = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_.:/${} &<"
)

// Hints holds a consumer's knowledge of documents: the root, names of elements and attributes, and
// texts.
type Hints struct {
	Root       string
	Elements   []string
	Attributes []string
	Texts      []string
}

type document struct {
	strings.Builder
	t     *gen.T
	h     *Hints
	depth int
	node  gen.Gen[struct{}]
}

// Document makes a generator of documents.
func Document(h Hints) gen.Gen[string] {
	return gen.Rule("document", func(t *gen.T) string {
		d := &document{t: t, h: &h}
		d.node = gen.Rule("element", func(*gen.T) struct{} { d.element(""); return struct{}{} })
		d.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
		d.element(h.Root)
		return d.String()
	})
}

func (d *document) element(name string) {
	if name == "" {
		name = d.word("element", d.h.Elements)
	}
	d.WriteByte('<')
	d.WriteString(name)
	for n := d.t.Count("attributes", 0.3); n > 0; n-- {
		d.WriteByte(' ')
		d.WriteString(d.word("attribute", d.h.Attributes))
		d.WriteString(`="`)
		d.text()
		d.WriteByte('"')
	}
	d.depth++
	if d.depth > 1 && d.t.Flip("empty") {
		d.WriteString("/>")
		d.depth--
		return
	}
	d.WriteByte('>')
	switch {
	case d.depth < deepest && (d.depth == 1 || d.t.Flip("has elements")):
		for n := d.t.Count("children", meanNodes); n > 0; n-- {
			d.node.Draw(d.t, "child")
		}
	default:
		around := [][2]string{{"<!-- ", " -->"}, {"<![CDATA[", "]]>"}, {}, {}, {}, {}, {}, {}}[d.t.IntRange("content", 0, 7)]
		d.WriteString(around[0])
		d.text()
		d.WriteString(around[1])
	}
	d.depth--
	d.WriteString("</")
	d.WriteString(name)
	d.WriteByte('>')
}

// word draws a name of the dictionary, or, one time in eight, another one.
func (d *document) word(label string, words []string) string {
	if len(words) > 0 && d.t.Choose("known "+label, 8) > 0 {
		return words[d.t.IntRange(label, 0, len(words)-1)]
	}
	var b strings.Builder
	for n := 1 + d.t.Count("letters", meanNames); n > 0; n-- {
		b.WriteByte(characters[d.t.IntRange("letter", 0, 25)])
	}
	return b.String()
}

// escapes are not those of encoding/xml, whose branches count where it is the program under test.
var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&#34;", "'", "&#39;")

// text draws a text of the dictionary or characters. It escapes characters that XML does not allow
// in the place.
func (d *document) text() {
	if len(d.h.Texts) > 0 && d.t.Choose("known text", 4) > 0 {
		escapes.WriteString(&d.Builder, d.h.Texts[d.t.IntRange("text", 0, len(d.h.Texts)-1)])
		return
	}
	for n := d.t.Count("characters", meanNodes); n > 0; n-- {
		d.WriteByte(characters[d.t.IntRange("character", 0, len(characters)-1)])
	}
}
