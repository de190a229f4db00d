package tape

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tree draws a tree: structural choices for the number of children, values in the leaves, and a
// label before and behind the children.
func tree(s *Source, depth int) (text string) {
	s.Begin(Site(0, "tree"))
	defer s.End()
	text = "(" + string(rune('a'+s.Draw(1, Value, 25)))
	n := uint64(0)
	if depth < 6 {
		n = s.Draw(2, Structural, 3)
	}
	for range n {
		text += tree(s, depth+1)
	}
	return text + string(rune('A'+s.Draw(3, Value, 25))) + ")"
}

// random returns a tape of a tree, and its text.
func random(s *Source, seed uint64) (text string, t *Tape) {
	s.Random(seed)
	text = tree(s, 0)
	return text, s.Tape().Clone()
}

// TestReplay checks that a tape replays to itself without fresh choices, also from its encoded
// form.
func TestReplay(t *testing.T) {
	var s Source
	for seed := range uint64(2000) {
		text, tape := random(&s, seed)
		var read Tape
		if err := read.Decode(tape.Append(nil)); err != nil || !read.Equal(tape) {
			t.Fatalf("seed %d: decoded otherwise, %v", seed, err)
		}
		s.Replay(&read, seed+1)
		if got := tree(&s, 0); got != text || s.Fresh != 0 || !s.Tape().Equal(tape) {
			t.Fatalf("seed %d: %s replays to %s, with %d fresh choices", seed, text, got, s.Fresh)
		}
		if tape.Structure() != s.Out.Structure() || tape.Skeleton() != s.Out.Skeleton() {
			t.Fatalf("seed %d: signatures differ", seed)
		}
	}
}

// TestReplayAfterAChange checks that parts that a structural choice adds or removes do not shift
// later ones.
func TestReplayAfterAChange(t *testing.T) {
	var s Source
	moved := 0
	for seed := range uint64(2000) {
		text, tape := random(&s, seed)
		var at []int
		for i, c := range tape.Choices {
			if c.Channel == Structural && i > 2 {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			continue
		}
		changed := tape.Clone()
		c := &changed.Choices[at[rand.New(rand.NewPCG(seed, 0)).IntN(len(at))]]
		c.Value = (c.Value + 1) % (c.Bound + 1)
		s.Replay(changed, seed)
		got := tree(&s, 0)
		// The last label is that of the root, behind all changes.
		if got[len(got)-2:] != text[len(text)-2:] || got[:2] != text[:2] {
			t.Fatalf("seed %d: %s became %s", seed, text, got)
		}
		if s.Out.Structure() == tape.Structure() {
			t.Fatalf("seed %d: another structure has the same signature", seed)
		}
		moved++
	}
	if moved < 1000 {
		t.Errorf("only %d trees were changed", moved)
	}
}

// TestReplayOfAnOlderGenerator checks that a tape of an older generator keeps the common choices,
// with sites added, removed or reordered within a channel's reach.
func TestReplayOfAnOlderGenerator(t *testing.T) {
	older := func(s *Source) []uint64 {
		var all []uint64
		for range 3 {
			s.Begin(7)
			all = append(all, s.Draw(1, Value, 1000), s.Draw(2, Value, 1000), s.Draw(3, Value, 1000))
			s.End()
		}
		return all
	}
	newer := func(s *Source) []uint64 {
		var all []uint64
		for range 3 {
			s.Begin(7)
			s.Draw(9, Value, 1000) // added; 2 was removed
			all = append(all, s.Draw(1, Value, 1000), s.Draw(3, Value, 1000))
			s.Draw(8, Structural, 5)
			s.End()
		}
		return all
	}
	var s Source
	s.Random(1)
	was := older(&s)
	tape := s.Tape().Clone()
	s.Replay(tape, 2)
	got := newer(&s)
	for i := range 3 {
		if got[2*i] != was[3*i] || got[2*i+1] != was[3*i+2] {
			t.Errorf("of %v, %v are kept", was, got)
		}
	}
	if s.Fresh != 6 {
		t.Errorf("%d fresh choices, not 6", s.Fresh)
	}
	s.Replay(&Tape{}, 2)
	older(&s)
	if s.Fresh != 9 {
		t.Errorf("%d fresh choices where there is no tape", s.Fresh)
	}
}

// TestNarrowerBound checks that values beyond a narrower bound become valid ones.
func TestNarrowerBound(t *testing.T) {
	var s Source
	s.Random(1)
	s.Record(1, Value, math.MaxUint64, math.MaxUint64)
	s.Record(2, Value, 9, 9)
	tape := s.Tape().Clone()
	for _, bound := range []uint64{0, 1, 6, 9, math.MaxUint64} {
		s.Replay(tape, 1)
		if a, b := s.Draw(1, Value, bound), s.Draw(2, Value, bound); a > bound || b > bound || bound >= 9 && b != 9 {
			t.Errorf("%d and %d with bound %d", a, b, bound)
		}
	}
}

// TestPlain checks that any bytes are choices, and that the same bytes are the same choices.
func TestPlain(t *testing.T) {
	var s Source
	draw := func(data string, seed uint64) [4]uint64 {
		s.Plain([]byte(data), seed)
		return [4]uint64{s.Draw(1, Value, 255), s.Draw(2, Structural, 2), s.Draw(3, Value, 1000), s.Draw(4, Value, math.MaxUint64)}
	}
	if got := draw("\x07\x05\x01\x01abcdefgh", 0); got != [4]uint64{7, 2, 257, 0x6867666564636261} || s.Fresh != 0 {
		t.Errorf("%x, %d fresh", got, s.Fresh)
	}
	if a, b := draw("\x07\x05", 1), draw("\x07\x05", 1); a != b || s.Fresh != 2 {
		t.Errorf("%x and %x, %d fresh", a, b, s.Fresh)
	}
}

// TestUnboundedGenerator checks that a generator without bound is stopped.
func TestUnboundedGenerator(t *testing.T) {
	for name, draw := range map[string]func(*Source){
		"choices": func(s *Source) {
			for {
				s.Draw(1, Value, 1)
			}
		},
		"spans": func(s *Source) {
			for {
				s.Begin(1)
				s.End()
			}
		},
		"depth": func(s *Source) {
			for {
				s.Begin(1)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if err, _ := recover().(error); !errors.Is(err, ErrTooLong) {
					t.Errorf("it ended with %v", err)
				}
			}()
			var s Source
			s.Random(1)
			draw(&s)
		})
	}
}

// TestUpToIsUniform checks that all values up to a bound are drawn about equally often.
func TestUpToIsUniform(t *testing.T) {
	var s Source
	s.Random(1)
	for _, bound := range []uint64{0, 1, 2, 9} {
		seen := make([]int, bound+1)
		for range 10000 {
			seen[s.UpTo(bound)]++
		}
		for v, n := range seen {
			if want := 10000 / int(bound+1); n < want*8/10 || n > want*12/10 {
				t.Errorf("%d of %d was drawn %d times of 10,000", v, bound, n)
			}
		}
	}
	for range 1000 {
		if v := s.UpTo(1<<63 + 5); v > 1<<63+5 {
			t.Fatal(v)
		}
	}
}

// TestDecodeErrors checks that damaged tapes are reported with the place.
func TestDecodeErrors(t *testing.T) {
	var s Source
	_, tape := random(&s, 3)
	good := tape.Append(nil)
	for n := range good {
		var got Tape
		if err := got.Decode(good[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are a tape", n, len(good))
		}
	}
	for want, data := range map[string]string{
		"does not begin":                "hello",
		"has version 9":                 magic + "\x09",
		"more behind":                   string(good) + "x",
		"at byte 7: there are 200":      magic + "\x01\x00\xc8\x01",
		"a channel is 7":                magic + "\x01\x00\x01\x00\x00\x00\x00\x07\x01\x00",
		"a span ends that has not":      magic + "\x01\x00\x00\x01\x00",
		"a span does not end":           magic + "\x01\x00\x00\x01\x01\x00\x00\x00\x00",
		"a choice is of kind 1 of 0":    magic + "\x01\x00\x00\x01\x03",
		"a number is cut off or too la": magic + "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	} {
		var got Tape
		if err := got.Decode([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", data, err, want)
		}
	}
}

// FuzzDecode checks that a decodable tape encodes and decodes to itself, and that any generator can
// replay it.
func FuzzDecode(f *testing.F) {
	var s Source
	for seed := range uint64(5) {
		_, tape := random(&s, seed)
		f.Add(tape.Append(nil))
	}
	f.Add([]byte(magic + "\x01\x00\x00\x02\x01\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var tape, again Tape
		if tape.Decode(data) != nil {
			return
		}
		encoded := tape.Append(nil)
		if err := again.Decode(encoded); err != nil || !again.Equal(&tape) {
			t.Fatalf("encoded and decoded, it is another: %v", err)
		}
		var s Source
		s.Play(&tape)
		text := tree(&s, 0)
		first := s.Tape().Clone()
		if s.Play(&tape); tree(&s, 0) != text || !s.Tape().Equal(first) {
			t.Fatal("played twice, it draws something else")
		}
		for _, from := range [][]byte{data, encoded} { // encoded has a correct seal
			var loaded Source
			if err := loaded.Load(from); err != nil {
				t.Fatal(err)
			}
			if tree(&loaded, 0) != text || !loaded.Tape().Equal(first) {
				t.Fatalf("%q is loaded as something else than it is decoded as", from)
			}
		}
	})
}

// TestManyKinds checks that a tape can have any number of kinds, also when appended to other bytes.
func TestManyKinds(t *testing.T) {
	for _, n := range []int{1, fewKinds - 1, fewKinds, fewKinds + 1, 200, 1000} {
		var s Source
		s.Random(1)
		for i := 0; i < 3*n; i++ {
			s.Begin(uint32(i % 3))
			s.Record(uint32(i%n), Channel(i%2), uint64(i%n)*300, uint64(i%n)*200)
			s.End()
		}
		var read Tape
		before := "before"
		data := s.Tape().Append([]byte(before))
		if err := read.Decode(data[len(before):]); err != nil || !read.Equal(s.Tape()) || string(data[:len(before)]) != before {
			t.Errorf("%d kinds: %v", n, err)
		}
	}
}

// TestKnownSites checks that cached sites are the same.
func TestKnownSites(t *testing.T) {
	var s Source
	s.Random(1)
	for i := 0; i < 3; i++ {
		for around := uint32(0); around < 1000; around++ {
			for _, label := range []string{"", "a", "left", "right", "label"} {
				if got, want := s.In(around, label), Site(around, label); got != want {
					t.Fatalf("%q in %d is %d, want %d", label, around, got, want)
				}
			}
		}
	}
	s.Begin(7)
	if s.Site("x") != Site(7, "x") {
		t.Error("the present span is not around")
	}
}

// hundred draws a hundred choices in fifty spans.
func hundred(s *Source) {
	for range 50 {
		s.Begin(1)
		s.Draw(1, Value, 9)
		s.Draw(2, Structural, 9)
		s.End()
	}
}

// TestAllocations checks that drawing and replaying allocate nothing once buffers have grown.
func TestAllocations(t *testing.T) {
	var s Source
	_, tape := random(&s, 3)
	draw := func() {
		hundred(&s)
		s.Tape()
	}
	draw()
	if n := testing.AllocsPerRun(20, func() { s.Random(1); draw() }); n > 0 {
		t.Errorf("%v allocations of drawing", n)
	}
	if n := testing.AllocsPerRun(20, func() { s.Replay(tape, 1); draw() }); n > 0 {
		t.Errorf("%v allocations of replaying", n)
	}
	var read Tape
	room := tape.Append(nil)
	if n := testing.AllocsPerRun(20, func() {
		if room = tape.Append(room[:0]); read.Decode(room) != nil {
			t.Fatal("not decoded")
		}
	}); n > 0 {
		t.Errorf("%v allocations of encoding and decoding", n)
	}
	var e Edit
	if n := testing.AllocsPerRun(20, func() { e.Repeat(tape, 1, tape, 1) }); n > 0 {
		t.Errorf("%v allocations of an edit", n)
	}
}

func BenchmarkDraw(b *testing.B) {
	var s Source
	for range b.N {
		s.Random(1)
		hundred(&s)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/choice")
}

func BenchmarkReplay(b *testing.B) {
	var s Source
	s.Random(1)
	hundred(&s)
	tape := s.Tape().Clone()
	for range b.N {
		s.Replay(tape, 1)
		hundred(&s)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/100, "ns/choice")
}

// shrunk shrinks a generator's tape while a condition holds, and returns its text and the runs.
func shrunk(t *testing.T, generate func(*Source) string, shows func(string) bool) (string, int) {
	t.Helper()
	var s, replay Source
	for seed := range uint64(10000) {
		s.Random(seed)
		if !shows(generate(&s)) {
			continue
		}
		small, runs := Shrink(s.Tape(), 5000, func(draft *Tape) (*Tape, bool) {
			replay.Simplest(draft)
			text := generate(&replay)
			return replay.Tape(), shows(text)
		})
		replay.Replay(small, 2)
		text := generate(&replay)
		if !shows(text) || replay.Fresh > 0 {
			t.Fatalf("the smallest tape makes %q, with %d fresh choices", text, replay.Fresh)
		}
		return text, runs
	}
	t.Fatal("nothing shows it")
	return "", 0
}

// TestShrink checks that shrinking finds the smallest input, or nearly so, by the generator's own
// parts.
func TestShrink(t *testing.T) {
	whole := func(s *Source) string { return tree(s, 0) }
	list := func(s *Source) string {
		var b strings.Builder
		for range s.Draw(1, Structural, 20) {
			b.WriteByte(byte('a' + s.Draw(2, Value, 25)))
		}
		return b.String()
	}
	for name, test := range map[string]struct {
		generate func(*Source) string
		shows    func(string) bool
		want     string
	}{
		"a letter anywhere":     {list, func(s string) bool { return strings.Contains(s, "q") }, "q"},
		"two, in their order":   {list, func(s string) bool { q := strings.Index(s, "q"); return q >= 0 && strings.Contains(s[q:], "d") }, "qd"},
		"five letters":          {list, func(s string) bool { return len(s) > 4 }, "aaaaa"},
		"twice the same letter": {list, func(s string) bool { return len(s) > 1 && s[0] == s[len(s)-1] && s[0] > 'c' }, "dd"},
		"a leaf":                {whole, func(s string) bool { return strings.Contains(s, "(xA") || strings.Contains(s, "(xB") }, "(xA)"},
		"depth":                 {whole, func(s string) bool { return strings.Contains(s, "(((") || strings.Count(s, "(") > 3 }, "(a(a(a(aA)A)A)A)"},
	} {
		t.Run(name, func(t *testing.T) {
			if text, runs := shrunk(t, test.generate, test.shows); text != test.want {
				t.Errorf("%q in %d runs, want %q", text, runs, test.want)
			}
		})
	}
}

// TestEdit checks that every edit makes a valid tape: it survives encoding, and a replay draws from
// it.
func TestEdit(t *testing.T) {
	var s Source
	list := func() { // a list of lists
		n := s.Draw(1, Structural, 9)
		for i := uint64(0); i < n; i++ {
			s.Begin(2)
			for k := s.Draw(3, Structural, 3); k > 0; k-- {
				s.Begin(4)
				s.Draw(5, Value, 255)
				s.End()
			}
			s.End()
		}
	}
	tapes := func(seed uint64) *Tape {
		s.Random(seed)
		list()
		return s.Tape().Clone()
	}
	sound := func(what string, out *Tape) {
		t.Helper()
		var again Tape
		if err := again.Decode(out.Append(nil)); err != nil || !again.Equal(out) {
			t.Fatalf("%s: %v\n%+v\n%+v", what, err, out, again)
		}
	}
	// same compares an edit with one that is built part by part.
	var e, reference Edit
	same := func(what string, t0 *Tape, span int, put func(child int32)) {
		t.Helper()
		want := reference.whole(t0, func(child int32) bool {
			if int(child) == span {
				put(child)
			}
			return int(child) == span
		})
		if len(e.Out.Choices) != len(want.Choices) || e.Out.Skeleton() != want.Skeleton() || !slices.Equal(e.Out.Spans, want.Spans) {
			t.Fatalf("%s: %+v, want %+v", what, e.Out, want)
		}
	}
	for seed := uint64(0); seed < 200; seed++ {
		a, b := tapes(seed), tapes(seed+1000)
		sound("copy", e.Copy(a))
		if len(a.Spans) < 2 || len(b.Spans) < 2 {
			continue
		}
		k, m := 1+int(seed)%(len(a.Spans)-1), 1+int(seed*7)%(len(b.Spans)-1)
		sound("splice", e.Splice(a, k, b, m))
		same("splice", a, k, func(int32) { reference.span(b, int32(m), nil) })
		if got, want := len(e.Out.Choices), len(a.Choices)-int(a.Spans[k].End-a.Spans[k].First)+int(b.Spans[m].End-b.Spans[m].First); got != want {
			t.Fatalf("splice has %d choices, want %d", got, want)
		}
		sound("same", e.Splice(a, k, a, k))
		if !e.Out.Equal(a) {
			t.Fatal("a part in its own place changes the tape")
		}
		sound("redraw", e.Redraw(a, k))
		same("redraw", a, k, func(child int32) {
			reference.begin(a.Spans[child].Site)
			reference.end()
		})
		sound("repeat", e.Repeat(a, k, b, m))
		same("repeat", a, k, func(child int32) {
			reference.span(b, int32(m), nil)
			reference.span(a, child, nil)
		})
		sound("take out", e.TakeOut(a, k))
		same("take out", a, k, func(int32) {})
		sound("repeat", e.Repeat(a, k, a, k))
		more := e.Out.Clone()
		sound("take out", e.TakeOut(more, k))
		if c := a.count(k); c >= 0 && a.Choices[c].Value < a.Choices[c].Bound && !e.Out.Equal(a) {
			t.Fatalf("repeated and taken out: %+v, want %+v", e.Out, a)
		}
		if c := a.count(k); c >= 0 && a.Choices[c].Value < a.Choices[c].Bound {
			s.Simplest(more)
			list()
			if s.Fresh != 0 || !s.Tape().Equal(more) {
				t.Fatalf("a repeated part is not drawn: %+v, want %+v", s.Tape(), more)
			}
		}
		if after := int(a.Spans[k].After); after < len(a.Spans) {
			sound("swap", e.Swap(a, k, after))
		}
	}
}

// TestShrinkLong checks that the budget grows with the length of drafts, as their cost does.
func TestShrinkLong(t *testing.T) {
	draw := func(s *Source) {
		for n := s.Draw(1, Structural, 1<<16); n > 0; n-- {
			s.Draw(2, Value, 9)
		}
	}
	var s Source
	long := &Tape{}
	long.Reset()
	long.Choices = append(long.Choices, Choice{Site: 1, Channel: Structural, Bound: 1 << 16, Value: 60000})
	long.Spans[0].End = 1
	s.Simplest(long)
	draw(&s)
	choices, calls := 0, 0
	_, runs := Shrink(s.Tape().Clone(), 300, func(draft *Tape) (*Tape, bool) {
		var s Source
		s.Simplest(draft)
		draw(&s)
		calls, choices = calls+1, choices+len(draft.Choices)
		return s.Tape(), len(s.Tape().Choices) > 50000
	})
	if choices > (300+20)*longDraft || calls > runs || runs < 300 || calls < 10 {
		t.Errorf("%d choices in %d calls, %d of the budget", choices, calls, runs)
	}
}
