package formats

import (
	"encoding/xml"
	"testing"
)

// FuzzText checks that each format stays valid with any text of programs, inputs and names.
func FuzzText(f *testing.F) {
	f.Add(hostile)
	for _, s := range []string{"", "\x00", "\\", "`", "` `", "|", "\\|", "\\\\|`|", "](", "\xff\xfe", "]]>", "%", "\r", "::", "<details>", "</summary>", "~~~\n", "    ", "\t", "- a\n1. b", "&#x3c;", "$x$", ":a:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<10 {
			t.Skip()
		}
		r := saying(text)
		check(t, encode(t, r.Sarif))
		data := encode(t, r.JUnit)
		var suites junitSuites
		if err := xml.Unmarshal(data, &suites); err != nil {
			t.Fatal(err)
		}
		if len(suites.Suites) != 3 || suites.Tests != 10 {
			t.Fatalf("%d suites, %d tests", len(suites.Suites), suites.Tests)
		}
		allowed(t, data)
		commands(t, r.Annotations())
		rendered(t, r.Markdown(SummaryLimit))
	})
}
