package language

import (
	"testing"

	"golang.org/x/text/language"
)

// FuzzParse reads a language tag, and writes it again.
func FuzzParse(f *testing.F) {
	f.Add("en-US")
	f.Add("zh-Hant-TW-u-co-stroke")
	f.Add("de-DE-1996-x-private")
	f.Add("sr_Latn")
	f.Fuzz(func(t *testing.T, s string) {
		tag, err := language.Parse(s)
		if err != nil {
			t.Skip()
		}
		if again, err := language.Parse(tag.String()); err != nil || again.String() != tag.String() {
			t.Logf("%q is %q, and that is %q, %v", s, tag, again, err)
		}
	})
}
