package flagname

import (
	"slices"
	"strings"
	"testing"
)

func TestCommand(t *testing.T) {
	for was, want := range map[string]string{
		"diff ./a.A ./b.B --no-operands --judge-time 1m": "diff ./a.A ./b.B --no-cmplog --triage-time 1m",
		"diff --judge-time=1m --free=3 --no-judge":       "diff --triage-time=1m --pool-size=3 --no-triage",
		"diff --schedule even --seed 3":                  "diff --schedule stratified --seed 3",
		"diff --schedule=even --seeds even free":         "diff --schedule=stratified --seeds even free",
		"diff --schedule luck --schedule=":               "diff --schedule luck --schedule=",
		"fuzz ./p --no-cmplog --schedule":                "fuzz ./p --no-cmplog --schedule",
	} {
		if got := strings.Join(Command(strings.Fields(was)), " "); got != want {
			t.Errorf("%s is now %s, want %s", was, got, want)
		}
	}
	args := []string{"--no-judge"}
	if Command(args); !slices.Equal(args, []string{"--no-judge"}) {
		t.Errorf("the arguments were changed: %q", args)
	}
}
