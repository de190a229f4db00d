package genxml

import (
	"encoding/xml"
	"flag"
	"io"
	"reflect"
	"strings"
	"testing"

	"parallax/gen"
)

const sample = `<?xml version="1.0"?>
<project xmlns="http://example.com/p" kind="a">
  <name>demo</name>
  <dependencies>
    <dependency scope="test"><name>x</name><version>1.0</version></dependency>
    <dependency><name>y</name></dependency>
  </dependencies>
</project>`

func learned(t testing.TB) Hints {
	h, err := Learn(sample)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestLearn(t *testing.T) {
	h := learned(t)
	if !reflect.DeepEqual(h.Roots, []string{"project"}) || !reflect.DeepEqual(h.Elements["dependency"], &Element{
		Attributes: map[string][]string{"scope": {"test"}}, Children: []string{"name", "version"},
	}) || !reflect.DeepEqual(h.Elements["name"].Texts, []string{"demo", "x", "y"}) {
		t.Errorf("%+v", h)
	}
	for _, bad := range []string{"<a>", "</a>", "<a", "&"} {
		if _, err := Learn(sample, bad); err == nil || !strings.HasPrefix(err.Error(), "document 2 of 2: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// parse reads a document to its end.
func parse(text string) error {
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestDocument checks that every document is well-formed.
func TestDocument(t *testing.T) {
	for name, h := range map[string]Hints{"without hints": {}, "with hints": learned(t)} {
		t.Run(name, func(t *testing.T) {
			document := Document(h)
			gen.Check(t, func(t *gen.T) {
				if err := parse(document.Draw(t, "text")); err != nil {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

// project is the type into which the sample is read.
type project struct {
	Kind         string `xml:"kind,attr"`
	Name         string `xml:"name"`
	Dependencies []struct {
		Name    string `xml:"name"`
		Version string `xml:"version"`
	} `xml:"dependencies>dependency"`
}

// TestDrawn checks that with hints, a program can read most documents.
func TestDrawn(t *testing.T) {
	flag.Set("gen.checks", "100")
	flag.Set("gen.seed", "1")
	document := Document(learned(t))
	seen := map[string]int{}
	gen.Check(t, func(t *gen.T) {
		var p project
		if xml.Unmarshal([]byte(document.Draw(t, "text")), &p) != nil {
			return
		}
		seen["read"]++
		if p.Kind == "a" {
			seen["attribute"]++
		}
		if p.Name == "demo" {
			seen["text"]++
		}
		if len(p.Dependencies) > 0 {
			seen["child"]++
		}
	})
	if len(seen) < 4 {
		t.Errorf("only %v", seen)
	}
}

func FuzzRead(f *testing.F) {
	document := Document(learned(f))
	gen.Fuzz(f, func(t *gen.T) {
		var p, again project
		t.Valid(xml.Unmarshal([]byte(document.Draw(t, "text")), &p))
		text, err := xml.Marshal(p)
		if err == nil {
			err = xml.Unmarshal(text, &again)
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
	})
}
