package coverage

import (
	"testing"

	"parallax/cmd/internal/show/page"
)

// covered returns two programs' counts of a function with an if in it, in which a block begins.
func covered(then int) *page.Coverage {
	hits := func(a, b int) []page.Hit { return []page.Hit{{Inputs: a}, {Inputs: b}} }
	return &page.Coverage{Files: []page.File{
		{Folder: "example.com/p", Name: "p.go", Path: "/src/p/p.go", Owners: []bool{true, false}, Blocks: []page.Block{
			{Line: 3, EndLine: 9, Hits: hits(4, 2)},
			{Line: 5, EndLine: 6, Hits: hits(0, then)},
			{Line: 8, EndLine: 9, Hits: hits(4, 2)},
			{Line: 20, Hits: hits(0, 0)},
		}},
		{Folder: "example.com/p", Name: "p.go", Path: "/old/p/p.go", Owners: []bool{false, true}, Blocks: []page.Block{{Line: 1, Hits: hits(1, 0)}}},
		{Folder: "example.com/q", Name: "q.go", Path: "/mod/example.com/q@v1.0.0/q.go", Blocks: []page.Block{{Line: 1, Hits: hits(1, 0)}}},
		{Name: "c.c", Path: "/src/c.c", Blocks: []page.Block{{Line: 1, EndLine: 2, Hits: hits(1, 0)}}},
	}}
}

// TestProfile checks that lines have the count of the innermost block, summed over campaigns.
func TestProfile(t *testing.T) {
	want := `mode: count
/mod/example.com/q@v1.0.0/q.go:1.1,1.9999 1 2
/old/p/p.go:1.1,1.9999 1 2
/src/c.c:1.1,2.9999 1 2
example.com/p/p.go:3.1,4.9999 1 8
example.com/p/p.go:5.1,6.9999 1 3
example.com/p/p.go:7.1,7.9999 1 8
example.com/p/p.go:8.1,9.9999 1 8
example.com/p/p.go:20.1,20.9999 1 0
`
	if got := string(Profile([]*page.Coverage{covered(1), covered(2)})); got != want {
		t.Errorf("%s", got)
	}
}

// TestLCOV checks the lines of a tracefile.
func TestLCOV(t *testing.T) {
	want := `TN:parallax
SF:/mod/example.com/q@v1.0.0/q.go
DA:1,1
LF:1
LH:1
end_of_record
SF:/old/p/p.go
DA:1,1
LF:1
LH:1
end_of_record
SF:/src/c.c
DA:1,1
DA:2,1
LF:2
LH:2
end_of_record
SF:/src/p/p.go
DA:3,4
DA:4,4
DA:5,0
DA:6,0
DA:7,4
DA:8,4
DA:9,4
DA:20,0
LF:8
LH:5
end_of_record
`
	if got := string(LCOV([]*page.Coverage{covered(0)})); got != want {
		t.Errorf("%s", got)
	}
}
