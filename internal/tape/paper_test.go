package tape

import (
	"slices"
	"testing"
)

// binaryTree is the generator of BeDivFuzz's Figure 2, with a depth of five.
func binaryTree(s *Source, depth int) []uint64 {
	s.Begin(Site(0, "generate_tree"))
	defer s.End()
	tree := []uint64{s.Draw(1, Value, 10)}
	if depth >= 5 {
		return tree
	}
	if s.Draw(2, Structural, 1) == 1 {
		tree = append(tree, binaryTree(s, depth+1)...)
	}
	if s.Draw(3, Structural, 1) == 1 {
		tree = append(tree, binaryTree(s, depth+1)...)
	}
	return tree
}

// channel returns the values of a channel's choices.
func channel(t *Tape, c Channel) (values []uint64) {
	for _, choice := range t.Choices {
		if choice.Channel == c {
			values = append(values, choice.Value)
		}
	}
	return values
}

// TestBinaryTree is the worked example of BeDivFuzz, sections 2.1 and 3.2. The choices of a root
// with two leaves are split into two channels. All trees of that shape have one structural
// signature.
func TestBinaryTree(t *testing.T) {
	var s Source
	s.Plain([]byte{3, 1, 5, 0, 0, 1, 7, 0, 0}, 1) // the sequence of section 3.2
	if got := binaryTree(&s, 0); !slices.Equal(got, []uint64{3, 5, 7}) || s.Fresh != 0 {
		t.Fatalf("the tree is %v, with %d fresh choices", got, s.Fresh)
	}
	three := s.Tape().Clone()
	if got := channel(three, Structural); !slices.Equal(got, []uint64{1, 0, 0, 1, 0, 0}) {
		t.Errorf("structural choices %v", got)
	}
	if got := channel(three, Value); !slices.Equal(got, []uint64{3, 5, 7}) {
		t.Errorf("values %v", got)
	}

	// Among all trees, exactly those of this shape have this signature.
	for seed := range uint64(5000) {
		s.Random(seed)
		binaryTree(&s, 0)
		alike := slices.Equal(channel(s.Tape(), Structural), channel(three, Structural))
		if same := s.Out.Structure() == three.Structure(); same != alike {
			t.Fatalf("%v has the signature of %v: %v", channel(s.Tape(), Structural), channel(three, Structural), same)
		}
	}

	// A mutation of values keeps the shape. A mutation of the structure keeps the values that it
	// can.
	values := three.Clone()
	for i := range values.Choices {
		if c := &values.Choices[i]; c.Channel == Value {
			c.Redraw = true
		}
	}
	s.Replay(values, 9)
	if binaryTree(&s, 0); s.Tape().Structure() != three.Structure() || s.Fresh != 3 {
		t.Errorf("values were drawn anew: structure %v, %d fresh", channel(s.Tape(), Structural), s.Fresh)
	}
	structure := three.Clone()
	structure.Choices[1].Value = 0 // no left child
	s.Replay(structure, 9)
	// the only child draws the choices of the former first child
	if got := binaryTree(&s, 0); !slices.Equal(got, []uint64{3, 5}) || s.Fresh != 0 {
		t.Errorf("without a left child: %v, %d fresh", got, s.Fresh)
	}
}

// TestRedraw checks that marks for redrawing survive encoding, and that redrawn choices lose them.
func TestRedraw(t *testing.T) {
	var s Source
	for seed := range uint64(200) {
		_, whole := random(&s, seed)
		some := whole.Clone()
		for i := range some.Choices {
			some.Choices[i].Redraw = i%3 == int(seed%3)
		}
		var read Tape
		if err := read.Decode(some.Append(nil)); err != nil || !read.Equal(some) {
			t.Fatalf("seed %d: decoded otherwise, %v", seed, err)
		}
		s.Replay(&read, seed+1)
		tree(&s, 0)
		for i, c := range s.Tape().Choices {
			if c.Redraw {
				t.Fatalf("seed %d: choice %d was drawn and is to be drawn anew", seed, i)
			}
		}
		s.Simplest(&read)
		if tree(&s, 0); s.Out.Choices[0].Value != 0 && some.Choices[0].Redraw {
			t.Fatalf("seed %d: the simplest is %d", seed, s.Out.Choices[0].Value)
		}
	}
}

// TestGuided checks that the state of a choice is the last five choices in its own span and the
// enclosing ones. Spans that have ended between do not count.
func TestGuided(t *testing.T) {
	type made struct {
		site  uint32
		state uint64
	}
	var all []made
	states := func(values ...uint64) []made { // of a generator with such choices
		all = nil
		next := 0
		g := &Guide{
			Choose: func(site uint32, state, bound uint64) (uint64, bool) {
				all = append(all, made{site, state})
				next++
				return values[next-1], next%2 == 0
			},
			Chosen: func(site uint32, state, value uint64) {
				if at := all[len(all)-1]; at.site != site || at.state != state {
					t.Fatalf("chosen at %d, asked at %d", site, at.site)
				}
			},
		}
		var s Source
		s.Guided(g, 1)
		draw := func(site uint32) {
			if _, ok := s.Recall(site, Value, 9); ok != (next%2 == 0) {
				t.Fatal("what the guide leaves is not left")
			}
			s.Record(site, Value, 9, values[next-1])
		}
		draw(1)
		s.Begin(10)
		draw(2)
		s.Begin(11)
		draw(3)
		s.End()
		draw(4)
		s.End()
		s.Begin(10)
		draw(2)
		for range 5 {
			draw(5)
		}
		draw(6)
		s.End()
		return all
	}
	base := states(1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 7)
	differ := func(changed int, which ...int) {
		t.Helper()
		values := []uint64{1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 7}
		values[changed] = 9
		for i, now := range states(values...) {
			if same := now == base[i]; same == slices.Contains(which, i) {
				t.Errorf("choice %d changed: the state of choice %d is the same: %v", changed, i, same)
			}
		}
	}
	differ(0, 1, 2, 3, 4, 5, 6, 7, 8) // of the outermost span: for all with fewer than five between
	differ(1, 2, 3)                   // of a span that ends: for the choices within it
	differ(2)                         // no choice follows in its span
	differ(4, 5, 6, 7, 8, 9)
	differ(5, 6, 7, 8, 9, 10)
}
