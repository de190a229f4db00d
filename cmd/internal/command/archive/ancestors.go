package archive

import (
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/quote"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/page"
)

// mostAncestors bounds the way of an input back to its seed.
const mostAncestors = 50

// longestInput bounds the bytes of an input that the page quotes.
const longestInput = 4096

// origin returns an input of the corpus with its way back to a seed, or nil if it is not there.
func (p *Campaign) origin(hash string) *page.Origin {
	e, err := corpus.ReadInput(p.folder.FS(), p.folder.CorpusDir(), hash, p.Shape)
	if err != nil {
		return nil
	}
	o := &page.Origin{
		Input: quote.Input(p.Shape, e.Flat, longestInput), Size: len(e.Flat), Inputs: e.Meta.Inputs, New: strings.Join(e.Meta.New, ", "), Member: e.Meta.Member,
		Ancestors: p.way(hash),
	}
	return o
}

// ancestors returns the inputs of the corpus from which a finding's input was made, its parent
// first and a seed last.
func (p *Campaign) ancestors(f *finding.Finding) (list []page.Ancestor) {
	if f.Parent == nil {
		return nil
	}
	return p.way(corpus.Hash(f.Shape.Encode(f.Parent)))
}

// way returns the inputs from one back to a seed. It ends early at an input that is no longer in
// the corpus.
func (p *Campaign) way(hash string) (list []page.Ancestor) {
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
