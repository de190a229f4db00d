package trial

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
)

const good = `
version = 1
trials = 10
seed = 5
cpu = "8s"
inputs = 100000
compare_at_inputs = 20000
baseline = "coverage"
choosing = ["semver"]

[[configuration]]
name = "coverage"
flags = ["--guidance", "coverage"]

[[configuration]]
name = "default"
group = "delta"

[[subject]]
name = "semver"
dir = "sub"
targets = ["./order.Mod", "./order.Masterminds"]
flags = ["--max-bytes", "64"]

[[subject.cause]]
name = "leading zero"
kind = "discrepancy"
layer = "verdict"
outcomes = { Mod = "rejected", Masterminds = "accepted" }
errors = { Mod = "(?i)zero" }
input = '^0[0-9]'

[[subject]]
name = "fuzzed"
fuzz = "./pkg"
harness = "FuzzX"
`

func TestParseConfig(t *testing.T) {
	c, err := parseConfig([]byte(good))
	if err != nil {
		t.Fatal(err)
	}
	c.Path = "/home/me/exp.toml"
	if c.CPU.Duration != 8*time.Second || c.baseline() != "coverage" || !c.chosenOn("semver") || c.chosenOn("fuzzed") {
		t.Errorf("got %+v", c)
	}
	if got, want := c.SamplesFile(), "/home/me/exp.samples.jsonl"; got != want {
		t.Errorf("samples in %s, want %s", got, want)
	}
	if got, want := c.dir(c.subject("semver")), "/home/me/sub"; got != want {
		t.Errorf("run in %s, want %s", got, want)
	}
	got := strings.Join(c.command(c.subject("semver"), c.configuration("coverage")), " ")
	if want := "diff ./order.Mod ./order.Masterminds --fuzztime 100000x --cputime 8s --max-bytes 64 --guidance coverage"; got != want {
		t.Errorf("runs %s\nwant %s", got, want)
	}
	other := *c.configuration("default")
	other.Harness = "FuzzY"
	if got := strings.Join(c.command(c.subject("fuzzed"), &other), " "); !strings.Contains(got, " --fuzz ^FuzzY$ ") {
		t.Errorf("with a harness of the configuration's: %s", got)
	}
	if got := strings.Join(c.command(c.subject("semver"), &other), " "); strings.Contains(got, "--fuzz ") {
		t.Errorf("of functions, with a harness of the configuration's: %s", got)
	}
	got = strings.Join(c.command(c.subject("fuzzed"), c.configuration("default")), " ")
	if want := "fuzz ./pkg --fuzz ^FuzzX$ --fuzztime 100000x --cputime 8s"; got != want {
		t.Errorf("runs %s\nwant %s", got, want)
	}
	if c.configuration("default").group() != "delta" || c.configuration("coverage").group() != "coverage" {
		t.Error("groups")
	}
}

// TestBadConfig checks that an error names the mistake, its place, and the fix.
func TestBadConfig(t *testing.T) {
	tests := []struct {
		name, from, to, want string // replace from by to in the good one
	}{
		{"no TOML", "trials = 10", "trials = = 10", "line 3, column 10"},
		{"wrong type", "trials = 10", `trials = "ten"`, "line 3"},
		{"unknown key", "seed = 5", "speed = 5", "line 4: unknown key speed"},
		{"unknown key in a subject", `dir = "sub"`, `folder = "sub"`, "line 21: unknown key subject.folder"},
		{"unknown keys", "seed = 5\ncpu", "speed = 5\ncpus", "line 4: unknown key speed; line 5: unknown key cpus"},
		{"no version", "version = 1", "", "write version = 1"},
		{"newer version", "version = 1", "version = 2", "version = 2, but this parallax reads version 1"},
		{"no trials", "trials = 10", "trials = 0", "trials = 0: choose 1"},
		{"negative seed", "seed = 5", "seed = -5", "line 4"},
		{"no budget", "cpu = \"8s\"\ninputs = 100000", "", "no budget: give cpu"},
		{"bad time", `"8s"`, `"8 hours"`, `"8 hours": give a time like 8s`},
		{"negative time", `"8s"`, `"-8s"`, "give a time like 8s"},
		{"baseline", `baseline = "coverage"`, `baseline = "cover"`, `baseline = "cover" is not a configuration`},
		{"choosing", `["semver"]`, `["server"]`, `choosing: "server" is not a subject`},
		{"two configurations", `name = "default"`, `name = "coverage"`, "two of [[configuration]] have the name coverage"},
		{"two subjects", `name = "fuzzed"`, `name = "semver"`, "two of [[subject]] have the name semver"},
		{"no name", `name = "fuzzed"`, ``, "subject 2 has no name"},
		{"bad name", `name = "fuzzed"`, `name = "../fuzzed"`, `subject "../fuzzed": a name has letters`},
		{"reserved flag", `"--guidance", "coverage"`, `"--seed=3"`, "configuration coverage: the flag --seed=3 is set by bench itself"},
		{"reserved flag with one dash", `"--max-bytes", "64"`, `"-out", "x"`, "subject semver: the flag -out is set by bench itself"},
		{"nothing to run", `targets = ["./order.Mod", "./order.Masterminds"]`, ``, "subject semver: nothing to run"},
		{"both", `harness = "FuzzX"`, "harness = \"FuzzX\"\ntargets = [\"a\"]", "subject fuzzed: give either targets"},
		{"no harness", `harness = "FuzzX"`, "", `subject fuzzed: fuzz needs harness = "FuzzX"`},
		{"a flag as a target", `"./order.Mod"`, `"--json"`, "looks like a flag"},
		{"cause without a name", `name = "leading zero"`, "", "subject semver: cause 1: no name"},
		{"kind", `kind = "discrepancy"`, `kind = "bug"`, `"leading zero": kind = "bug": choose from`},
		{"layer", `layer = "verdict"`, `layer = "verdicts"`, `layer = "verdicts": choose from`},
		{"outcome", `Mod = "rejected"`, `Mod = "refused"`, `outcome "refused" of Mod: choose from`},
		{"input", `'^0[0-9]'`, `'^0[0-9'`, `"leading zero": input: error parsing regexp`},
		{"errors", `"(?i)zero"`, `"("`, `"leading zero": errors of Mod: error parsing regexp`},
	}
	for _, test := range tests {
		if !strings.Contains(good, test.from) {
			t.Fatalf("%s: the good configuration has no %s", test.name, test.from)
		}
		_, err := parseConfig([]byte(strings.Replace(good, test.from, test.to, 1)))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
	cause := strings.Replace(good, "[[subject]]\nname = \"fuzzed\"", "[[subject.cause]]\nname = \"leading zero\"\nkind = \"crash\"\n[[subject.cause]]\nname = \"all\"\n[[subject]]\nname = \"fuzzed\"", 1)
	if _, err := parseConfig([]byte(cause)); err == nil || !strings.Contains(err.Error(), `two of [[subject.cause]] have the name "leading zero"`) {
		t.Errorf("two causes of one name: %v", err)
	}
	for text, want := range map[string]string{
		"version = 1\ntrials = 1\ninputs = 1":                                  "no [[configuration]]",
		"version = 1\ntrials = 1\ninputs = 1\n[[configuration]]\nname = \"a\"": "no [[subject]]",
		strings.Replace(good, "name = \"leading zero\"\nkind = \"discrepancy\"\nlayer = \"verdict\"\noutcomes = { Mod = \"rejected\", Masterminds = \"accepted\" }\nerrors = { Mod = \"(?i)zero\" }\ninput = '^0[0-9]'", "name = \"all\"", 1): `"all" matches everything`,
	} {
		if _, err := parseConfig([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestReadConfig(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadConfig(filepath.Join(dir, "none.toml")); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("no file: %v", err)
	}
	path := filepath.Join(dir, "exp.toml")
	if err := os.WriteFile(path, []byte("version = 7"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadConfig(path); exit.Code(err) != exit.UsageCode || !strings.HasPrefix(err.Error(), path+": version = 7") {
		t.Errorf("bad file: %v", err)
	}
	if err := os.WriteFile(path, []byte(good), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Prepare(); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "subject semver: its folder "+filepath.Join(dir, "sub")) {
		t.Errorf("no folder: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := c.Prepare(); err != nil {
		t.Error(err)
	}
}

// TestOrder checks that every configuration is first equally often, and that unfinished
// measurements are balanced.
func TestOrder(t *testing.T) {
	c := &Config{Trials: 3, Configurations: []Configuration{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Subjects: []Subject{{Name: "x"}, {Name: "y"}}}
	var got []string
	for _, k := range c.missing([]*Sample{{Subject: "x", Configuration: "b", Trial: 0}}, nil) {
		got = append(got, k.subject+k.configuration+string(rune('0'+k.trial)))
	}
	want := strings.Fields("xa0 xc0 yb0 yc0 ya0 xb1 xc1 xa1 yc1 ya1 yb1 xc2 xa2 xb2 ya2 yb2 yc2")
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("version = 1\ntrials = 1\ninputs = 1\n[[configuration]]\nname = \"a\"\n[[subject]]\nname=\"b\"\ntargets=[\"c\"]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseConfig(data)
		if err != nil {
			return
		}
		for i := range c.Subjects {
			for j := range c.Configurations {
				c.command(&c.Subjects[i], &c.Configurations[j])
			}
		}
	})
}

func TestSubjectOfAnother(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	head := "version = 1\ntrials = 1\ninputs = 9\n[[configuration]]\nname = \"default\"\n"
	write("other/other.toml", good)
	write("other/chain.toml", head+"[[subject]]\nname = \"semver\"\nfrom = \"other.toml\"\n")
	path := write("exp.toml", head+"[[subject]]\nname = \"semver\"\nfrom = \"other/other.toml\"\n")
	c, err := ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	s := c.subject("semver")
	if got := c.dir(s); got != filepath.Join(dir, "other", "sub") {
		t.Errorf("it is run in %s", got)
	}
	if len(s.Causes) != 1 || s.Causes[0].input == nil || !slices.Equal(s.Flags, []string{"--max-bytes", "64"}) {
		t.Errorf("got %+v", s)
	}
	for _, bad := range []struct{ lines, message string }{
		{`from = "none.toml"`, "none.toml"},
		{`from = "other/chain.toml"`, "name that file"},
		{"from = \"other/other.toml\"\nflags = [\"--max-bytes\", \"9\"]", "nothing but name and from"},
	} {
		path := write("bad.toml", head+"[[subject]]\nname = \"semver\"\n"+bad.lines+"\n")
		if _, err := ReadConfig(path); err == nil || exit.Code(err) != 2 || !strings.Contains(err.Error(), bad.message) {
			t.Errorf("%s: %v", bad.lines, err)
		}
	}
	if _, err := ReadConfig(write("bad.toml", head+"[[subject]]\nname = \"other\"\nfrom = \"other/other.toml\"\n")); err == nil {
		t.Error("a subject that the other file lacks is taken")
	}
}
