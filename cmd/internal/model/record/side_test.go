package record

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parallax/cmd/internal/model/extract"
	"parallax/cmd/internal/model/formula"
	"parallax/cmd/internal/model/prototype"
)

// TestPatience checks that a solver that never knows gets some questions, and then no more.
func TestPatience(t *testing.T) {
	s, err := prototype.Read("int twice(int x)", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	z3 := "#!/bin/sh\nwhile read -r line; do\n\tcase $line in\n\t*check-sat*) echo asked >>" + dir + "/log; echo unknown ;;\n\t*get-info*) echo '(:reason-unknown \"hard\")' ;;\n\t*echo*) line=${line#*\\\"}; echo \"${line%\\\"*}\" ;;\n\tesac\ndone\n"
	if err := os.WriteFile(filepath.Join(dir, "z3"), []byte(z3), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	r := New(s, nil)
	r.Paths = []extract.Path{{SMT: "(declare-const arg_0 Int)(declare-const ret Int)(assert (= (* ret ret) arg_0))"}}
	side, err := r.Side(s, "twice")
	if err != nil {
		t.Fatal(err)
	}
	defer side.Close()
	for i := range 30 {
		a, err := side.Evaluate(t.Context(), s.Decode([]byte{byte(i)}))
		if err != nil || a.Kind != formula.Unknown || strings.Contains(a.Detail, "asked no more (20 of 20)") != (i >= 20) {
			t.Errorf("call %d: %v, %q, %v", i, a.Kind, a.Detail, err)
		}
	}
	log, err := os.ReadFile(filepath.Join(dir, "log"))
	// each is repeated after (reset)
	if n := strings.Count(string(log), "asked"); n != 40 || err != nil {
		t.Errorf("the solver was asked %d times, %v", n, err)
	}
}
