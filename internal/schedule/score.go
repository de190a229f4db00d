package schedule

// AFL's performance score (calculate_score in afl-fuzz.c). It is 100, changed by a seed's speed,
// coverage, time of discovery, and depth in mutations from the first inputs. All arithmetic uses
// truncated integers, as AFL's does where it assigns to an unsigned integer. Its comparisons with
// fractions are multiplied out.

const (
	fullScore = 100      // of a seed that is average in everything
	maxScore  = 16 * 100 // HAVOC_MAX_MULT
	baseTurn  = 256      // HAVOC_CYCLES: children of a seed with fullScore
	minTurn   = 16       // HAVOC_MIN
)

// speedScore returns the score of a seed by its time relative to the queue's mean: 10 to 300.
func speedScore(nanos, mean int64) int {
	switch {
	case nanos > 10*mean:
		return 10
	case nanos > 4*mean:
		return 25
	case nanos > 2*mean:
		return 50
	case 3*nanos > 4*mean:
		return 75
	case 4*nanos < mean:
		return 300
	case 3*nanos < mean:
		return 200
	case 2*nanos < mean:
		return 150
	}
	return fullScore
}

// scaleBySize multiplies the score by a factor for the number of executed blocks relative to the
// queue's mean: 1/4 to 3.
func scaleBySize(score, blocks, mean int) int {
	switch {
	case 3*blocks > 10*mean:
		return score * 3
	case blocks > 2*mean:
		return score * 2
	case 3*blocks > 4*mean:
		return score * 3 / 2
	case 3*blocks < mean:
		return score / 4
	case 2*blocks < mean:
		return score / 2
	case 3*blocks < 2*mean:
		return score * 3 / 4
	}
	return score
}

// scaleByHandicap raises the score of seeds that were found late. A visit uses up part of the
// handicap.
func scaleByHandicap(score, handicap int) (scaled, left int) {
	switch {
	case handicap >= 4:
		return score * 4, handicap - 4
	case handicap > 0:
		return score * 2, handicap - 1
	}
	return score, 0
}

// pastHandicap returns the handicap after so many visits.
func pastHandicap(handicap, visits int) int {
	fours := min(visits, handicap/4)
	return max(0, handicap-4*fours-(visits-fours))
}

// scaleByDepth multiplies the score by a factor for the number of generations. First inputs have
// depth 1.
func scaleByDepth(score, depth int) int {
	switch {
	case depth <= 3:
		return score
	case depth <= 7:
		return score * 2
	case depth <= 13:
		return score * 3
	case depth <= 25:
		return score * 4
	}
	return score * 5
}

// turn returns the number of children for a score.
func turn(score int) int { return max(minTurn, baseTurn*score/100) }
