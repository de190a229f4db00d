package schedule

import (
	"fmt"
	"strings"
	"testing"

	"parallax/internal/mutate"
)

// queueRun drives a queue in a test.
type queueRun struct {
	t     *testing.T
	q     *queue
	r     *mutate.Rand
	seeds int
}

func play(t *testing.T, name string) *queueRun {
	return &queueRun{t: t, q: create(t, name).(*queue), r: mutate.NewRand(1, 1)}
}

// add adds a seed that executed the first blocks, size of them.
func (p *queueRun) add(size, parent int, nanos int64) {
	p.q.Added(Seed{Len: 1, Traces: traced(blocks(size)...), Parent: parent, Nanos: nanos})
	p.seeds++
}

// average adds seeds that differ only in the block that they execute.
func (p *queueRun) average(n int) {
	for range n {
		p.q.Added(Seed{Len: 1, Traces: traced(uint32(p.seeds)), Parent: -1})
		p.seeds++
	}
}

// turns runs n turns and returns them as "seed:children". Mutants execute the block that executed
// returns.
func (p *queueRun) turns(n int, executed func(seed, child int) uint32) string {
	p.t.Helper()
	var out []string
	for range n {
		seed, child := p.q.Next(p.r), 0
		for {
			p.q.Ran(Result{Traces: traced(executed(seed, child))})
			if child++; p.q.left == 0 {
				break
			}
			if k := p.q.Next(p.r); k != seed {
				p.t.Fatalf("seed %d in the middle of the turn of seed %d", k, seed)
			}
		}
		out = append(out, fmt.Sprintf("%d:%d", seed, child))
	}
	return strings.Join(out, " ")
}

func (p *queueRun) want(turns string, executed func(seed, child int) uint32) {
	p.t.Helper()
	if got := p.turns(len(strings.Fields(turns)), executed); got != turns {
		p.t.Errorf("turns\n%s, want\n%s", got, turns)
	}
}

// strange returns a trace that no seed has, zero that of seed 0, and same the seed's own.
func strange(int, int) uint32     { return 1 << 20 }
func zero(int, int) uint32        { return 0 }
func same(seed int, _ int) uint32 { return uint32(seed) }

// find reports a kept mutant.
func (p *queueRun) find(seed int) {
	p.q.Added(Seed{Len: 1, Traces: traced(uint32(p.seeds)), Parent: seed})
	p.seeds++
	p.q.Ran(Result{Traces: traced(uint32(p.seeds - 1)), Kept: true})
}

func TestOrder(t *testing.T) {
	p := play(t, "afl")
	p.average(3)
	p.want("0:256 1:256 2:256 0:256 1:256", strange)
	// From another worker: at the end of the queue, with a handicap of one cycle. It is favored, so
	// that others wait.
	p.average(1)
	p.want("3:512 0:256 1:256 2:256 3:256 0:256 1:256", strange)
}

// TestClocks has seeds with times 100, 1000 and 2200, 1100 on average.
func TestClocks(t *testing.T) {
	for name, want := range map[string]string{
		"afl": "0:768 1:256 2:192 0:768", "afl-noclock": "0:256 1:256 2:256 0:256", "aflfast-explore": "0:768 1:256 2:192 0:768",
		"aflfast-fast": "0:768 1:256 2:192 0:1536", "aflfast-fast-noclock": "0:256 1:256 2:256 0:512",
	} {
		p := play(t, name)
		for i, nanos := range []int64{100, 1000, 2200} {
			if row, _ := Find(name); row.Needs&Clock == 0 {
				nanos = 0
			}
			p.q.Added(Seed{Traces: traced(uint32(i)), Parent: -1, Nanos: nanos})
		}
		t.Log(name)
		p.want(want, strange)
	}
}

// TestSizes has seeds with 10, 100 and 250 blocks, 120 on average, in one program or in several.
func TestSizes(t *testing.T) {
	one, two := play(t, "afl"), play(t, "afl")
	for _, n := range []int{10, 100, 250} {
		one.add(n, -1, 0)
		two.q.Added(Seed{Parent: -1, Traces: append(traced(blocks(n/2)...), traced(blocks(n-n/2)...)...)})
	}
	for _, p := range []*queueRun{one, two} {
		p.want("0:64 1:256 2:512", strange)
	}
}

// TestDepths has seeds that are each the child of the one before. The factor is 1 up to depth 3, 2
// up to 7, 3 up to 13, 4 up to 25, then 5.
func TestDepths(t *testing.T) {
	p := play(t, "afl")
	p.q.favors = func(int) bool { return true } // though all have the same block
	for i := range 27 {
		p.add(1, i-1, 0)
	}
	p.add(1, -1, 0)
	want := "0:256 1:256 2:256 3:512 4:512 5:512 6:512 7:768 8:768 9:768 10:768 11:768 12:768 13:1024 14:1024 15:1024 16:1024 " +
		"17:1024 18:1024 19:1024 20:1024 21:1024 22:1024 23:1024 24:1024 25:1280 26:1280 27:256"
	p.want(want, strange)
}

// TestHandicap checks that a seed found after nine cycles has four times its score twice, and twice
// its score once.
func TestHandicap(t *testing.T) {
	p := play(t, "afl")
	p.average(1)
	p.turns(10, strange)
	p.average(1)
	p.want("1:1024 0:256 1:1024 0:256 1:512 0:256 1:256", strange)
}

// TestFindsDouble checks that a find doubles the turn and the score. A score beyond 1600 doubles no
// more.
func TestFindsDouble(t *testing.T) {
	p := play(t, "afl")
	p.average(1)
	p.q.Next(p.r)
	for _, want := range []struct{ length, score int }{
		{512, 200}, {1024, 400}, {2048, 800}, {4096, 1600}, {8192, 3200}, {8192, 3200}, {8192, 3200},
	} {
		p.find(0)
		if p.q.length != want.length || p.q.score != want.score || p.q.left != want.length-1 {
			t.Errorf("length %d, score %d, %d left; want %v", p.q.length, p.q.score, p.q.left, want)
		}
	}
	p.turns(1, strange)
	if k := p.q.Next(p.r); k != 1 || p.q.length != 256 {
		t.Errorf("then seed %d for %d children, want the first find for 256", k, p.q.length)
	}
}

// TestLateFind checks that a find late in a turn doubles the whole turn, as in AFL's code: 250 of
// 256 become 250 of 512.
func TestLateFind(t *testing.T) {
	p := play(t, "afl")
	p.average(1)
	for i := range 250 {
		p.q.Next(p.r)
		if i < 249 {
			p.q.Ran(Result{Traces: traced(1 << 20)})
		}
	}
	if p.find(0); p.q.left != 512-250 {
		t.Errorf("%d children left, want 262", p.q.left)
	}
}

func TestExploit(t *testing.T) {
	p := play(t, "aflfast-exploit")
	p.average(2)
	p.want("0:4096 1:4096 0:4096", zero)
}

// TestFast has mutants that all take seed 0's path. With f the executions of that path at seed 0's
// visits: s=0 f=1 gives 2^0/1; s=1 f=513 gives 2/513, which skips it. Seed 1 always has f=1, so
// that its energy is 2^s, up to 16 times 256.
func TestFast(t *testing.T) {
	p := play(t, "aflfast-fast")
	p.average(2)
	p.want("0:256 1:256 1:512 1:1024 1:2048 1:4096 1:4096 1:4096 1:4096", zero)
	if s := p.q.seeds[0]; s.picks != 9-1 {
		t.Errorf("seed 0 was picked %d times, want 8: being left out counts", s.picks)
	}
	if f := p.q.freq.count[0]; f != 1+256+256+512+1024+2048+4*4096 {
		t.Errorf("%d executions of seed 0's trace", f)
	}
}

// TestFastStarves has one seed whose mutants all take its path. At the visits, s and f are
//
//	0 1, (1 257 up to) 9 257, 10 513, 11 769, 12 1281, 13 2049, 14 2817, 15 4097, 16 5889
//
// and 2^s/f is 1, 1, 1, 2, 3, 3, 5, 7. Then 32/8192 is 0 forever, and the seed has the shortest
// turns until another is found.
func TestFastStarves(t *testing.T) {
	p := play(t, "aflfast-fast")
	p.average(1)
	p.want("0:256 0:256 0:256 0:512 0:768 0:768 0:1280 0:1792 0:16 0:16 0:16", same)
	if p.average(1); p.q.seeds[1].handicap < 16 {
		t.Errorf("handicap %d: the cycles skipped count", p.q.seeds[1].handicap)
	}
	// 4 for the handicap, and 2^s/f while mutants take other paths.
	p.want("1:1024 1:2048 1:4096", strange)
}

// TestStarvingQueue checks that starved seeds have 16 children each.
func TestStarvingQueue(t *testing.T) {
	p := play(t, "aflfast-fast")
	p.average(3)
	for i := range p.q.freq.count {
		p.q.freq.count[i] = 1 << 40
	}
	p.want("0:16 1:16 2:16 0:16 1:16", strange)
}

// TestLin checks s/f. The first visit, with s = 0, has no children. All mutants take seed 0's path,
// so that seed 1 has 1, 2, 3 times 256.
func TestLin(t *testing.T) {
	p := play(t, "aflfast-lin")
	p.average(2)
	p.want("0:256 1:256 1:512 1:768 1:1024", zero)
	// A single seed: cycles are skipped until s is f: 1, 257, 513.
	p = play(t, "aflfast-lin")
	p.average(1)
	p.want("0:256 0:256 0:256", zero)
	if s := p.q.seeds[0]; s.picks != 514 || p.q.cycle != 513 {
		t.Errorf("%d visits in %d cycles, want 514 in 513", s.picks, p.q.cycle)
	}
}

// TestQuad checks s^2/f.
func TestQuad(t *testing.T) {
	p := play(t, "aflfast-quad")
	p.average(2)
	p.want("0:256 1:256 1:1024 1:2304 1:4096", zero)
	// A single seed: s is 1, 17 (289/257), 23 (529/513), 28 (784/769).
	p = play(t, "aflfast-quad")
	p.average(1)
	p.want("0:256 0:256 0:256 0:256", zero)
	if s := p.q.seeds[0]; s.picks != 29 {
		t.Errorf("%d visits, want 29", s.picks)
	}
}

// TestCoe checks f against the mean. Seed 0's path is above it once mutants take it, and below it
// again when they have taken others.
func TestCoe(t *testing.T) {
	p := play(t, "aflfast-coe")
	p.average(2)
	p.want("0:256 1:256 1:512 1:1024", zero)
	// f is 2049 and 1, and the mean 1025. Then mutants take seed 1's path, which has 2049 twice,
	// and seed 0 returns with s=4. At last seed 1 is above the mean.
	p.want("1:2048 0:4096 0:4096", func(int, int) uint32 { return 1 })
}

// TestKnown checks that a continued campaign starts in the middle of the queue.
func TestKnown(t *testing.T) {
	first := map[int]int{}
	for seed := range uint64(200) {
		p := play(t, "afl")
		p.r = mutate.NewRand(seed, 0)
		for i := range 10 {
			p.q.Added(Seed{Traces: traced(uint32(i)), Parent: -1, Known: true})
		}
		k := p.q.Next(p.r)
		first[k]++
		p.turns(1, strange)
		if next := p.q.Next(p.r); next != (k+1)%10 {
			t.Fatalf("%d after %d", next, k)
		}
	}
	if len(first) != 10 {
		t.Errorf("beginnings %v, want all ten", first)
	}
}
