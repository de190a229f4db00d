package fuzztest

import (
	"strings"
	"testing"
)

// TestInjectedAids checks that the added file passes on the functions that the user names. It uses
// the import of their package, or its own package.
func TestInjectedAids(t *testing.T) {
	p := &Package{Name: "p", Funcs: []Func{{Name: "FuzzA"}}}
	for _, c := range []struct {
		aids      Aids
		want      []string
		canonical string
		not       string
	}{
		{Aids{}, nil, "", "parallaxInjectedGenerator"},
		{
			Aids{Generator: Aid{Written: "./docs.Sum", path: "example.com/m/docs", name: "Sum"}, Repair: Aid{Written: ".fix", name: "fix"}},
			[]string{
				"parallaxInjectedGenerator \"example.com/m/docs\"\n", `parallaxInjectedTarget.Draw("./docs.Sum", func() any { return parallaxInjectedGenerator.Sum })`,
				"parallaxInjectedTarget.Repair(fix)",
			}, "example.com/m/docs.Sum", "parallaxInjectedRepair ",
		},
		{Aids{Generator: Aid{Written: "./p.sum", name: "sum"}}, []string{`parallaxInjectedTarget.Draw("./p.sum", func() any { return sum })`}, "./.sum", "parallaxInjectedGenerator"},
	} {
		text := string(Inject(p, "x", c.aids))
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in\n%s", want, text)
			}
		}
		if strings.Contains(text, c.not) {
			t.Errorf("%s in\n%s", c.not, text)
		}
		if got := c.aids.Generator.Canonical(); got != c.canonical {
			t.Errorf("it is found again as %q, and not %q", got, c.canonical)
		}
	}
}
