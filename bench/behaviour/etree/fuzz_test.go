//parallax:generator

package etree

import (
	"errors"
	"testing"

	"behaviour/xml"
	"parallax/gen"

	"github.com/beevik/etree"
)

// accept reads a document, asks for elements by paths, changes its indentation, writes it and reads
// that.
func accept(source string) error {
	d := etree.NewDocument()
	d.ReadSettings.ValidateInput = true
	if err := d.ReadFromString(source); err != nil {
		return err
	}
	if d.Root() == nil {
		return errors.New("no root")
	}
	for _, p := range paths {
		for _, e := range d.FindElementsPath(p) {
			e.GetPath()
			e.RemoveAttr("a")
		}
	}
	d.Indent(2)
	text, err := d.WriteToString()
	if err != nil {
		return err
	}
	return etree.NewDocument().ReadFromString(text)
}

var paths = []etree.Path{
	etree.MustCompilePath("//item[@id='a']"), etree.MustCompilePath("./list/*[2]"), etree.MustCompilePath("//group/item/.."),
	etree.MustCompilePath("//*[name='b']/value[2]"),
}

var document = xml.Document(xml.Hints{
	Root: "list", Elements: []string{"list", "item", "group", "name", "value"}, Attributes: []string{"id", "a", "xmlns", "xml:lang"}, Texts: []string{"a", "b", "<", "&", "\"", " "},
})

func FuzzGenerated(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(document.Draw(t, "document"))) })
}

func FuzzBytes(f *testing.F) {
	f.Add("<list><item id=\"a\"><name>b</name></item></list>")
	f.Fuzz(func(t *testing.T, source string) {
		if accept(source) != nil {
			t.Skip()
		}
	})
}
