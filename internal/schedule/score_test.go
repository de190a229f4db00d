package schedule

import "testing"

// TestSpeedScore checks both sides of every threshold of speed, for a mean of 1200. The first
// threshold that holds counts.
func TestSpeedScore(t *testing.T) {
	const mean = 1200
	tests := []struct {
		nanos int64
		score int
	}{
		{0, 300}, {299, 300}, // q*4 < mean
		{300, 200}, {399, 200}, // q*3 < mean
		{400, 150}, {599, 150}, // q*2 < mean
		{600, 100}, {1200, 100}, {1600, 100},
		{1601, 75}, {2400, 75}, // q*0.75 > mean
		{2401, 50}, {4800, 50}, // q*0.5 > mean
		{4801, 25}, {12000, 25}, // q*0.25 > mean
		{12001, 10}, {1 << 40, 10}, // q*0.1 > mean
	}
	for _, test := range tests {
		if got := speedScore(test.nanos, mean); got != test.score {
			t.Errorf("%d of %d: score %d, want %d", test.nanos, mean, got, test.score)
		}
	}
	if got := speedScore(0, 0); got != fullScore {
		t.Errorf("without a clock: score %d, want %d", got, fullScore)
	}
}

// TestScaleBySize checks every threshold of the coverage's size, for a mean of 60.
func TestScaleBySize(t *testing.T) {
	const mean = 60
	tests := []struct{ blocks, score int }{
		{0, 25}, {19, 25}, // b*3 < mean
		{20, 50}, {29, 50}, // b*2 < mean
		{30, 75}, {39, 75}, // b*1.5 < mean
		{40, 100}, {60, 100}, {80, 100},
		{81, 150}, {120, 150}, // b*0.75 > mean
		{121, 200}, {200, 200}, // b*0.5 > mean
		{201, 300}, {5000, 300}, // b*0.3 > mean
	}
	for _, test := range tests {
		if got := scaleBySize(100, test.blocks, mean); got != test.score {
			t.Errorf("%d of %d: score %d, want %d", test.blocks, mean, got, test.score)
		}
	}
	if got := scaleBySize(100, 0, 0); got != 100 {
		t.Errorf("nothing instrumented: score %d", got)
	}
}

// TestScaleBySizeTruncates checks that fractions are cut off, as in assignments to an unsigned
// integer.
func TestScaleBySizeTruncates(t *testing.T) {
	tests := []struct{ score, blocks, want int }{
		{10, 19, 2},  // 2.5
		{25, 19, 6},  // 6.25
		{75, 19, 18}, // 18.75
		{25, 29, 12}, // 12.5
		{75, 29, 37}, // 37.5
		{10, 39, 7},  // 7.5
		{25, 39, 18}, // 18.75
		{75, 39, 56}, // 56.25
		{25, 81, 37}, // 37.5
		{75, 81, 112},
	}
	for _, test := range tests {
		if got := scaleBySize(test.score, test.blocks, 60); got != test.want {
			t.Errorf("%d for %d blocks: score %d, want %d", test.score, test.blocks, got, test.want)
		}
	}
}

func TestScaleByHandicap(t *testing.T) {
	tests := []struct{ handicap, score, left int }{
		{0, 100, 0}, {1, 200, 0}, {2, 200, 1}, {3, 200, 2}, {4, 400, 0}, {5, 400, 1}, {11, 400, 7},
	}
	for _, test := range tests {
		score, left := scaleByHandicap(100, test.handicap)
		if score != test.score || left != test.left {
			t.Errorf("handicap %d: score %d and %d left, want %d and %d", test.handicap, score, left, test.score, test.left)
		}
	}
	// Skipped visits use up the handicap like visits.
	for handicap := range 30 {
		left := handicap
		for visits := range 15 {
			if got := pastHandicap(handicap, visits); got != left {
				t.Errorf("handicap %d after %d visits: %d, want %d", handicap, visits, got, left)
			}
			_, left = scaleByHandicap(100, left)
		}
	}
}

func TestScaleByDepth(t *testing.T) {
	tests := []struct{ depth, score int }{
		{1, 100}, {3, 100}, {4, 200}, {7, 200}, {8, 300}, {13, 300}, {14, 400}, {25, 400}, {26, 500}, {1000, 500},
	}
	for _, test := range tests {
		if got := scaleByDepth(100, test.depth); got != test.score {
			t.Errorf("depth %d: score %d, want %d", test.depth, got, test.score)
		}
	}
}

func TestTurn(t *testing.T) {
	tests := []struct{ score, children int }{
		{100, 256}, {1600, 4096}, {75, 192}, {37, 94}, {7, 17}, {6, 16}, {2, 16}, {1, 16},
	}
	for _, test := range tests {
		if got := turn(test.score); got != test.children {
			t.Errorf("score %d: %d children, want %d", test.score, got, test.children)
		}
	}
}
