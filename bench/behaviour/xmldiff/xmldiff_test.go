package xmldiff

import "testing"

// TestOutlines checks that both readers report the same of ordinary documents, and reject documents
// that are not nested.
func TestOutlines(t *testing.T) {
	for source, want := range map[string]string{
		list: "0<list1<item id2<name", "<?xml version=\"1.0\"?>\n<a b=\"1\"/>\n": "0<a b", "<a:b x:c='1'><!-- d --><![CDATA[e]]></a:b>": "0<b c",
		"<a></b>": "", "<a></": "", "<a/><b/>": "", "a": "", "": "",
	} {
		for name, read := range map[string]func(string) (string, error){"std": Std, "tdewolff": Tdewolff} {
			got, err := read(source)
			if got != want || (err == nil) != (want != "") {
				t.Errorf("%s: %s: %q, %v, want %q", name, source, got, err, want)
			}
		}
	}
}
