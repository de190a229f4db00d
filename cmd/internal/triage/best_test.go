package triage

import "testing"

func TestBest(t *testing.T) {
	// Of two inputs that disagree and two that agree.
	s := &spectrum{
		with:    map[uint32]int{1: 2, 2: 2, 3: 2, 4: 1, 5: 2},
		without: map[uint32]int{1: 2, 4: 0, 5: 1},
	}
	own := func(ids ...int) func(int) bool {
		return func(id int) bool {
			for _, o := range ids {
				if o == id {
					return true
				}
			}
			return false
		}
	}
	for _, test := range []struct {
		name string
		hits []uint32
		own  func(int) bool
		want int
	}{
		{"the lowest of equals", []uint32{1, 2, 3, 4, 5}, nil, 2},
		{"an own one of equals", []uint32{1, 2, 3, 4, 5}, own(3), 3},
		{"the lowest of own ones", []uint32{1, 2, 3, 4, 5}, own(2, 3), 2},
		{"the better one, whoever's", []uint32{1, 3, 5}, own(5), 3},
		{"what all execute says nothing", []uint32{1}, own(1), None},
		{"none", nil, nil, None},
	} {
		if got := s.best(test.hits, 2, 2, test.own); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
