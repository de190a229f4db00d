package persistent

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/programtest"
	"parallax/internal/oracle"
)

// need returns the path of a tool that the tests require.
func need(t *testing.T, tool, debian string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Fatalf("%s is missing: install it, for example with: sudo apt-get install %s", tool, debian)
	}
	return path
}

// drivers returns a file of drivers/, and testfile one of testdata/.
func drivers(t *testing.T, path string) string { return absolute(t, "../../../../drivers", path) }

func testfile(t *testing.T, path string) string { return absolute(t, "testdata", path) }

func absolute(t *testing.T, parts ...string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// compiled returns the folder with the compiled driver for Java and the sample.
func compiled(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run(t, need(t, "javac", "default-jdk-headless"), "-d", dir, drivers(t, "java/Driver.java"), testfile(t, "java/Sample.java"))
	return dir
}

// linked returns the driver for C linked with a file.
func linked(t *testing.T, file string, cover bool) string {
	t.Helper()
	cc := need(t, "gcc", "gcc libc6-dev")
	dir := t.TempDir()
	var features, trace []string
	if cover {
		features, trace = []string{"-DFEATURES=65536"}, []string{"-fsanitize-coverage=trace-pc"}
	}
	run(t, cc, append(features, "-Wall", "-Wextra", "-Werror", "-O1", "-c", "-o", dir+"/driver.o", drivers(t, "c/driver.c"))...)
	run(t, cc, append(trace, "-Wall", "-Wextra", "-Werror", "-O1", "-c", "-o", dir+"/parse.o", file)...)
	run(t, cc, "-o", dir+"/parse", dir+"/driver.o", dir+"/parse.o")
	return dir + "/parse"
}

// TestLanguages runs each driver on hundreds of inputs: JSON if the language has it, and numbers.
func TestLanguages(t *testing.T) {
	big := "\"" + strings.Repeat("0123456789abcdef", 1<<16) + "\""
	for _, c := range []struct {
		name string
		args func(t *testing.T) []string
		json bool
		want map[string]string
	}{
		{"python", func(t *testing.T) []string {
			return []string{need(t, "python3", "python3"), drivers(t, "python/parallax_driver.py"), testfile(t, "sample.py") + ":parse"}
		}, true, map[string]string{
			"":                                      "rejected: JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
			"crash":                                 "crashed: AssertionError: never here",
			"deep":                                  "crashed: RecursionError: ",
			"exit":                                  "crashed: exit status 3",
			"sys.exit":                              "crashed: SystemExit: 0",
			"decline":                               "declined: NotImplementedError: not here",
			"bug":                                   "rejected: KeyError: 'missing'",
			"\xff\x00":                              "accepted \xff\x00",
			big:                                     "accepted " + big[1:len(big)-1],
			"{\"b\":[ 1.0,null],\"a\":\"\\u00e9\"}": "accepted {\"a\":\"é\",\"b\":[1.0,null]}",
		}},
		{"node", func(t *testing.T) []string {
			return []string{need(t, "node", "nodejs"), drivers(t, "node/driver.mjs"), testfile(t, "sample.mjs")}
		}, true, map[string]string{
			"":                                      "rejected: SyntaxError: Unexpected end of JSON input",
			"crash":                                 "crashed: AssertionError: never here",
			"deep":                                  "crashed: RangeError: Maximum call stack size exceeded",
			"exit":                                  "crashed: exit status 3",
			"promise":                               "accepted kept",
			"broken promise":                        "rejected: SyntaxError: broken",
			"bug":                                   "rejected: TypeError: ",
			"\xff\x00":                              "accepted \xff\x00",
			big:                                     "accepted " + big[1:len(big)-1],
			"{\"b\":[ 1.0,null],\"a\":\"\\u00e9\"}": "accepted {\"a\":\"é\",\"b\":[1,null]}",
		}},
		{"java", func(t *testing.T) []string {
			return []string{need(t, "java", "default-jdk-headless"), "-XX:-UsePerfData", "-cp", compiled(t), "Driver", "Sample.parse"}
		}, false, map[string]string{
			"":         "rejected: java.lang.NumberFormatException: For input string: \"\"",
			"crash":    "crashed: java.lang.AssertionError: never here",
			"deep":     "crashed: java.lang.StackOverflowError",
			"exit":     "crashed: exit status 3",
			"\xff\x00": "accepted \xff\x00",
			big:        "accepted " + big,
		}},
		{"java source", func(t *testing.T) []string {
			need(t, "javac", "default-jdk-headless")
			return []string{need(t, "java", "default-jdk-headless"), "-XX:-UsePerfData", "-cp", compiled(t), drivers(t, "java/Driver.java"), "Sample.number"}
		}, false, map[string]string{"\xff\x00": "declined: Driver$Declined: the input is not UTF-8"}},
		{"perl", func(t *testing.T) []string {
			return []string{need(t, "perl", "perl"), drivers(t, "perl/driver.pl"), testfile(t, "Sample.pm"), "Sample::parse"}
		}, true, map[string]string{
			"":                                      "rejected: malformed JSON string, ",
			"crash":                                 "rejected: never here",
			"exit":                                  "crashed: exit status 3",
			"decline":                               "declined: declined: not here",
			"\xff\x00":                              "accepted \xff\x00",
			big:                                     "accepted " + big,
			"{\"b\":[ 1.0,null],\"a\":\"\\u00e9\"}": "accepted {\"a\":\"é\",\"b\":[1,null]}",
		}},
		{"c", func(t *testing.T) []string { return []string{linked(t, testfile(t, "sample.c"), false)} }, false, map[string]string{
			"":         "rejected",
			"12x":      "rejected: no digit at 2",
			"crash":    "crashed: signal: aborted",
			"exit":     "crashed: exit status 3",
			"decline":  "declined",
			"strange":  "crashed: a result that has no meaning",
			"\xff\x00": "accepted \xff\x00",
			big:        "accepted " + big,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conf := config(t, c.args(t)...)
			if strings.HasPrefix(c.name, "java") {
				conf.Limits.Memory = 2 << 30
			}
			e := mustOpen(t, conf)
			if counts := c.name == "python" || c.name == "node"; (e.Features() != 0) != counts {
				t.Error("features:", e.Features())
			}
			for part := range slices.Chunk(plainInputs(c.json), e.Batch()) {
				for i, o := range programtest.Execute(t, e, part...) {
					checkVerdict(t, c.json, part[i], o)
				}
			}
			for _, round := range []int{1, 2} {
				var inputs []string
				for in := range c.want {
					inputs = append(inputs, in)
				}
				slices.Sort(inputs)
				for i, o := range programtest.Execute(t, e, inputs...) {
					if want, got := c.want[inputs[i]], show(o); !strings.HasPrefix(got, want) {
						t.Errorf("round %d, %.40q: %.300q, want %.300q", round, inputs[i], got, want)
					}
					if crash := o.Outcome == oracle.Crashed && !strings.HasPrefix(o.Message, "exit") && c.name != "c"; crash != strings.Contains(o.Detail, "ample") {
						t.Errorf("%.40q: detail %.300q", inputs[i], o.Detail)
					}
				}
			}
		})
	}
}

// plainInputs returns inputs that all parsers of JSON or numbers agree on.
func plainInputs(jsonToo bool) (all []string) {
	for i := range 150 {
		all = append(all, strconv.Itoa(i*37), fmt.Sprintf("%d-", i), fmt.Sprintf("n%d", i))
		if jsonToo {
			all = append(all, fmt.Sprintf(`{"a":[%d,true,"x%d"]}`, i, i), fmt.Sprintf(`{"a":[%d,true,"x%d"]`, i, i), strings.Repeat("[", i%20+1)+strings.Repeat("]", i%20))
		}
	}
	return all
}

func checkVerdict(t *testing.T, jsonToo bool, input string, o program.Observation) {
	t.Helper()
	_, err := strconv.Atoi(input)
	valid := err == nil || jsonToo && json.Valid([]byte(input))
	if valid && (o.Outcome != oracle.Accepted || string(o.Value) != input) || !valid && (o.Outcome != oracle.Rejected || o.Message == "") {
		t.Errorf("%q: %s", input, show(o))
	}
}

// TestReject checks that exceptions that the user does not list are crashes.
func TestReject(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		want map[string]string
	}{
		"python": {[]string{need(t, "python3", "python3"), drivers(t, "python/parallax_driver.py"), testfile(t, "sample.py") + ":parse", "--reject", "OSError,ValueError"},
			map[string]string{"{": "rejected: JSONDecodeError: ", "bug": "crashed: KeyError: 'missing'", "decline": "declined: "}},
		"node": {[]string{need(t, "node", "nodejs"), drivers(t, "node/driver.mjs"), testfile(t, "sample.mjs"), "default", "--reject", "Other,SyntaxError"},
			map[string]string{"{": "rejected: SyntaxError: ", "bug": "crashed: TypeError: "}},
		"java": {[]string{need(t, "java", "default-jdk-headless"), "-XX:-UsePerfData", "-cp", compiled(t), "Driver", "Sample.parse", "--reject", "IOException,IllegalStateException"},
			map[string]string{"{": "crashed: java.lang.NumberFormatException: "}},
		"perl": {[]string{need(t, "perl", "perl"), drivers(t, "perl/driver.pl"), testfile(t, "Sample.pm"), "Sample::parse", "--reject", "JSON"},
			map[string]string{"x": "rejected: malformed JSON", "crash": "crashed: never here"}},
		"python --json": {[]string{need(t, "python3", "python3"), drivers(t, "python/parallax_driver.py"), "json:loads", "--json", "--text"},
			map[string]string{"\"é\"": "accepted \"é\"", "1": "accepted 1", "{\"b\":1,\"a\":\"x\"}": "accepted {\"a\":\"x\",\"b\":1}", "\xff": "declined: NotImplementedError: the input is not UTF-8"}},
		"node --json": {[]string{need(t, "node", "nodejs"), drivers(t, "node/driver.mjs"), "JSON", "parse", "--json", "--text"},
			map[string]string{"\"é\"": "accepted \"é\"", "1": "accepted 1", "{\"b\":1,\"a\":\"x\"}": "accepted {\"a\":\"x\",\"b\":1}", "\xff": "declined: Error: the input is not UTF-8"}},
	} {
		conf := config(t, c.args...)
		conf.Limits.Memory = 2 << 30
		e := mustOpen(t, conf)
		for input, want := range c.want {
			if got := show(programtest.Execute(t, e, input)[0]); !strings.HasPrefix(got, want) {
				t.Errorf("%s, %q: %q, want %q", name, input, got, want)
			}
		}
	}
}

// TestCoverage checks that features distinguish inputs that run different code, and are equal in
// another process.
func TestCoverage(t *testing.T) {
	python := []string{drivers(t, "python/parallax_driver.py"), testfile(t, "sample.py") + ":loops", "--text", "--cover", "sample"}
	for name, args := range map[string][]string{
		"python": append([]string{need(t, "python3", "python3")}, python...),
		"node":   {need(t, "node", "nodejs"), drivers(t, "node/driver.mjs"), testfile(t, "sample.mjs"), "inner.loops", "--text", "--cover", "/sample.mjs"},
		"c":      {linked(t, testfile(t, "sample.c"), true)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inputs := []string{"1", "x", "11", "1x", "11111111", "", "1"}
			var rounds [2][]program.Observation
			for i := range rounds {
				e := mustOpen(t, config(t, args...))
				if e.Features() == 0 || name == "c" && e.Features() != 1<<16 {
					t.Fatal("features:", e.Features())
				}
				// the second is a process that has run before
				programtest.Execute(t, e, slices.Repeat(inputs, 100*i)...)
				rounds[i] = programtest.Execute(t, e, inputs...)
			}
			for i, o := range rounds[0] {
				other := rounds[1][i]
				if !slices.Equal(o.Features, other.Features) || !slices.Equal(o.Counts, other.Counts) || len(o.Features) == 0 {
					t.Errorf("%q: %v %v, and %v %v", inputs[i], o.Features, o.Counts, other.Features, other.Counts)
				}
			}
			r := rounds[0]
			if slices.Equal(r[0].Features, r[1].Features) || slices.Equal(r[0].Counts, r[4].Counts) || !slices.Equal(r[0].Features, r[6].Features) {
				t.Errorf("%v", r)
			}
			if !slices.Equal(r[2].Features, r[4].Features) {
				t.Errorf("the same code: %v, %v", r[2].Features, r[4].Features)
			}
		})
	}
}

// TestDoesNotStart checks the messages for the user.
func TestDoesNotStart(t *testing.T) {
	python, node, java, perl := need(t, "python3", "python3"), need(t, "node", "nodejs"), need(t, "java", "default-jdk-headless"), need(t, "perl", "perl")
	dir := t.TempDir()
	for name, text := range map[string]string{"noexec": "#!/bin/sh\n", "nointerpreter": "#!/no/such/interpreter\n", "noprogram": "x\x00\x01"} {
		mode := os.FileMode(0o777)
		if name == "noexec" {
			mode = 0o666
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	pyDriver := drivers(t, "python/parallax_driver.py")
	for _, c := range []struct {
		args []string
		env  []string
		dir  string
		want []string
	}{
		{[]string{"nosuchinterpreter", "x"}, nil, "", []string{"there is no nosuchinterpreter on the PATH"}},
		{[]string{"node", "x"}, []string{"PATH=/no/such"}, "", []string{"there is no node on the PATH", "apt-get install nodejs", "environment: /no/such"}},
		{[]string{"./nosuch"}, nil, "", []string{"its driver ./nosuch is not there", "begins in the folder"}},
		{[]string{dir + "/noexec"}, nil, "", []string{"may not be executed", "chmod +x"}},
		{[]string{dir + "/nointerpreter"}, nil, "", []string{"the interpreter in its first line"}},
		{[]string{dir + "/noprogram"}, nil, "", []string{"is no program of this machine"}},
		{[]string{dir}, nil, "", []string{"may not be executed"}},
		{[]string{python, "nosuch.py"}, nil, "", []string{"python3 nosuch.py does not start: it ended before its greeting: exit status 2", "It printed:\n    ", "nosuch.py"}},
		{[]string{python, pyDriver, "nosuchmodule:f"}, nil, "", []string{"exit status 1", "ModuleNotFoundError: No module named 'nosuchmodule'"}},
		{[]string{python, pyDriver, "json:nosuch"}, nil, "", []string{"has no attribute 'nosuch'"}},
		{[]string{python, pyDriver, "json"}, nil, "", []string{"MODULE:FUNCTION, not json"}},
		{[]string{node, "nosuch.mjs"}, nil, "", []string{"Cannot find module"}},
		{[]string{node, drivers(t, "node/driver.mjs"), "nosuchpackage"}, nil, "", []string{"Cannot find module 'nosuchpackage'"}},
		{[]string{node, drivers(t, "node/driver.mjs"), "JSON", "nosuch"}, nil, "", []string{"JSON has no function nosuch"}},
		{[]string{java, "-XX:-UsePerfData", drivers(t, "java/Driver.java"), "no.Such.method"}, nil, "", []string{"ClassNotFoundException: no.Such"}},
		{[]string{perl, drivers(t, "perl/driver.pl"), "No::Such", "f"}, nil, "", []string{"Can't locate No/Such.pm"}},
		{[]string{perl, drivers(t, "perl/driver.pl"), "JSON::PP", "nosuch"}, nil, "", []string{"JSON::PP has no function nosuch"}},
		{[]string{perl}, nil, dir + "/nosuchfolder", []string{"nosuchfolder, which its driver is to run in, is not there"}},
		{[]string{"/bin/echo", "hello there"}, nil, "", []string{"/bin/echo 'hello there' does not start: its first line is not the greeting", `"hello there\n"`}},
		{nil, nil, "", []string{"no command line"}},
	} {
		conf := config(t, c.args...)
		conf.Env = append(c.env, conf.Env...)
		conf.Limits.Memory = 2 << 30
		if c.env != nil {
			conf.Env = c.env
		}
		if c.dir != "" {
			conf.Dir = c.dir
		}
		_, err := Open(t.Context(), conf)
		text := userFailure(t, err)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%q: %q is not in\n%s", c.args, want, text)
			}
		}
	}
}

// interpreters returns Python and its other installed releases.
func interpreters(t *testing.T) []string {
	all := []string{need(t, "python3", "python3")}
	home, _ := os.UserHomeDir()
	for minor := 8; minor < 20; minor++ {
		path, err := exec.LookPath(fmt.Sprintf("python3.%d", minor))
		managed, _ := filepath.Glob(filepath.Join(home, ".pyenv", "versions", fmt.Sprintf("3.%d.*", minor), "bin", "python3"))
		if len(managed) > 0 {
			all = append(all, managed[0])
		} else if err == nil {
			all = append(all, path)
		}
	}
	return all
}

// TestCountersChangeNothing checks that a function behaves the same with and without counters, and
// the same blocks run in each release.
func TestCountersChangeNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("compares long runs")
	}
	inputs := []string{"", "abc", "badcfe", "deadbeef", "abcdefghi", "gh", "\"/"}
	check := func(t *testing.T, args ...string) {
		with, without := mustOpen(t, config(t, args...)), mustOpen(t, config(t, append(args, "--cover", "off")...))
		if with.Features() == 0 || without.Features() != 0 {
			t.Fatal("features:", with.Features(), without.Features())
		}
		off := programtest.Execute(t, without, inputs...)
		for i, o := range programtest.Execute(t, with, inputs...) {
			if show(o) != show(off[i]) || len(o.Features) == 0 {
				t.Errorf("%q: %s with %d blocks, and %s", inputs[i], show(o), len(o.Features), show(off[i]))
			}
		}
	}
	for _, python := range interpreters(t) {
		t.Run(python, func(t *testing.T) {
			check(t, python, drivers(t, "python/parallax_driver.py"), testfile(t, "constructs.py")+":run", "--text")
			check(t, python, drivers(t, "python/parallax_driver.py"), "json:loads", "--text", "--json")
		})
	}
	t.Run("node", func(t *testing.T) {
		check(t, need(t, "node", "nodejs"), drivers(t, "node/driver.mjs"), testfile(t, "constructs.cjs"), "--text")
	})
}

// TestBlocks checks that the features of a driver with a table are blocks. The supervisor reads the
// table from a file.
func TestBlocks(t *testing.T) {
	conf := config(t, need(t, "python3", "python3"), drivers(t, "python/parallax_driver.py"), testfile(t, "sample.py")+":loops", "--text")
	conf.Name, conf.Blocks = "p", filepath.Join(t.TempDir(), "blocks.json")
	settings, err := json.Marshal(conf)
	if err != nil {
		t.Fatal(err)
	}
	e, err := openKind(t.Context(), program.Opening{}, settings)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	regions := e.(program.Blocks).Regions()
	if len(regions) != 1 || e.Features() != 0 {
		t.Fatal(regions, e.Features())
	}
	table, err := (&conf).Table(regions[0].Name, regions[0].Counters)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(testfile(t, "sample.py"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	did := map[string]uint8{}
	o := programtest.Execute(t, e, "1x1")[0]
	for i, f := range o.Features {
		if b := table.Blocks[f]; table.Funcs[b.Func].Name == "sample.loops" {
			did[b.Kind.String()+" "+strings.TrimSpace(lines[b.Line-1])] = o.Counts[i]
		}
	}
	want := map[string]uint8{"entry total = 0": 1, `body if c == "x":`: 3, "then total += 1": 1, "else total += 2": 1}
	for line, n := range want {
		if did[line] != n {
			t.Errorf("%s: %d times, want %d", line, did[line], n)
		}
	}
	if len(did) != len(want) {
		t.Errorf("%v", did)
	}
}
