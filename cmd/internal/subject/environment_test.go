package subject

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"parallax/cmd/internal/base/buildcache"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/program/lockstep"
	"parallax/cmd/internal/subject/config"
)

// TestSetReachesWorkers checks that workers of Go functions get the variables of [environment]
// before those of parallax.
func TestSetReachesWorkers(t *testing.T) {
	own := []string{"PARALLAX_IGNORE=a"}
	for _, c := range []struct {
		from *config.File
		want []string
	}{
		{nil, own},
		{&config.File{}, own},
		{&config.File{Environment: config.Environment{
			Inherit: []string{"PATH"}, Set: map[string]string{"B": "2", "A": "x=y z", "PARALLAX_IGNORE": "all", "PARALLAX_MODE": "none", "GOTRACEBACK": "none"},
		}}, []string{"A=x=y z", "B=2", "PARALLAX_IGNORE=a"}},
	} {
		m := &assembly{
			variants: variants{space: &buildcache.Folder{Dir: t.TempDir()}}, from: c.from, dir: t.TempDir(), parts: []*part{{}},
			programs: []program.Prepared{&gofunc.Worker{}}, functions: []*function{{}}, env: own,
		}
		spec := lockstep.Spec{Programs: []lockstep.Program{{}}}
		for range 2 { // the second is of another kind of build
			path, err := m.write(spec, func(*part) string { return "worker" })
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var got lockstep.Spec
			if err := json.Unmarshal(data, &got); err != nil {
				t.Fatal(err)
			}
			var worker gofunc.Worker
			if err := json.Unmarshal(got.Programs[0].Settings, &worker); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(worker.Env, c.want) || len(m.env) != 1 {
				t.Errorf("got %q, want %q; the specification has %q", worker.Env, c.want, m.env)
			}
		}
	}
}
