package trial

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestTakeClock checks that a trial of a blackbox configuration has the clock of the first run and
// the coverage of the second.
func TestTakeClock(t *testing.T) {
	run := func(cpu float64, n uint64) *Sample {
		s := &Sample{Inputs: n, CPU: cpu, Buckets: []Found{{ID: "a", Kind: "crash", FirstSeen: 70}, {ID: "slow", Kind: "timeout", FirstSeen: uint64(cpu)}}}
		for i := range 5 {
			s.Series.Inputs, s.Series.CPU = append(s.Series.Inputs, n*uint64(i)/4), append(s.Series.CPU, cpu*float64(i)/4)
		}
		return s
	}
	plain, seen := run(10, 1000), run(40, 1000)
	seen.Series.Inputs[1] = 100 // the lines are at other inputs
	if err := seen.takeClock(plain); err != nil {
		t.Fatal(err)
	}
	if want := []float64{0, 1, 5, 7.5, 10}; !reflect.DeepEqual(seen.Series.CPU, want) || seen.CPU != 10 || seen.Blackbox.CPU != 40 {
		t.Errorf("%v, %v, %v", seen.Series.CPU, seen.CPU, seen.Blackbox)
	}
	other := run(40, 1000)
	other.Buckets[0].FirstSeen++
	if err := other.takeClock(plain); err == nil || !strings.Contains(err.Error(), "after 70 inputs, and after 71") {
		t.Errorf("other inputs: %v", err)
	}
	if err := run(40, 999).takeClock(plain); err == nil || !strings.Contains(err.Error(), "1000 inputs, and 999") {
		t.Errorf("fewer inputs: %v", err)
	}
	args := []string{"fuzz", "./p", "--fuzz", "^FuzzX$", "--fuzztime", "5000x", "--cputime", "45s", "--guidance", "random"}
	if got, want := strings.Join(withBudget(args, 17, 0), " "), "fuzz ./p --fuzz ^FuzzX$ --guidance random --fuzztime 17x"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := strings.Join(withBudget([]string{"fuzz", "./p", "--cputime=8s", "--fuzztime=9x", "--parallel=1"}, 0, time.Second), " "); got != "fuzz ./p --parallel=1 --cputime 1s" {
		t.Error(got)
	}
}

// TestBlackboxConfiguration checks that samples of other trials are refused, and so are comparisons
// of programs.
func TestBlackboxConfiguration(t *testing.T) {
	c, err := parseConfig([]byte(strings.Replace(generated, `name = "plain"`, "name = \"plain\"\nblackbox = true", 1)))
	if err != nil {
		t.Fatal(err)
	}
	s := &Sample{Subject: "goja", Configuration: "plain", Command: c.command(&c.Subjects[0], &c.Configurations[0])}
	if err := c.suits(s); err == nil || !strings.Contains(err.Error(), "blackbox = true") {
		t.Errorf("%v", err)
	}
	s.Blackbox = &Blackbox{}
	if err := c.suits(s); err != nil {
		t.Error(err)
	}
	if _, err := parseConfig([]byte(strings.Replace(small, `name = "base"`, "name = \"base\"\nblackbox = true", 1))); err == nil || !strings.Contains(err.Error(), "configuration base: blackbox is for subjects with fuzz") {
		t.Errorf("%v", err)
	}
}
