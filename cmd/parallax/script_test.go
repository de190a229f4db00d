package main_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"parallax/cmd/internal/base/spdx"
	"parallax/cmd/internal/command/scaffold"
	"parallax/cmd/internal/gobuild/gocommand/moduletest"
)

// TestScripts runs the scripts in testdata/script, the contract of the command line as txtar files.
// They use the commands of testscript and these
//
//	exits CODE COMMAND...       runs a command and checks its exit code
//	json FILE KEY [VALUE]       looks a key up (a.b.0.c; a.len of an array); FILE may be stdout; "*" is any value but null
//	jsontype FILE KEY TYPE      number, string, bool, array or object
//	jsononly FILE               one JSON value and nothing else
//	bucket NAME FILE [N]        sets $NAME to the id of the Nth finding of a summary, from 0
//	value NAME FILE KEY         sets $NAME to the value at a key
//	waitfor FILE PATTERN        waits until the file matches
//	release DIR MODULE VERSION  puts a version of the module in DIR into the proxy $WORK/proxy
//	printed FILE OUTPUT         extracts the file that OUTPUT (stderr) proposes, indented by a tab
//
// The first four check JSON of parallax against its schema (schema_test.go).
//
// Campaigns get small budgets of inputs, and Go's build cache holds packages that several of them
// build.
func TestScripts(t *testing.T) {
	t.Parallel()
	tool := newTool(t)
	env := passed(t)
	drivers, err := filepath.Abs(filepath.Join("..", "..", "drivers"))
	if err != nil {
		t.Fatal(err)
	}
	recordings, err := filepath.Abs(filepath.Join("..", "internal", "model", "extract", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join("..", "..", "testdata", "script")
	params := testscript.Params{
		Dir:                 dir,
		WorkdirRoot:         ofLength(t, filepath.Join(moduletest.Scratch(), "w"), 64),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			e.Setenv("PATH", tool.scriptsBin(t)+string(filepath.ListSeparator)+os.Getenv("PATH"))
			e.Setenv("PARALLAX", tool.path)
			e.Setenv("DRIVERS", drivers)
			e.Setenv("RECORDINGS", recordings)
			// The go command finds packages of the library itself again for all scripts that require it. It
			// compiles packages of a copy once per script.
			e.Setenv("LIBRARY", tool.root)
			// Workers are built in the cache folder: of these tests, not of the user.
			e.Setenv("XDG_CACHE_HOME", tool.cache)
			e.Setenv("PARALLAX_TRIAGE_TIME", "0") // a busy machine must not decide what is found
			e.Setenv("XDG_CONFIG_HOME", tool.cache)
			e.Setenv("PARALLAX_STEPS", "1") // all of them, however short
			e.Setenv("NO_COLOR", "1")
			// Commits have the same names in each run. So do the folders that hold their files, by which the
			// go command finds compiled packages.
			e.Setenv("GIT_AUTHOR_DATE", "2024-01-01T12:00:00Z")
			e.Setenv("GIT_COMMITTER_DATE", "2024-01-01T12:00:00Z")
			e.Setenv("MODCACHE", moduleCache(t, dir, e.WorkDir))
			e.Defer(func() { licensed(t, e.WorkDir) })
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": jsonValue, "jsontype": jsonType, "jsononly": jsonOnly, "bucket": bucketID,
			"value": setValue, "waitfor": waitFor, "printed": printed, "release": release,
		},
	}
	if testing.Short() { // make test-all runs all of them
		params.Dir, params.Files = "", []string{filepath.Join(dir, "cli.txt"), filepath.Join(dir, "quick.txt")}
	}
	testscript.Run(t, params)
}

// licensed checks that the reproducers in a script's folder name the license.
func licensed(t *testing.T, dir string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it may be no longer there, or closed
		}
		if d.IsDir() || !strings.Contains(path, "/findings/") || spdx.Comment(path) == "" {
			return nil
		}
		if text, err := os.ReadFile(path); err == nil && !bytes.Contains(text, []byte(spdx.Line)) {
			t.Errorf("%s: no license", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// moduleCache returns the GOMODCACHE of a script that releases modules. The go command lists a
// folder of such a cache once, and then knows it by its path. The paths of scripts are the same in
// each run. So this one depends on everything that a release may hold: the files of the script and
// the library.
func moduleCache(t *testing.T, dir, work string) string {
	script, err := os.ReadFile(filepath.Join(dir, strings.TrimPrefix(filepath.Base(work), "script-")+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := scaffold.Files("p")
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	h.Write(script)
	for _, f := range files {
		h.Write(f.Text)
	}
	return filepath.Join(work, fmt.Sprintf("modcache-%x", h.Sum(nil)[:4]))
}

// ofLength makes a folder whose path has so many bytes, if it can: where messages are broken into
// lines depends on paths in them. It is made longer at its end. That of the scripts is the same in
// each run (moduletest.WithScratch), so that what they build is found in Go's build cache.
func ofLength(t *testing.T, dir string, bytes int) string {
	t.Helper()
	dir += strings.Repeat("w", max(0, bytes-len(dir)))
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) }) // for -count
	return dir
}

// passed is the environment that lets scripts share the caches of the go command. Its own settings
// are asked for, since some come from files.
func passed(t *testing.T) []string {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOPRIVATE", "GONOPROXY", "GOTOOLCHAIN"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	var env []string
	for i, value := range strings.SplitN(strings.TrimSuffix(string(out), "\n"), "\n", len(names)) {
		env = append(env, names[i]+"="+value)
	}
	for _, name := range []string{"HOME", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var failed *exec.ExitError
		if !errors.As(err, &failed) {
			ts.Fatalf("%v", err)
		}
		code = failed.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: [!] json FILE KEY [VALUE]")
	}
	value, ok := lookup(ts, args[0], args[1])
	text := fmt.Sprint(value)
	switch {
	case len(args) == 2:
		if ok == neg {
			ts.Fatalf("%s: %s present: %v", args[0], args[1], ok)
		}
	case !ok:
		ts.Fatalf("%s has no %s", args[0], args[1])
	case args[2] == "*":
		if (value != nil) == neg {
			ts.Fatalf("%s: %s is %s", args[0], args[1], text)
		}
	case (text == args[2]) == neg:
		ts.Fatalf("%s: %s is %s", args[0], args[1], text)
	}
}

func jsonType(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: jsontype FILE KEY TYPE")
	}
	value, ok := lookup(ts, args[0], args[1])
	if !ok {
		ts.Fatalf("%s has no %s", args[0], args[1])
	}
	name := "null"
	switch value.(type) {
	case json.Number:
		name = "number"
	case string:
		name = "string"
	case bool:
		name = "bool"
	case []any:
		name = "array"
	case map[string]any:
		name = "object"
	}
	if name != args[2] {
		ts.Fatalf("%s: %s is of type %s, want %s: %v", args[0], args[1], name, args[2], value)
	}
}

func jsonOnly(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: jsononly FILE")
	}
	if _, ok := parse(ts, args[0]).(map[string]any); !ok {
		ts.Fatalf("%s holds no JSON object", args[0])
	}
}

// lookup follows a path of keys and indices. Numbers stay as they are written.
func lookup(ts *testscript.TestScript, file, key string) (any, bool) {
	value := parse(ts, file)
	for _, part := range strings.Split(key, ".") {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[part]
			if !ok {
				return nil, false
			}
			value = next
		case []any:
			if part == "len" {
				value = len(v)
				continue
			}
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}

func parse(ts *testscript.TestScript, file string) any {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile(file)))
	dec.UseNumber()
	var value any
	ts.Check(dec.Decode(&value))
	if err := dec.Decode(new(any)); err != io.EOF {
		ts.Fatalf("%s: more than one JSON value", file)
	}
	written(ts, file, value)
	return value
}

func bucketID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: bucket NAME FILE [N]")
	}
	n := "0"
	if len(args) == 3 {
		n = args[2]
	}
	id, ok := lookup(ts, args[1], "findings.buckets."+n+".id")
	if !ok {
		ts.Fatalf("%s has no finding %s", args[1], n)
	}
	ts.Setenv(args[0], id.(string))
}

func setValue(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: value NAME FILE KEY")
	}
	value, ok := lookup(ts, args[1], args[2])
	if !ok {
		ts.Fatalf("%s has no %s", args[1], args[2])
	}
	ts.Setenv(args[0], fmt.Sprint(value))
}

func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: waitfor FILE PATTERN")
	}
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	path := ts.MkAbs(args[0])
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if data, err := os.ReadFile(path); err == nil && pattern.Match(data) {
			return
		}
	}
	ts.Fatalf("%s never matches %s", args[0], args[1])
}

// release makes of a folder what a proxy has of a version (go.dev/ref/mod#goproxy-protocol).
func release(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: release DIR MODULE VERSION")
	}
	dir, version := ts.MkAbs(args[0]), module.Version{Path: args[1], Version: args[2]}
	escaped, err := module.EscapePath(version.Path)
	ts.Check(err)
	folder := filepath.Join(ts.Getenv("WORK"), "proxy", filepath.FromSlash(escaped), "@v")
	ts.Check(os.MkdirAll(folder, 0o755))
	f, err := os.Create(filepath.Join(folder, version.Version+".zip"))
	ts.Check(err)
	ts.Check(errors.Join(zip.CreateFromDir(f, version, dir), f.Close()))
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	ts.Check(err)
	for name, text := range map[string]string{
		"list": version.Version + "\n", version.Version + ".mod": string(mod), version.Version + ".info": fmt.Sprintf("{\"Version\":%q}", version.Version),
	} {
		ts.Check(os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644))
	}
}

// printed takes the indented Go file out of the text that proposes it.
func printed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: printed FILE OUTPUT")
	}
	_, rest, ok := strings.Cut(ts.ReadFile(args[1]), "in your own module:\n\n")
	if !ok {
		ts.Fatalf("no file is proposed")
	}
	text, _, _ := strings.Cut(rest, "\nthen:\n")
	var b strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		b.WriteString(strings.TrimPrefix(line, "\t"))
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	ts.Check(os.WriteFile(path, []byte(b.String()), 0o644))
}

// TestScriptsLackNothing checks that a script that lacks a tool is skipped, with the reason. None
// passes, and none omits lines.
func TestScriptsLackNothing(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "*.txt"))
	if err != nil || len(scripts) == 0 {
		t.Fatal(err)
	}
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "-- ") {
				break
			}
			if regexp.MustCompile(`^(\[[^]]*\] *)*stop|^\[exec:`).MatchString(line) {
				t.Errorf("%s:%d: %s", path, i+1, line)
			}
		}
	}
}
