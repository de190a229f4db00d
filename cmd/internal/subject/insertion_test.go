package subject

import "testing"

func TestInserted(t *testing.T) {
	for function, want := range map[string]bool{
		"example.com/a.plxOne": true, "example.com/a.plxOne(...)": true, "a.plxHit(0x1)": true, "testing.plxFuzz(0x1, {0x2, 0x3})": true,
		"testing.(*plxTarget).End(0x1)": true, "example.com/plx/a.F": false, "example.com/a.(*T).plxOne": false, "a.F.func1": false, "plxOne": false,
		"gopkg.in/yaml.v3.plxOne": true, "gopkg.in/yaml%2ev3.(*plxTarget).End": true, "gopkg.in/yaml.v3.(*parser).plxOne": false,
		"main.main()": false, "": false,
	} {
		if got := Inserted(function); got != want {
			t.Errorf("%s: %t", function, got)
		}
	}
}
