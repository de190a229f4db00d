package gofunc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/signature"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/program"
)

// Kind is the table row of Go functions.
var Kind = program.Kind{
	Name: "go",
	Mark: "function",
	Keys: []string{"function", "version", "go", "instrument", "allow", "timeout", "memory"},
	Instead: map[string]string{
		"env": "[environment] has set, for all programs",
	},
	Parse: parse,
	Open:  open,
}

// Function is a Go function in parallax.toml. Package synthesis sets the last four fields, which no
// file has.
type Function struct {
	Function string // import path and function, or ./pkg.Func relative to the program's folder, without version
	// of the module, as v1.2.3; empty means the version that the folder's go.mod selects
	Version    string
	Toolchain  string // Go version, as 1.25.1; empty means that of the folder
	Instrument []string
	Allow      []string // rights that the kernel does not refuse, from execute.Allowable

	Environ []string         // additions to the environment of the go command for the build
	Require []string         // requirements of a Version older than go.mod files, as "path version"
	Making  signature.Making // which arguments are made instead of taken from the input
	Label   string           // of the version in the program's folder, for people; may be empty
}

// minMemory is the minimum memory of a worker.
const minMemory = 64 << 20

// toolchainForm matches a release as GOTOOLCHAIN accepts it, with or without "go".
var toolchainForm = lazyregexp.New(`^(?:go)?(1\.(\d{1,3})(?:\.\d{1,3}|rc\d{1,3}|beta\d{1,3}))$`)

// oldestToolchain is the first minor release with GOTOOLCHAIN, which selects others.
const oldestToolchain = 21

func parse(t *tomldoc.Table, c *program.Common) program.Settings {
	p := &Function{}
	written := t.Text("function")
	version := t.Text("version")
	at := t.ValuePosition("function")
	if !t.Has("function") {
		t.Reportf(at, `a program of kind go has no function: write one like function = "encoding/json.Valid", or "./pkg.Func" of a folder`)
	}
	if strings.Contains(written, "@") && version != "" {
		t.Reportf(at, "function has a version, and version is one: keep one of the two")
		version = ""
	}
	if written != "" {
		whole := written
		if version != "" {
			whole += "@" + version
		}
		if fn, err := funcname.Parse(whole); err != nil {
			t.Reportf(at, "function: %s", tomldoc.OneLine(err.Error()))
		} else {
			p.Function, p.Version = fn.String(), fn.Version
		}
	}
	if release := t.Text("go"); release != "" {
		m := toolchainForm().FindStringSubmatch(release)
		switch {
		case m == nil:
			t.Reportf(t.ValuePosition("go"), `go = %q is not a release: write one like go = "1.25.1" or "1.26rc1"`, release)
		default:
			if minor, _ := strconv.Atoi(m[2]); minor < oldestToolchain {
				t.Reportf(t.ValuePosition("go"), "go = %q: the oldest toolchain is 1.%d.0", release, oldestToolchain)
			}
			p.Toolchain = m[1]
		}
	}
	p.Instrument = t.Texts("instrument", false)
	for _, i := range t.Items("allow", false) {
		if !slices.Contains(execute.Allowable, i.Text) {
			t.Reportf(i.At, "allow: %q is nothing that a function may be allowed: choose among %s", i.Text, strings.Join(execute.Allowable, ", "))
			continue
		}
		p.Allow = append(p.Allow, i.Text)
	}
	if m := c.Limits.Memory; m > 0 && m < minMemory {
		t.Reportf(t.ValuePosition("memory"), "memory = %q is too little for the worker of a Go function: choose %s or more", tomldoc.BytesText(m), tomldoc.BytesText(minMemory))
	}
	return p
}

// Written returns the function with its version, as `parallax diff` accepts it.
func (f *Function) Written() string {
	if f.Version == "" {
		return f.Function
	}
	return f.Function + "@" + f.Version
}

// Runs implements program.Settings. The name includes version and toolchain, because several
// programs may use one function.
func (f *Function) Runs() string {
	name := f.Written()
	if f.Toolchain != "" {
		name += "@go" + f.Toolchain
	}
	return strings.TrimPrefix(name, "./")
}

// Traits implements program.Settings.
func (f *Function) Traits() program.Traits {
	return program.Traits{Typed: true, Lengths: true}
}

// Prepare implements program.Settings. The worker of the function is known once it is built.
// Functions that can share a binary do, so package gobuild builds the whole target.
func (f *Function) Prepare(c *program.Common, _ *program.Preparation) (program.Prepared, error) {
	return &Worker{Name: c.Name, Limits: c.Limits}, nil
}

// Region returns the prefix of the names of a build's regions. The package follows.
func Region(build int) string { return fmt.Sprintf("build %d: ", build) }
