package archive

import (
	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/page"
)

// mostAncestors bounds the way of an input back to its seed.
const mostAncestors = 50

// ancestors returns the inputs of the corpus from which a finding's input was made, its parent
// first and a seed last. It ends early at an input that is no longer in the corpus.
func (p *Campaign) ancestors(f *finding.Finding) (list []page.Ancestor) {
	if f.Parent == nil {
		return nil
	}
	hash := corpus.Hash(f.Shape.Encode(f.Parent))
	for seen := map[string]bool{}; hash != "" && !seen[hash] && len(list) < mostAncestors; {
		seen[hash] = true // metadata of a stranger may lead in a circle
		e, err := corpus.ReadInput(p.folder.FS(), p.folder.CorpusDir(), hash, p.Shape)
		if err != nil {
			break
		}
		list = append(list, page.Ancestor{Hash: hash, Input: quote.Input(p.Shape, e.Flat, 120), Operators: e.Meta.Operators, From: e.Meta.From, Seed: e.Meta.Parent == ""})
		hash = e.Meta.Parent
	}
	return list
}
