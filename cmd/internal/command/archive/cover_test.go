package archive

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestCover checks that the chosen items have all features, and that none of them is needless.
func TestCover(t *testing.T) {
	for _, test := range []struct {
		name  string
		items []item
		want  []bool
	}{
		{"nothing", nil, []bool{}},
		{"equal", []item{{1, []uint64{1}, false}, {1, []uint64{1}, false}}, []bool{true, false}},
		{"the smaller", []item{{9, []uint64{1, 2}, false}, {3, []uint64{1, 2}, false}}, []bool{false, true}},
		{"two small ones", []item{{9, []uint64{1, 2}, false}, {3, []uint64{1}, false}, {3, []uint64{2}, false}}, []bool{false, true, true}},
		{"one large one", []item{{5, []uint64{1, 2}, false}, {4, []uint64{1}, false}, {4, []uint64{2}, false}}, []bool{true, false, false}},
		{"made needless", []item{{1, []uint64{1}, false}, {8, []uint64{1, 2, 3}, false}}, []bool{false, true}},
		{"fixed", []item{{99, []uint64{1}, true}, {1, []uint64{1}, false}}, []bool{true, false}},
		{"without features", []item{{1, nil, false}}, []bool{false}},
	} {
		if got, _ := cover(test.items); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		items, all := make([]item, 1+random.IntN(30)), map[uint64]bool{}
		for i := range items {
			items[i].bytes = random.IntN(20)
			for range random.IntN(12) {
				f := random.Uint64N(25)
				items[i].features, all[f] = append(items[i].features, f), true
			}
		}
		chosen, n := cover(items)
		if n != len(all) {
			t.Fatalf("%d features, want %d", n, len(all))
		}
		covers := func(without int) bool {
			have := map[uint64]bool{}
			for i := range items {
				if chosen[i] && i != without {
					for _, f := range items[i].features {
						have[f] = true
					}
				}
			}
			return len(have) == len(all)
		}
		if !covers(-1) {
			t.Fatal("features are lost")
		}
		for i := range items {
			if chosen[i] && covers(i) {
				t.Fatalf("item %d is needless", i)
			}
		}
	}
}

// BenchmarkCover chooses among inputs of a large corpus: 20,000 with 200 of 20,000 features each.
func BenchmarkCover(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 4))
	items := make([]item, 20000)
	for i := range items {
		items[i].bytes = 1 + random.IntN(4096)
		for range 200 {
			items[i].features = append(items[i].features, random.Uint64N(1+random.Uint64N(20000)))
		}
	}
	for b.Loop() {
		cover(items)
	}
}
