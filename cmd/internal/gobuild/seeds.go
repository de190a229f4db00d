package gobuild

import "parallax/cmd/internal/mining"

// maxSeeds bounds the seeds of a target.
const maxSeeds = 300

// mine fills Seeds from the tests of the packages under test, and Dictionary from the code.
func (p *Plan) mine() {
	var perPackage [][][]byte
	seen := map[string]bool{}
	var files []string
	for _, c := range p.calls {
		if seen[c.Package.ImportPath] {
			continue
		}
		seen[c.Package.ImportPath] = true
		perPackage = append(perPackage, mining.Seeds(c.Package, p.Shape))
		files = append(append(files, c.Package.GoFiles...), c.Package.CgoFiles...)
	}
	p.Seeds = mining.Deal(perPackage, maxSeeds)
	if n := len(p.Seeds); n > 0 {
		p.root.Note("%d seeds are taken from the tests of the packages under test", n)
	}
	var others []string
	for _, q := range p.Packages {
		if !q.Standard && !seen[q.ImportPath] {
			others = append(others, q.Files...)
		}
	}
	p.learn(files, others)
}

// learn fills Dictionary with the literals of files: of the packages under test, and of what they depend on.
func (p *Plan) learn(own, others []string) {
	words, err := mining.Words(own, others)
	if err != nil {
		p.root.Note("there is no automatic dictionary: %v", err) // the compiler will say more
	}
	p.Dictionary = words
	p.ReadsClock = p.readsClock()
}
