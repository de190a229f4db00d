package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/funcname"
)

// oldest is the first Go minor release whose toolchain parallax builds workers with.
const oldest = 21

// scratchModule is the path of the module made for functions that need nothing of the user's. It can never be fetched.
const scratchModule = "harness.invalid/harness"

// site is where and how the go command runs for a target. The three kinds of it:
//
//   - scratch: a module of its own in Out, for functions of the standard library and at an @version;
//   - module: the user's module or workspace as it is, with the harness in an overlay;
//   - mixed: the user's module with an edited copy of its go.mod, for the one beside the other.
type site struct {
	kind  siteKind
	dir   string   // working directory of the go command
	env   []string // additions to the environment
	flags []string // for list and build
}

type siteKind uint8

const (
	scratch siteKind = iota
	module
	mixed
)

// goEnv is what `go env -json` says.
type goEnv struct {
	GOVERSION, GOMOD, GOWORK, GOFLAGS, GOROOT, GOOS, GOARCH, GOHOSTOS, GOHOSTARCH, GOPROXY, GO111MODULE, GOMODCACHE string
}

var envNames = []string{"GOVERSION", "GOMOD", "GOWORK", "GOFLAGS", "GOROOT", "GOOS", "GOARCH", "GOHOSTOS", "GOHOSTARCH", "GOPROXY", "GO111MODULE", "GOMODCACHE"}

// readEnv asks the go command about itself and rejects one that is too old.
func (r *resolver) readEnv(ctx context.Context) error {
	out, errs, err := run(ctx, command{dir: r.Dir, env: r.toolchain(), guard: r.Parallax, args: append([]string{"env", "-json"}, envNames...)})
	if err != nil {
		return r.goError("go env", errs, err)
	}
	if err := json.Unmarshal(out, &r.env); err != nil {
		return fmt.Errorf("reading the answer of go env: %w", err)
	}
	if minor, ok := goMinor(r.env.GOVERSION); ok && minor < oldest {
		return exit.Usage("the go command on PATH is %s, and parallax needs go1.%d or later: install it from https://go.dev/dl or put a newer one first on PATH", r.env.GOVERSION, oldest)
	}
	if strings.EqualFold(r.env.GO111MODULE, "off") {
		return exit.Usage("GO111MODULE=off: parallax works with modules only; unset it")
	}
	if r.env.GOOS != r.env.GOHOSTOS || r.env.GOARCH != r.env.GOHOSTARCH {
		return exit.Usage("GOOS and GOARCH ask for %s/%s, and what is fuzzed must run here, on %s/%s: unset them", r.env.GOOS, r.env.GOARCH, r.env.GOHOSTOS, r.env.GOHOSTARCH)
	}
	return nil
}

// readToolchain asks again where the site's go.mod, not the user's, selects the toolchain.
func (r *resolver) readToolchain(ctx context.Context) error {
	if r.site.kind == module {
		return nil
	}
	out, errs, err := run(ctx, r.command("env", "-json", "GOVERSION", "GOROOT"))
	if err != nil {
		return r.goError("go env", errs, err)
	}
	var env goEnv
	if err := json.Unmarshal(out, &env); err != nil {
		return fmt.Errorf("reading the answer of go env: %w", err)
	}
	r.env.GOVERSION, r.env.GOROOT = env.GOVERSION, env.GOROOT
	return nil
}

// goMinor returns 26 for "go1.26.8". It fails for development versions, which count as new.
func goMinor(version string) (int, bool) {
	rest, ok := strings.CutPrefix(version, "go1.")
	if !ok {
		return 0, false
	}
	end := strings.IndexFunc(rest, func(c rune) bool { return c < '0' || c > '9' })
	if end >= 0 {
		rest = rest[:end]
	}
	minor, err := strconv.Atoi(rest)
	return minor, err == nil
}

// inModule reports whether the user stands in a module or workspace.
func (e *goEnv) inModule() bool {
	return e.GOMOD != "" && e.GOMOD != os.DevNull || e.GOWORK != "" && e.GOWORK != "off"
}

// workspace returns the go.work file in force, if any.
func (e *goEnv) workspace() string {
	if e.GOWORK == "off" {
		return ""
	}
	return e.GOWORK
}

// standard reports whether the import path is a package of the toolchain's standard library.
func (e *goEnv) standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	if strings.Contains(first, ".") || path == "" {
		return false
	}
	found, _ := filepath.Glob(filepath.Join(e.GOROOT, "src", filepath.FromSlash(path), "*.go"))
	return len(found) > 0
}

// choose sets up the site that the functions call for.
func (r *resolver) choose(ctx context.Context) error {
	var own, versioned []funcname.Func
	for _, f := range r.funcs {
		switch {
		case !f.Local() && r.env.standard(f.Package):
			if f.Version != "" {
				return exit.Usage("%s: %s belongs to the standard library, whose version is that of the go command (%s): leave @%s away", f.Written, f.Package, r.env.GOVERSION, f.Version)
			}
		case f.Version != "":
			versioned = append(versioned, f)
		default:
			own = append(own, f)
		}
	}
	if len(own) == 0 {
		return r.setScratch(ctx, versioned)
	}
	if !r.env.inModule() {
		f := own[0]
		if f.Local() {
			return exit.Usage("%s: there is no go.mod in %s or above it: run parallax inside the module that holds the function", f.Written, r.Dir)
		}
		return exit.Usage("%s has no version, and there is no go.mod in %s or above it: write %s@latest, or run parallax inside a module that requires it%s", f.Written, r.Dir, f.Written, r.likely(f))
	}
	r.site = site{kind: module, dir: r.Dir, env: plainFlags(r.env.GOFLAGS)}
	if len(r.Instead) > 0 {
		return r.setMixed(ctx, versioned)
	}
	if len(versioned) > 0 {
		selected, err := r.selectedAlready(ctx, own, versioned)
		if err != nil || selected {
			return err
		}
		return r.setMixed(ctx, versioned)
	}
	return nil
}

// selectedAlready reports whether the user's own module selects every version that was asked for. It remembers what the
// module selects for the functions without a version.
func (r *resolver) selectedAlready(ctx context.Context, own, versioned []funcname.Func) (bool, error) {
	paths := make([]string, 0, len(r.funcs))
	for _, f := range append(own[:len(own):len(own)], versioned...) {
		paths = append(paths, f.Package)
	}
	pkgs, err := r.list(ctx, append([]string{"-find"}, paths...)...)
	if err != nil {
		return false, err
	}
	r.before = map[string]*listedModule{}
	for _, f := range own {
		if p := r.match(pkgs, f); p != nil && p.Module != nil {
			r.before[f.Written] = p.Module
		}
	}
	all := true
	for _, f := range versioned {
		p := r.match(pkgs, f)
		if p == nil || p.Module == nil || p.Error != nil {
			all = false
			continue
		}
		if p.Module.Main {
			return false, exit.Usage("%s: %s is the module you stand in, and %w", f.Written, p.Module.Path, oneVersion(p.Module.Path, f.Version))
		}
		for _, other := range own {
			if m := r.before[other.Written]; m != nil && m.Path == p.Module.Path && m.Version != f.Version && canonical(f.Version) {
				return false, twoVersions(other.Written, m.Path, m.Version, f.Written, f.Version)
			}
		}
		if p.Module.Replace != nil || p.Module.Version != f.Version {
			all = false
		}
	}
	return all, nil
}

// setScratch makes the module of its own.
func (r *resolver) setScratch(ctx context.Context, versioned []funcname.Func) error {
	dir := filepath.Join(r.Out, "src")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return exit.Infra("making the folder of the harness: %w", err)
	}
	r.site = site{
		kind: scratch,
		dir:  dir,
		env:  []string{"GO111MODULE=on", "GOWORK=off", "GOFLAGS=" + moduleFlags(r.env.GOFLAGS)},
	}
	line := "1.22"
	if minor, ok := goMinor(r.env.GOVERSION); ok {
		line = fmt.Sprintf("1.%d", minor) // so that the standard library behaves as in a new program
	}
	start := fmt.Sprintf("module %s\n\ngo %s\n", scratchModule, line)
	for _, i := range r.Instead {
		start += i.line()
	}
	return r.get(ctx, filepath.Join(dir, "go.mod"), versioned, start, "")
}

// get writes file and go.sum beside it and adds the versions. What was added before for the same request is kept, so that
// a campaign resumes with the versions it began with, and without a network.
func (r *resolver) get(ctx context.Context, file string, versioned []funcname.Func, text, sum string) error {
	var args []string
	for _, f := range versioned {
		if arg := f.Package + "@" + f.Version; !contains(args, arg) {
			args = append(args, arg)
		}
	}
	key := strings.Join(args, "\n") + "\n" + text + sum
	marker := filepath.Join(r.Out, "resolved")
	if old, err := os.ReadFile(marker); err == nil && string(old) == key {
		if _, err := os.Stat(file); err == nil {
			return nil
		}
	}
	os.Remove(marker)
	for name, content := range map[string]string{file: text, strings.TrimSuffix(file, ".mod") + ".sum": sum} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			return exit.Infra("writing the harness's module: %w", err)
		}
	}
	if len(args) > 0 {
		r.Progress("resolving " + strings.Join(args, ", "))
		_, errs, err := run(ctx, r.command(append(append([]string{"get"}, r.site.flags...), args...)...))
		if err != nil {
			return r.getError(errs, err)
		}
		if err := r.checkChanges(string(errs), versioned); err != nil {
			return err
		}
	}
	if err := os.WriteFile(marker, []byte(key), 0o666); err != nil {
		return exit.Infra("writing the harness's module: %w", err)
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

// command is a run of the go command at the site.
func (r *resolver) command(args ...string) command {
	return command{dir: r.site.dir, env: append(r.toolchain(), r.site.env...), guard: r.Parallax, args: args}
}

// toolchain is what makes the go command another one than that of PATH.
func (r *resolver) toolchain() []string {
	if r.Toolchain == "" {
		return nil
	}
	return []string{"GOTOOLCHAIN=go" + r.Toolchain}
}

func twoVersions(a, path, versionA, b, versionB string) error {
	return exit.Usage("%s is at %s of module %s and %s at %s: %w", a, orLocal(versionA), path, b, versionB, oneVersion(path, versionB))
}

// oneVersion says why versions of a module cannot be compared directly, and the way around it. A path that is not known
// is empty.
func oneVersion(path, version string) error {
	if path == "" {
		path = "MODULE"
	}
	if !canonical(version) {
		version = "VERSION"
	}
	return &VersionsError{fmt.Sprintf(`two versions of one module cannot share a binary; in a module of your own, give one of them a second path:
	go mod edit -require example.com/second@v0.0.0 -replace example.com/second=%s@%s
and compare functions there that call the one and the other (docs/diff.md, "Two versions of one module")`, path, version)}
}

// VersionsError says that functions cannot share a binary, since they are of two versions of one module.
type VersionsError struct{ text string }

// Error implements error.
func (e *VersionsError) Error() string { return e.text }

func orLocal(version string) string {
	if version == "" {
		return "the local version"
	}
	return version
}

var exactVersion = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+`)

// canonical reports whether the version names one version, and not a query such as latest, v1 or a branch.
func canonical(version string) bool { return exactVersion.MatchString(version) }
