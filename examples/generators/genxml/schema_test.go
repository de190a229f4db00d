package genxml

import (
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parallax/gen"
)

func schemed(t testing.TB) Hints {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "build.xsd"))
	if err != nil {
		t.Fatal(err)
	}
	h, err := Schema(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestSchema(t *testing.T) {
	h := schemed(t)
	project := h.Elements["project"]
	if !reflect.DeepEqual(h.Roots, []string{"project"}) || !reflect.DeepEqual(project.Required, []string{"xmlns"}) ||
		!reflect.DeepEqual(project.Attributes["xmlns"], []string{"http://example.com/build"}) {
		t.Errorf("%q, %+v", h.Roots, project)
	}
	model := project.Model
	if model.Order != All || len(model.Parts) != 7 || model.Parts[0].Min != 1 || model.Parts[2].Min != 0 || model.Parts[2].Max != 1 {
		t.Errorf("of the project: %+v", model)
	}
	dependency := h.Elements["dependency"]
	if !reflect.DeepEqual(dependency.Children, []string{"artifactId", "version", "scope", "optional", "exclusion"}) || !reflect.DeepEqual(dependency.Required, []string{"id"}) {
		t.Errorf("an extension: %+v", dependency)
	}
	for name, want := range map[string][]string{"scope": {"compile", "runtime", "test"}, "packaging": {"jar", "war"}, "modelVersion": {"4.0.0"}, "optional": typical["boolean"]} {
		if got := h.Elements[name].Texts; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
	if h.Elements["license"].Model.Order != Choice {
		t.Error("a choice is none")
	}
	if last := dependency.Model.Parts[1].Parts[2]; last.Name != "exclusion" || last.Max != 3 {
		t.Errorf("exclusions: %+v", last)
	}
}

func TestSchemaMistakes(t *testing.T) {
	const begin = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">`
	for xsd, want := range map[string]string{
		"<a/>":                 "the document is a <a>, and not a <schema>",
		"<a>":                  "reading the schema: ",
		begin + "</xs:schema>": "no <element> stands at the top",
		begin + `<xs:element name="a"><xs:complexType><xs:sequence><xs:element ref="b"/></xs:sequence></xs:complexType></xs:element></xs:schema>`:                                                      "there is no <element> b at the top",
		begin + `<xs:element name="a"><xs:complexType><xs:sequence maxOccurs="some"/></xs:complexType></xs:element></xs:schema>`:                                                                       `"some" is no number of times`,
		begin + `<xs:element name="a" type="t"/><xs:complexType name="t"><xs:group ref="g"/></xs:complexType><xs:group name="g"><xs:sequence><xs:group ref="g"/></xs:sequence></xs:group></xs:schema>`: "group g is made of itself",
	} {
		if _, err := Schema(xsd); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n%v, want %s", xsd, err, want)
		}
	}
}

// model describes the documents of the schema, for encoding/xml.
type model struct {
	XMLName  xml.Name `xml:"http://example.com/build project"`
	Version  []string `xml:"modelVersion"`
	Artifact []string `xml:"artifactId"`
	Package  []string `xml:"packaging"`
	Depends  []struct {
		Id        string   `xml:"id,attr"`
		Artifact  []string `xml:"artifactId"`
		Version   []string `xml:"version"`
		Scope     []string `xml:"scope"`
		Exclusion []struct {
			Artifact []string `xml:"artifactId"`
			Version  []string `xml:"version"`
		} `xml:"exclusion"`
	} `xml:"dependencies>dependency"`
}

// valid reports whether a document has what the schema asks for.
func (m *model) valid() bool {
	ok := len(m.Version) == 1 && m.Version[0] == "4.0.0" && len(m.Artifact) == 1 && len(m.Package) <= 1
	for _, d := range m.Depends {
		ok = ok && d.Id != "" && len(d.Artifact) == 1 && len(d.Version) == 1 && len(d.Scope) <= 1 && len(d.Exclusion) <= 3
		for _, e := range d.Exclusion {
			ok = ok && len(e.Artifact) == 1 && len(e.Version) == 1
		}
	}
	return ok
}

// TestDrawnBySchema checks that with a schema, half of the documents are valid. Some have words of
// a dictionary, as names, values and texts.
func TestDrawnBySchema(t *testing.T) {
	flag.Set("gen.checks", "400")
	flag.Set("gen.seed", "1")
	h := schemed(t)
	words, err := Dictionary("# words\nlong=\"a.long.word\"\n\n\"w\\x0a\"\n")
	if err != nil {
		t.Fatal(err)
	}
	h.Words = words
	seen := map[string]int{}
	document := Document(h)
	gen.Check(t, func(t *gen.T) {
		text := document.Draw(t, "text")
		if err := parse(text); err != nil {
			t.Errorf("%v", err)
		}
		var m model
		if xml.Unmarshal([]byte(text), &m) != nil {
			return
		}
		if m.valid() {
			seen["valid"]++
			if len(m.Depends) > 0 && len(m.Depends[0].Exclusion) > 0 {
				seen["exclusion"]++
			}
		}
		for name, is := range map[string]bool{
			"word": strings.Contains(text, "a.long.word"), "tag": strings.Contains(text, "<a.long.word"),
			"packaging first": strings.Contains(text, "<packaging>") && strings.Index(text, "<packaging>") < strings.Index(text, "<modelVersion>"),
		} {
			if is {
				seen[name]++
			}
		}
	})
	t.Log(seen)
	if seen["valid"] < 150 || seen["exclusion"] == 0 || seen["word"] < 10 || seen["tag"] == 0 || seen["packaging first"] == 0 {
		t.Errorf("of 400 documents: %v", seen)
	}
}

func TestDictionary(t *testing.T) {
	words, err := Dictionary("a=\"<![CDATA[\"\n# none\n\"\\x41\\\\\"\n\"\\x41\\\\\"\r\n")
	if err != nil || !reflect.DeepEqual(words, []string{"<![CDATA[", `A\`}) {
		t.Errorf("%q, %v", words, err)
	}
	for text, want := range map[string]string{"\nword": "line 2 of the dictionary has no word in quotes: word", "\"a": "line 1 of the dictionary: \"a is no word in quotes"} {
		if _, err := Dictionary(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
