package gen

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// examined examines a property. It returns the evidence of each site by "label: by, kind", and the
// mistakes as texts.
func examined(t *testing.T, property func(*T)) (map[string]evidence, []string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x := &examination{Key: "key", Seed: 1, Inputs: 40, Reruns: 59, Timeout: 1 << 20, out: f}
	x.examine(t, property)
	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]evidence{}
	var mistakes []string
	done := false
	for _, one := range strings.Split(string(text), "\n") {
		one, ok := strings.CutPrefix(one, "key {")
		if !ok {
			continue
		}
		var l line
		if err := json.Unmarshal([]byte("{"+one), &l); err != nil {
			t.Fatal(err)
		}
		for _, d := range l.Sites {
			key := fmt.Sprintf("%s: %s, %s", d.Label, d.By, d.Kind)
			sum := found[key]
			sum.site = d.site
			sum.Draws, sum.Reruns, sum.Changed, sum.Unclear = sum.Draws+d.Draws, sum.Reruns+d.Reruns, sum.Changed+d.Changed, sum.Unclear+d.Unclear
			found[key] = sum
		}
		for _, m := range l.Mistakes {
			mistakes = append(mistakes, fmt.Sprintf("%s %s %s", m.Kind, m.Label, m.Text))
		}
		done = done || l.Done
	}
	if !done {
		t.Error("it does not say that it is done")
	}
	sort.Strings(mistakes)
	return found, mistakes
}

// TestExamineSites checks the evidence for sites whose kind is known.
func TestExamineSites(t *testing.T) {
	type node struct {
		Port uint16
		Name string `gen:"in=a|b,structural"`
		Next *node
	}
	hidden := Map(Int[int](), func(n int) bool { return n&1 == 1 }) // its branches are not visible
	depends, not := "depends", "does not"
	for _, c := range []struct {
		name     string
		property func(*T)
		sites    map[string]string
	}{
		{"a value on which a branch depends", func(t *T) {
			if Bool().Draw(t, "more") {
				Int[int]().Draw(t, "n")
			}
		}, map[string]string{"more: Bool, value": depends, "n: Int, value": not}},
		{"structure that Map hides", Custom(func(t *T) int {
			if hidden.Draw(t, "odd") {
				return 1
			}
			return IntRange(0, 9).Draw(t, "digit")
		}).one, map[string]string{"odd: Int, value": depends, "digit: IntRange, value": not}},
		{"one of some generators", OneOf(Map(Bool(), func(bool) int { return 0 }), IntRange(1, 9)).one,
			map[string]string{"v: OneOf, structural": depends, "v: OneOf, Bool, value": not, "v: OneOf, IntRange, value": not}},
		{"lengths", SliceOf(String()).one,
			map[string]string{"v: SliceOf, length, structural": depends, "v: SliceOf, String, length, structural": depends, "v: SliceOf, String, Rune, value": not}},
		{"a value that bounds a length", func(t *T) {
			for n := t.IntRange("n", 0, 5); n > 0; n-- {
				Bool().Draw(t, "b")
			}
		}, map[string]string{"n: T.IntRange, value": depends, "b: Bool, value": not}},
		{"T's own draws", func(t *T) {
			if t.Flip("flip") {
				t.IntRange("n", 0, 5)
			}
			t.Choose("idle", 3)
		}, map[string]string{"flip: Flip, structural": depends, "n: T.IntRange, value": not, "idle: Choose, structural": not}},
		{"recursion", Recursive(Int[int](), func(self Gen[int]) Gen[int] {
			return Custom(func(t *T) int { return self.Draw(t, "left") + self.Draw(t, "right") })
		}).one, map[string]string{"v: Recursive, structural": depends, "v: Recursive, Int, value": not, "left: Recursive, structural": depends, "left: Recursive, Int, value": not,
			"right: Recursive, structural": depends, "right: Recursive, Int, value": not}},
		{"a type", Of[node]().one, map[string]string{"node.Port: Of, value": not, "node.Name: Of, SampledFrom, structural": not, "node.Next: Of, structural": depends}},
		{"a type without a name", Of[struct{ A bool }]().one, map[string]string{"A: Of, Bool, value": not}},
		{"a filter draws again", Filtered().one, map[string]string{"v: Filter, SliceOf, length, structural": depends, "v: Filter, SliceOf, IntRange, value": not}},
		{"a property that fails and goes on", func(t *T) {
			if n := IntRange(0, 9).Draw(t, "n"); n > 0 {
				t.Errorf("%d", n)
			}
			Bool().Draw(t, "b")
		}, map[string]string{"n: IntRange, value": not, "b: Bool, value": not}},
		{"a property that always fails in one place", func(t *T) {
			if IntRange(0, 9).Draw(t, "n") > 4 {
				Bool().Draw(t, "b")
			}
			t.Fatal("here")
		}, map[string]string{"n: IntRange, value": depends, "b: Bool, value": not}},
		{"a property that always skips in one place", func(t *T) {
			SliceOf(Bool()).Draw(t, "list")
			t.Assume(false)
		}, map[string]string{"list: SliceOf, length, structural": depends, "list: SliceOf, Bool, value": not}},
		{"a grammar", Grammar("list ::= word+\nword ::= [a-c] | '(' list ')'\n").one, map[string]string{
			"list 1:10: Grammar, structural": depends, "word 2:10: Grammar, structural": depends, "word 2:10: Grammar, value": not}},
		{"what follows a failure is not known", func(t *T) {
			if n := IntRange(0, 9).Draw(t, "n"); n == 3 {
				t.Fatal("found something")
			} else if n == 2 {
				panic("found something else")
			} else if n == 1 {
				t.Skip()
			}
			Bool().Draw(t, "b")
		}, map[string]string{"n: IntRange, value": not, "b: Bool, value": not}},
	} {
		found, mistakes := examined(t, c.property)
		if len(mistakes) > 0 {
			t.Errorf("%s: mistakes %q", c.name, mistakes)
		}
		for key, d := range found {
			if _, ok := c.sites[key]; !ok {
				t.Errorf("%s: there is %q", c.name, key)
			}
			if !strings.HasSuffix(d.File, "examine_test.go") || d.Line == 0 {
				t.Errorf("%s: %q is at %s:%d", c.name, key, d.File, d.Line)
			}
		}
		for key, want := range c.sites {
			d := found[key]
			got := not
			if d.Changed > 0 {
				got = depends
			}
			if d.Reruns < 40 || d.Draws == 0 || got != want {
				t.Errorf("%s: %q %s, in %d of %d reruns, %d unclear", c.name, key, got, d.Changed, d.Reruns, d.Unclear)
			}
		}
	}
}

func (g Gen[V]) one(t *T) { g.Draw(t, "v") }

// Filtered draws lists whose sum is even.
func Filtered() Gen[[]int] {
	return SliceOfN(IntRange(0, 9), 1, 4).Filter(func(list []int) bool {
		sum := 0
		for _, n := range list {
			sum += n
		}
		return sum%2 == 0
	})
}

func TestExamineMistakes(t *testing.T) {
	count := 0
	for _, c := range []struct {
		name     string
		property func(*T)
		want     string
	}{
		{"two draws with one label", func(t *T) {
			Int[int]().Draw(t, "n")
			Int[int]().Draw(t, "n")
		}, "shared-label n "},
		{"a loop", func(t *T) {
			for i := 0; i < 2; i++ {
				Int[int]().Draw(t, "n")
				t.Choose("c", 2)
			}
		}, ""},
		{"the order of a map", func(t *T) {
			for k := range map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true} {
				IntRange(0, k).Draw(t, "n")
			}
		}, "nondeterministic n "},
		{"what an earlier input has left", func(t *T) {
			if count++; count%2 == 0 {
				Bool().Draw(t, "b")
			}
			Int[int]().Draw(t, "n")
		}, "nondeterministic"},
		{"another value of the same choices", func(t *T) {
			Custom(func(t *T) int64 { return rand.Int63() + int64(Int[int8]().Draw(t, "n")) }).Draw(t, "r")
		}, "nondeterministic r value"},
		{"pointers are no values", func(t *T) {
			Custom(func(t *T) [][]*int8 { n := Int[int8]().Draw(t, "n"); return [][]*int8{{&n}} }).Draw(t, "p")
		}, ""},
		{"a generator that panics", func(t *T) {
			Custom(func(t *T) int { return 1 / (IntRange(0, 9).Draw(t, "n") - 5) }).Draw(t, "q")
		}, "panic  runtime error: integer divide by zero"},
		{"a property that panics", func(t *T) { _ = 1 / (IntRange(0, 9).Draw(t, "n") - 5) }, ""},
		{"without bound", func(t *T) {
			for {
				Bool().Draw(t, "b")
			}
		}, "endless  the generator draws without bound: more than 65536 choices"},
	} {
		_, mistakes := examined(t, c.property)
		got := strings.Join(mistakes, "; ")
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) || len(mistakes) > 1 && c.want != "nondeterministic" {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestExamineRepeats checks that the property's effects on the test do not count, and that results
// are repeatable.
func TestExamineRepeats(t *testing.T) {
	property := func(t *T) {
		list := SliceOf(OneOf(Int[int](), IntRange(0, 1).Structural())).Draw(t, "list")
		t.Errorf("%v", list)
		t.Cleanup(func() { t.Log("cleaned up") })
	}
	first, _ := examined(t, property)
	again, _ := examined(t, property)
	if len(first) == 0 || fmt.Sprint(first) != fmt.Sprint(again) {
		t.Errorf("%v\n%v", first, again)
	}
	if d := first["list: SliceOf, OneOf, IntRange, structural"]; !d.Override || d.Draws == 0 {
		t.Errorf("an override is not seen: %+v", d)
	}
}

func TestStackPlace(t *testing.T) {
	stack := "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/src/runtime/debug/stack.go:26 +0x5e\n" + genPrefix + "(*checker).guard.func1()\n\t/m/gen/check.go:150 +0x1\npanic({0x1, 0x2})\n\t/go/src/runtime/panic.go:770 +0x1\n" +
		"example.com/m.draw(...)\n\t/m/m_test.go:12 +0x3\n" + genPrefix + "Gen[...].Draw({0x1})\n\t" + genDir + "/gen.go:62 +0x3\nexample.com/m.FuzzX.func1(0x0)\n\t/m/m_test.go:20\n"
	if at, within := stackPlace(stack); at.file != "/m/m_test.go" || at.line != 12 || !within {
		t.Errorf("%v %v", at, within)
	}
	if at, within := stackPlace("goroutine 7 [running]:\nexample.com/m.FuzzX.func1(0x0)\n\t/m/m_test.go:20 +0x1\n"); at.line != 20 || within {
		t.Errorf("%v %v", at, within)
	}
}
