package source

// Random draws each input from nothing, as QuickCheck does (Claessen and Hughes, ICFP 2000): the baseline of the papers on generators. It looks at no seed.
type Random struct{ Taped }

// Propose implements Source.
func (q *Random) Propose(s *Step) bool {
	q.fresh(s)
	return true
}
