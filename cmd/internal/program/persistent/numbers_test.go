package persistent

import (
	"bufio"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/programtest"
)

const withNumbers = "parallax-driver 1 numbers features=10"

// TestNumbers checks that a driver with numbered answers that omits, swaps or repeats one violates
// the protocol, anywhere in a batch.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		fault, want string
	}{
		{"nothing", "an answer is to request 1 of this process, and request 0 is the next without one"},
		{"swap", "an answer is to request 1 of this process, and request 0 is the next without one"},
	} {
		for _, before := range []int{0, 5, 40} {
			inputs := slices.Concat(row("before", before), []string{c.fault}, row("after", 10))
			if text := failure(t, mustOpen(t, fakeConfig(t, withNumbers)), inputs...); !strings.Contains(text, "the driver breaks the protocol: "+c.want) || !strings.Contains(text, "A driver answers each request once") {
				t.Errorf("%s after %d: %s", c.fault, before, text)
			}
		}
	}
	// A second answer belongs to no current input. A driver that keeps sending them is broken.
	e := mustOpen(t, fakeConfig(t, withNumbers))
	for i := range patience {
		obs, err := programtest.Try(e, "a", "twice", "b", "c")
		if err != nil {
			if text := userFailure(t, err); i != patience-1 || !strings.Contains(text, "an answer is to request ") {
				t.Errorf("after %d: %s", i, text)
			}
			return
		}
		if show(obs[1]) != "accepted one" || show(obs[2]) != "accepted b" || show(obs[3]) != "accepted c" {
			t.Errorf("%s, %s, %s", show(obs[1]), show(obs[2]), show(obs[3]))
		}
	}
	t.Error("it was tolerated")
}

// TestNumbersOfOthers checks that no input gets the answer of another, whatever a driver with
// numbers does.
func TestNumbersOfOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	faults := []string{"swap", "twice", "nothing", "once swap", "once nothing", "once twice", "exit 3", "print hello"}
	broken := 0
	for range 40 {
		inputs := row("text", 20)
		for range 1 + rng.IntN(3) {
			inputs = slices.Insert(inputs, rng.IntN(len(inputs)+1), faults[rng.IntN(len(faults))])
		}
		c := fakeConfig(t, withNumbers)
		c.Limits.Timeout, c.Ahead = time.Second, 1+rng.IntN(16)
		obs := make([]program.Observation, len(inputs))
		if err := mustOpen(t, c).Execute(t.Context(), programtest.Inputs(inputs...), obs); err != nil {
			userFailure(t, err) // by the protocol: the campaign ends
			broken++
			continue
		}
		for i, o := range obs {
			if want := "accepted " + inputs[i]; strings.HasPrefix(inputs[i], "text") && show(o) != want {
				t.Errorf("%q: %s of %s", inputs, show(o), inputs[i])
			}
		}
	}
	if broken == 0 || broken == 40 {
		t.Errorf("%d of 40 drivers are broken", broken)
	}
}

// TestNumbersWrap checks that numbers have 32 bits, and wrap to 0.
func TestNumbersWrap(t *testing.T) {
	data := withNumbers + "\n" + string(numbered(1<<32-1, frame('A', "last", 3))) + string(numbered(0, frame('A', "first")))
	a := &answers{in: bufio.NewReader(strings.NewReader(data))}
	if _, err := a.greeting(); err != nil {
		t.Fatal(err)
	}
	a.count = 1<<32 - 1
	for _, want := range []string{"accepted last", "accepted first"} {
		var o program.Observation
		if err := a.next(&o, 1000); err != nil || show(o) != want {
			t.Errorf("%s: %v", show(o), err)
		}
	}
}
