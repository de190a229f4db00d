package schedule

// AFL's performance score (calculate_score in afl-fuzz.c): 100, changed by how fast a seed is, how much it covers, how late
// it was found and how many mutations it is away from the first inputs. All arithmetic is on integers and truncates, as
// AFL's does where it assigns to an unsigned integer; its comparisons with fractions are multiplied out.

const (
	fullScore = 100      // of a seed that is average in everything
	maxScore  = 16 * 100 // HAVOC_MAX_MULT
	baseTurn  = 256      // HAVOC_CYCLES: children of a seed with fullScore
	minTurn   = 16       // HAVOC_MIN
)

// speedScore is the score of a seed that took so long, against the mean of the queue: 10 to 300.
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

// scaleBySize multiplies the score for a seed that executed so many blocks, against the mean of the queue: by 1/4 to 3.
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

// scaleByHandicap lets seeds that were found late catch up. A visit uses up part of the handicap.
func scaleByHandicap(score, handicap int) (scaled, left int) {
	switch {
	case handicap >= 4:
		return score * 4, handicap - 4
	case handicap > 0:
		return score * 2, handicap - 1
	}
	return score, 0
}

// pastHandicap is what so many visits leave of a handicap.
func pastHandicap(handicap, visits int) int {
	fours := min(visits, handicap/4)
	return max(0, handicap-4*fours-(visits-fours))
}

// scaleByDepth multiplies the score for a seed that is so many generations deep; first inputs are 1 deep.
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

// turn is the number of children that a score is worth.
func turn(score int) int { return max(minTurn, baseTurn*score/100) }
