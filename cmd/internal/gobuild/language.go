package gobuild

import (
	"cmp"
	"fmt"
	"go/version"
	"os"

	"golang.org/x/mod/modfile"

	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/gocommand"
)

// language returns the oldest release, such as 1.22, that the programs' modules need. Package
// runtime and others depend on the go line, so it is at least that of the module in which the
// worker is built.
func (p *Plan) language() string {
	least := ""
	if text, err := os.ReadFile(p.root.Env.GOMOD); err == nil && p.root.Kind != buildroot.Scratch {
		if f, err := modfile.ParseLax(p.root.Env.GOMOD, text, nil); err == nil && f.Go != nil {
			least = f.Go.Version
		}
	} else if minor, ok := gocommand.Minor(p.root.Env.GOVERSION); ok {
		least = fmt.Sprintf("1.%d", minor)
	}
	for _, q := range p.graph.All {
		m := q.Module
		if m == nil {
			continue
		}
		if m.Replace != nil {
			m = m.Replace
		}
		if of := cmp.Or(m.GoVersion, q.Module.GoVersion); version.Compare("go"+of, "go"+least) > 0 {
			least = of
		}
	}
	return least
}
