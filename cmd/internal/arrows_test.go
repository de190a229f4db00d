package internal_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rooms are the packages from the ground up: each imports only those before it. A change that needs another order is a change of the
// picture in docs/dev/architecture.md, and is made there too.
var rooms = strings.Fields(`
	exit filelock leader lazyregexp flow normalize pictures quota regress sample shell similar smt spdx llvmir config/document limits
	diagnostic gosyntax smt/dataflow smt/solver llvmir/musl causes accept funcname flow/align flow/reach git gocommand library report state target/cache
	extract extract/record model/compiler model/call model/prototype model/formula model/original model/paths model/paths/measure model/scope model/judged model/prepared model/dynamic model/confirm
	box execute instrument/clang instrument/golang model/csource model/record model/check model/rows model/node
	gomod revision change signature buildroot codegen mining fuzztest callgraph plan gobuild
	program confine lockstep doctor gencheck
	program/c program/command program/gofunc program/http program/original program/model program/persistent model/language program/dynamic program/kinds
	config target model/sequence synthesis
	triage findings nativebuild
	scaffold/newtest scaffold
	page ui formats
	event campaign
	archive bisect
	trial
`)

// No arrow between packages of the tool runs back up.
func TestArrows(t *testing.T) {
	const prefix = "parallax/cmd/internal/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], prefix)
		if forTests(name) || !strings.HasPrefix(words[0], prefix) {
			continue
		}
		seen[name] = true
		at := slices.Index(rooms, name)
		if at < 0 {
			t.Errorf("package %s has no place in the list of rooms", name)
			continue
		}
		for _, path := range words[1:] {
			other, ours := strings.CutPrefix(path, prefix)
			if ours && slices.Index(rooms, other) >= at {
				t.Errorf("%s imports %s, which stands above it", name, other)
			}
			if ours && forTests(other) {
				t.Errorf("%s imports %s, which is for tests", name, other)
			}
		}
	}
	for _, name := range rooms {
		if !seen[name] {
			t.Errorf("there is no package %s", name)
		}
	}
}

// forTests reports whether a package only helps tests.
func forTests(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if strings.HasSuffix(part, "test") && part != "fuzztest" && part != "newtest" {
			return true
		}
	}
	return false
}
