package text

import (
	"crypto/sha256"
	"fmt"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/sources"
)

// RecordSources records, for each program of a finding, the hash of the source lines at its places.
func RecordSources(f *finding.Finding, page finding.Page) {
	for i := range f.Programs {
		f.Programs[i].Sources = sourceHash(f, &f.Programs[i], page)
	}
}

// Edited reports whether the source lines at the places of a finding differ from those on record. A
// file that cannot be read counts as unchanged, since the finding may be from another machine.
func Edited(f *finding.Finding, page finding.Page) bool {
	for i := range f.Programs {
		p := &f.Programs[i]
		if p.Sources == "" {
			continue
		}
		if now := sourceHash(f, p, page); now != "" && now != p.Sources {
			return true
		}
	}
	return false
}

// sourceHash hashes the lines that reports show for a program of a finding. It returns "" if there
// are none, or if a file cannot be read.
func sourceHash(f *finding.Finding, p *finding.Program, page finding.Page) string {
	places := placesOf(p)
	if p.Name == f.Program && f.Caller != "" {
		places = append(places[:len(places):len(places)], finding.Place{Location: f.Caller})
	}
	if page.Source == nil {
		page.Source = sources.Of(append([]string{page.Dir}, page.Built...)...)
	}
	own, gone := paper{Page: page}.of(p.Name)
	if len(places) == 0 || gone {
		return ""
	}
	sum := sha256.New()
	for _, w := range windows(own, places) {
		if _, err := own.Source(w.file); err != nil {
			return ""
		}
		for _, line := range w.lines(own) {
			for _, s := range line {
				fmt.Fprintf(sum, "%q", s.text)
			}
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

// placesOf returns the places of a program that reports show, best first.
func placesOf(p *finding.Program) []finding.Place {
	places := p.Ranked
	if len(places) == 0 && p.Deciding != "" {
		places = []finding.Place{{Location: p.Deciding}}
	}
	return places[:min(len(places), shownPlaces)]
}
