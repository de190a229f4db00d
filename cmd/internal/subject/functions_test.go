package subject

import (
	"reflect"
	"testing"
	"time"

	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/subject/config"
)

// TestStoredFunctions checks that the options of a campaign restore the configuration of two
// versions of a function.
func TestStoredFunctions(t *testing.T) {
	programs := []config.GoProgram{
		{Name: NewVersion, Dir: "/new", Function: gofunc.Function{Function: "./p.(*T).M", Label: "b2b2b2b", Environ: []string{"GOWORK=off", "GOFLAGS="}}},
		{Name: OldVersion, Dir: "/user", Function: gofunc.Function{Function: "example.com/m/p.(*T).M", Version: "v1.0.0", Require: []string{"example.com/d v1.0.0", "example.com/e v1.1.0"}}},
	}
	file := config.Functions("p.T.M", "/user", programs, time.Second, 1<<30)
	o := Options{Mode: Diff, Config: file, Accepted: "/user/accepted.toml"}
	stored := o.Stored()
	if got := StoredFunctions(stored); !reflect.DeepEqual(got, programs) {
		t.Errorf("programs %+v, want %+v", got, programs)
	}
	if stored["accepted"] != o.Accepted || stored["harnesses"] != "" || stored["config"] != "" {
		t.Errorf("stored %v", stored)
	}
	if got := file.GoPrograms(); !reflect.DeepEqual(got, programs) || file.Programs[0].Limits.Timeout != time.Second {
		t.Errorf("programs of the configuration %+v", got)
	}
	if StoredFunctions(map[string]string{"functions": "a.F b.F"}) != nil || config.Harnesses([]string{"/a", "/b"}, "/", 1, 1).GoPrograms() != nil {
		t.Error("functions of another campaign")
	}
	other := *file
	other.Programs = append(other.Programs[:1:1], file.Programs[1])
	other.Programs[1].Dir = "/elsewhere"
	if (&Options{Config: &other}).configPath() == o.configPath() {
		t.Error("programs in another folder are the same build")
	}
}
