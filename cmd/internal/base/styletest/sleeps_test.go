package styletest

import (
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sleepers lists functions of tests that sleep without waiting for an event, with the reason.
var sleepers = map[string]string{
	"campaign/queue/panel_test.go judge":               "judges end in another order in each run, and no result depends on it",
	"cbuild/clang/table_cache_test.go TestCachedTable": "a table is cached if reading it takes this time at least",
	"process/confine/main_test.go hog":                 "a process that holds memory for the time that its test gives",
	"program/http/started_test.go beService":           "a server that ends after its answer, and one that holds memory until it is killed",
	"program/lockstep/lockstep_test.go TestOrder":      "each program may be the slowest, and no result depends on it",
	"program/lockstep/order_test.go orderLongestFirst": "the order of programs depends on their measured times",
	"program/persistent/fake_test.go do":               "the sandbox may see the memory before the answer, and no result depends on it",
	"program/persistent/idle_test.go Wait":             "the end of a process may be known late, and no result depends on it",
}

// TestSleeps checks that tests wait for events, and not for a time that is hoped to be enough.
func TestSleeps(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range documents(t, "*_test.go") {
		if strings.Contains("/"+name, "/testdata/") || !strings.HasPrefix(name, "cmd/") && !strings.HasPrefix(name, "internal/") {
			continue
		}
		err := Sleeps(filepath.Join(root, name), func(at token.Position, function string) {
			key := strings.TrimPrefix(name, "cmd/internal/") + " " + function
			if seen[key] = true; sleepers[key] == "" {
				t.Errorf("%s:%d: %s sleeps: wait for an event, or give the reason in sleepers", name, at.Line, function)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for key := range sleepers {
		if !seen[key] {
			t.Errorf("%s does not sleep: delete its row", key)
		}
	}
}

// TestSleepsFound checks that loops and hanging processes may sleep, and a function in a loop may
// not.
func TestSleepsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p_test.go")
	text := `package p

import "time"

func polls() { for range 9 { if done() { return }; time.Sleep(1) } }
func until() { for ; !done(); time.Sleep(1) {} }
func hangs() { time.Sleep(time.Hour) }
func hopes() { time.Sleep(time.Second) }
func inner() { for range 9 { go func() { time.Sleep(1) }() } }
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := Sleeps(path, func(_ token.Position, function string) { got = append(got, function) }); err != nil || !slices.Equal(got, []string{"hopes", "inner"}) {
		t.Errorf("%q, %v", got, err)
	}
}
