//parallax:generator

package xmldiff

import (
	"testing"

	"behaviour/xml"
	"parallax"
)

const list = `<list><item id="a"><name>b</name></item></list>`

var document = xml.Document(xml.Hints{
	Root: "list", Elements: []string{"list", "item", "a:group", "name", "value"}, Attributes: []string{"id", "a", "xmlns", "xml:lang"}, Texts: []string{"a", "b", "<", "&", "\"", " "},
})

// compare are the parts of both harnesses.
func compare(more ...parallax.Part) []parallax.Part {
	return append(more, parallax.Impl("std", Std), parallax.Impl("tdewolff", Tdewolff), parallax.Accepts(list), parallax.Rejects("<a></b>"))
}

func FuzzDrawn(f *testing.F) { parallax.Diff(f, compare(parallax.Generate(document))...) }

func FuzzBytes(f *testing.F) {
	f.Add(list)
	parallax.Diff(f, compare()...)
}
