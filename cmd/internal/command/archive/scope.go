package archive

import (
	"strings"

	"parallax/cmd/internal/model/check"
	"parallax/cmd/internal/model/scope"
	"parallax/cmd/internal/show/page"
)

// scope returns the paths of a model's original. It returns none for a campaign without a model, or
// for an unreadable file.
func (p *Campaign) scope() (paths []page.ScopePath, unit string) {
	data, err := p.folder.ReadModel(check.ScopeFile)
	if err != nil || data == nil {
		return nil, ""
	}
	s, err := scope.Parse(data)
	if err != nil {
		return nil, ""
	}
	for _, path := range s.Paths {
		v := page.ScopePath{
			InScope: path.InScope && !path.Suspect, Suspect: path.Suspect, Why: path.Why, Counts: path.Counts(), Lines: strings.Join(scope.Shortened(path.Lines), " "), Agreed: path.Agreed, Deviating: path.Deviating,
			Original: path.Original, Model: path.Model, Findings: path.Findings,
		}
		if path.Proof != nil {
			v.Way, v.Where, v.Does, v.Proved = path.Proof.Way(), path.Proof.Where(), path.Proof.Result, path.Proof.String()
		}
		paths = append(paths, v)
	}
	return paths, s.Unit
}
