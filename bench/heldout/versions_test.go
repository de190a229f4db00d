package heldout

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// pair is two versions of one function. They cannot be in one binary, so each is built by itself.
type pair struct {
	module, call string   // call has the import path's package as p, and the arguments in a
	versions     []string // as in findings, before the @
	name         string
}

var pairs = map[string]pair{
	"size": {"github.com/docker/go-units", "p.RAMInBytes(a[0])", []string{"v0.4.0", "v0.5.0"}, "go-units.RAMInBytes"},
	"strptime": {
		"github.com/itchyny/timefmt-go", "p.Parse(a[0], a[1])", []string{"v0.1.3", "v0.1.6"}, "timefmt-go.Parse",
	},
	"glob": {
		"github.com/bmatcuk/doublestar/v4", "p.Match(a[0], a[1])", []string{"v4.0.2", "v4.10.4"}, "v4.Match",
	},
	"dotenv": {"github.com/subosito/gotenv", "p.Unmarshal(a[0])", []string{"v1.4.0", "v1.6.0"}, "gotenv.Unmarshal"},
	"purl": {
		"github.com/package-url/packageurl-go", "p.FromString(a[0])", []string{"v0.1.3", "v0.1.5"}, "packageurl-go.FromString",
	},
}

// harness reads lists of arguments and writes what the function returns for each. Times are
// compared by instant.
const harness = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	p %q
)

type result struct{ Value, Err string }

func main() {
	var inputs [][][]byte
	if err := json.NewDecoder(os.Stdin).Decode(&inputs); err != nil {
		panic(err)
	}
	var results []result
	for _, input := range inputs {
		var a []string
		for _, s := range input {
			a = append(a, string(s))
		}
		v, err := %s
		r := result{Value: fmt.Sprintf("%%#v", v)}
		if t, ok := any(v).(time.Time); ok {
			r.Value = t.UTC().String()
		}
		if err != nil {
			r.Err = err.Error()
		}
		results = append(results, r)
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		panic(err)
	}
}
`

type result struct{ Value, Err string }

// run builds a version and runs it on the inputs.
func (p pair) run(t *testing.T, version string, inputs [][]string) []result {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  fmt.Sprintf("module harness\n\ngo 1.26.0\n\nrequire %s %s\n", p.module, version),
		"main.go": fmt.Sprintf(harness, p.module, p.call),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var data [][][]byte
	for _, input := range inputs {
		var list [][]byte
		for _, s := range input {
			list = append(list, []byte(s))
		}
		data = append(data, list)
	}
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"mod", "tidy"}, {"run", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		var stdout, stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(text), &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s@%s: go %s: %v\n%s", p.module, version, strings.Join(args, " "), err, stderr.Bytes())
		}
		if args[0] == "run" {
			var results []result
			if err := json.Unmarshal(stdout.Bytes(), &results); err != nil {
				t.Fatal(err)
			}
			return results
		}
	}
	return nil
}

// programs are the two versions, by their names in findings, for the inputs that are given
// beforehand.
func (p pair) programs(t *testing.T, inputs [][]string) map[string]program {
	t.Helper()
	programs := map[string]program{}
	for _, version := range p.versions {
		known := map[string]result{}
		for i, r := range p.run(t, version, inputs) {
			known[strings.Join(inputs[i], "\n")] = r
		}
		programs[p.name+"@"+version] = func(input []string) (any, error) {
			r := known[strings.Join(input, "\n")]
			if r.Err != "" {
				return r.Value, errors.New(r.Err)
			}
			return r.Value, nil
		}
	}
	return programs
}
