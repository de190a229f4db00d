package genxml

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// Schema makes hints from an XML schema (XSD). They have elements with their attributes, children
// in their order and number, and texts of their types. It knows element, complexType, sequence,
// choice, all, group, attribute, attributeGroup, simpleType with restriction and enumeration, and
// the extension of both kinds of content. It draws nothing for any and anyAttribute, and ignores
// patterns, unions, lists and imports. Names have no namespaces. The document's element is one of
// those at the top of the schema.
func Schema(xsd string) (Hints, error) {
	var top declaration
	if err := xml.Unmarshal([]byte(xsd), &top); err != nil {
		return Hints{}, fmt.Errorf("reading the schema: %w", err)
	}
	if top.XMLName.Local != "schema" {
		return Hints{}, fmt.Errorf("reading the schema: the document is a <%s>, and not a <schema>", top.XMLName.Local)
	}
	s := &schema{hints: Hints{Elements: map[string]*Element{}}, global: map[string]*declaration{}, done: map[*declaration]*Element{}}
	for i := range top.Inside {
		d := &top.Inside[i]
		s.global[d.XMLName.Local+" "+d.Name] = d
	}
	for i := range top.Inside {
		if d := &top.Inside[i]; d.XMLName.Local == "element" {
			s.hints.Roots = append(s.hints.Roots, d.Name)
			s.hints.Elements[d.Name] = within(s.element(d), top.Namespace)
		}
	}
	if len(s.hints.Roots) == 0 && s.err == nil {
		s.err = fmt.Errorf("no <element> stands at the top of the schema")
	}
	return s.hints, s.err
}

// within is an element that begins a document in a namespace.
func within(e *Element, namespace string) *Element {
	if namespace == "" {
		return e
	}
	root := *e
	root.Attributes = map[string][]string{"xmlns": {namespace}}
	for name, values := range e.Attributes {
		root.Attributes[name] = values
	}
	root.Required = append([]string{"xmlns"}, e.Required...)
	return &root
}

// declaration is an element of a schema, of any kind.
type declaration struct {
	XMLName xml.Name

	Namespace string `xml:"targetNamespace,attr"` // of all

	Name    string        `xml:"name,attr"`
	Ref     string        `xml:"ref,attr"`
	Type    string        `xml:"type,attr"`
	Base    string        `xml:"base,attr"`
	Value   string        `xml:"value,attr"`
	Use     string        `xml:"use,attr"`
	Fixed   string        `xml:"fixed,attr"`
	Default string        `xml:"default,attr"`
	Min     string        `xml:"minOccurs,attr"`
	Max     string        `xml:"maxOccurs,attr"`
	Mixed   bool          `xml:"mixed,attr"`
	Inside  []declaration `xml:",any"`
}

// schema is the state of reading a schema.
type schema struct {
	hints  Hints
	global map[string]*declaration   // those at the top, by kind and name
	done   map[*declaration]*Element // elements by their types, which may hold themselves; those of simple types by their own declarations
	err    error                     // the first
	nested int                       // types and groups within each other
}

// deepestType bounds nested: a type that is made of itself has no end.
const deepestType = 100

func (s *schema) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf(format, args...)
	}
}

// named returns the declaration of a name at the top. Prefixes do not matter.
func (s *schema) named(kind, name string) *declaration {
	d := s.global[kind+" "+local(name)]
	if d == nil {
		s.fail("there is no <%s> %s at the top of the schema", kind, name)
		return &declaration{}
	}
	return d
}

func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// child is the first of some kinds within a declaration; nil if there is none.
func (d *declaration) child(kinds ...string) *declaration {
	for i := range d.Inside {
		for _, kind := range kinds {
			if d.Inside[i].XMLName.Local == kind {
				return &d.Inside[i]
			}
		}
	}
	return nil
}

// element reads the declaration of an element. Elements of one name may differ by their place. The
// first one represents the name.
func (s *schema) element(d *declaration) *Element {
	of := d.child("complexType")
	if of == nil && s.global["complexType "+local(d.Type)] != nil {
		of = s.named("complexType", d.Type)
	}
	key := of
	if key == nil {
		key = d
	}
	e := s.done[key]
	if e == nil {
		e = &Element{Attributes: map[string][]string{}}
		s.done[key] = e
		if of != nil {
			s.complex(e, of)
		} else {
			e.Texts = s.texts(d)
		}
	}
	if s.hints.Elements[d.Name] == nil {
		s.hints.Elements[d.Name] = e
	}
	return e
}

// complex adds what a complex type says to an element.
func (s *schema) complex(e *Element, d *declaration) {
	if s.nested++; s.nested > deepestType {
		s.fail("type %s is made of itself", d.Name)
		return
	}
	defer func() { s.nested-- }()
	if d.Mixed {
		e.Texts = append(e.Texts, typical["string"]...)
	}
	for i := range d.Inside {
		switch c := &d.Inside[i]; c.XMLName.Local {
		case "sequence", "choice", "all", "group":
			s.hold(e, s.part(e, c))
		case "attribute":
			s.attribute(e, c)
		case "attributeGroup":
			s.complex(e, s.named("attributeGroup", c.Ref))
		case "simpleContent", "complexContent":
			if x := c.child("extension", "restriction"); x != nil {
				base := s.global["complexType "+local(x.Base)]
				switch {
				case base != nil && (x.XMLName.Local == "extension" || c.XMLName.Local == "simpleContent"):
					s.complex(e, base)
				case c.XMLName.Local == "simpleContent":
					e.Texts = s.texts(x)
				}
				s.complex(e, x)
			}
		}
	}
}

// hold has an element hold a part, behind what it holds already.
func (s *schema) hold(e *Element, p *Part) {
	if e.Model == nil {
		e.Model = p
		return
	}
	e.Model = &Part{Parts: []*Part{e.Model, p}, Min: 1, Max: 1}
}

// part reads a group of elements, or one of them.
func (s *schema) part(e *Element, d *declaration) *Part {
	p := &Part{Min: s.number(d.Min), Max: s.number(d.Max)}
	if s.nested++; s.nested > deepestType {
		s.fail("group %s is made of itself", d.Ref)
		return p
	}
	defer func() { s.nested-- }()
	switch d.XMLName.Local {
	case "element":
		if d.Ref != "" {
			d = s.named("element", d.Ref)
		}
		p.Name, p.Element = d.Name, s.element(d)
		e.Children = with(e.Children, d.Name)
		return p
	case "group":
		if d = s.named("group", d.Ref).child("sequence", "choice", "all"); d == nil {
			return p
		}
	}
	p.Order = map[string]Order{"choice": Choice, "all": All}[d.XMLName.Local]
	for i := range d.Inside {
		switch c := &d.Inside[i]; c.XMLName.Local {
		case "element", "sequence", "choice", "all", "group":
			p.Parts = append(p.Parts, s.part(e, c))
		}
	}
	return p
}

// number reads minOccurs and maxOccurs, which are 1 where they are not said.
func (s *schema) number(text string) int {
	switch text {
	case "":
		return 1
	case "unbounded":
		return -1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		s.fail("%q is no number of times that an element stands somewhere", text)
	}
	return n
}

// attribute adds what an attribute declaration says.
func (s *schema) attribute(e *Element, d *declaration) {
	use := d.Use
	if d.Ref != "" {
		if strings.HasPrefix(d.Ref, "xml:") {
			e.Attributes[d.Ref] = []string{"en", "preserve"}
			return
		}
		d = s.named("attribute", d.Ref)
	}
	switch use {
	case "prohibited":
		return
	case "required":
		e.Required = with(e.Required, d.Name)
	}
	e.Attributes[d.Name] = s.texts(d)
}

// typical are texts of the built-in types: edges, and what is common. Other types have those of a
// string.
var typical = map[string][]string{
	"string":             {"a", "a b", ""},
	"boolean":            {"true", "false", "0", "1"},
	"int":                {"0", "1", "-1", "2147483647"},
	"integer":            {"0", "1", "-1", "9223372036854775808"},
	"long":               {"0", "1", "-1", "9223372036854775807"},
	"positiveInteger":    {"1", "2", "4294967296"},
	"nonNegativeInteger": {"0", "1", "4294967296"},
	"decimal":            {"0", "1.5", "-0.001"},
	"double":             {"0", "1.5", "-1e308", "INF", "NaN"},
	"date":               {"2000-02-29", "1999-12-31"},
	"dateTime":           {"2000-02-29T00:00:00Z", "1999-12-31T23:59:59.999+14:00"},
	"anyURI":             {"http://example.com/a?b=c#d", "urn:x", "../a"},
	"NMTOKEN":            {"a", "1"},
	"ID":                 {"a", "b"},
	"IDREF":              {"a", "b"},
}

// texts are likely texts of a declaration with a simple type.
func (s *schema) texts(d *declaration) []string {
	for depth := 0; depth < 10; depth++ { // a type may restrict another
		switch {
		case d.Fixed != "":
			return []string{d.Fixed}
		case d.child("simpleType") != nil:
			d = d.child("simpleType")
			continue
		case d.child("restriction") != nil:
			d = d.child("restriction")
		}
		var values []string
		for i := range d.Inside {
			if d.Inside[i].XMLName.Local == "enumeration" {
				values = with(values, d.Inside[i].Value)
			}
		}
		if d.Default != "" {
			values = with(values, d.Default)
		}
		name := local(d.Type + d.Base)
		switch {
		case len(values) > 0 && d.Type == "":
			return values
		case s.global["simpleType "+name] != nil:
			d = s.named("simpleType", name)
		case typical[name] != nil:
			return append(values, typical[name]...)
		default:
			return append(values, typical["string"]...)
		}
	}
	return typical["string"]
}
