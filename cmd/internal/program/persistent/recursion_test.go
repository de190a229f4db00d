package persistent

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"parallax/cmd/internal/program/programtest"
)

// TestRecursion: a function of Python recurses as deep in the driver as in a call from the top of a
// module, and no deeper.
func TestRecursion(t *testing.T) {
	file := testfile(t, "nested.py")
	for i, python := range interpreters(t) {
		if i > 0 && testing.Short() {
			break
		}
		t.Run(python, func(t *testing.T) {
			t.Parallel()
			plain, err := exec.Command(python, "-B", file).Output()
			if err != nil {
				t.Fatal(err)
			}
			driver := []string{python, drivers(t, "python/parallax_driver.py")}
			for i, options := range []string{"", "--text --json", "--json --cover off", "--text --cover nested"} {
				if i > 1 && testing.Short() {
					break
				}
				for line := range strings.Lines(string(plain)) {
					var name string
					var limit int
					if _, err := fmt.Sscan(line, &name, &limit); err != nil || limit < 100 {
						t.Fatal(line, err)
					}
					e := mustOpen(t, config(t, append(append(driver, file+":"+name), strings.Fields(options)...)...))
					want := []string{"accepted", "accepted", "crashed: RecursionError", "accepted"}
					for i, o := range programtest.Execute(t, e, "1", fmt.Sprint(limit), fmt.Sprint(limit+1), fmt.Sprint(limit)) {
						if got := show(o); !strings.HasPrefix(got, want[i]) || strings.Contains(got, "too deep") {
							t.Errorf("%s %s, limit %d: run %d: %.100s", name, options, limit, i, got)
						}
					}
				}
			}
			e := mustOpen(t, config(t, append(driver, file+":chain")...))
			if got := show(programtest.Execute(t, e, "9000")[0]); !strings.HasPrefix(got, "accepted ") {
				t.Errorf("chain: %.100s", got)
			}
		})
	}
}
