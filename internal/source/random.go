package source

// Random draws each input from nothing, as QuickCheck does (Claessen and Hughes, ICFP 2000). It is
// the baseline of the papers on generators, and uses no seed.
type Random struct{ Taped }

// Propose implements Source.
func (q *Random) Propose(s *Step) bool {
	q.fresh(s)
	return true
}
