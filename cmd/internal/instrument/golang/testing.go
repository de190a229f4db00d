package golang

import (
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The hook that hands fuzz targets to parallax is put into package testing while it compiles. Nothing of the user's Go
// installation changes: the patched package lives in the build cache, under flags that no ordinary build has.

//go:embed testinghook
var hookSources embed.FS

const hookFile = "testinghook/hook.go.txt"

const testingFlag = "-plxtest="

// TestingFlag returns the compiler flag that marks package testing for the hook, for -gcflags=testing=FLAG.
func TestingFlag() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q", testingPatches)
	h.Write(hookText())
	return fmt.Sprintf("%s%x", testingFlag, h.Sum(nil)[:8])
}

func hookText() []byte {
	text, err := hookSources.ReadFile(hookFile)
	if err != nil {
		panic(err) // the embedded file is always there
	}
	return text
}

// A testingPatch inserts text next to a place that occurs exactly once in the package's file.
type testingPatch struct {
	file   string
	anchor string
	before string
	after  string
}

// testingPatches are all changes to existing code. Each stays on its line, so that stack traces keep their lines.
var testingPatches = []testingPatch{
	{ // F.Fuzz has checked the target's type and loads the seed corpus next, which the tool reads by itself.
		file:   "fuzz.go",
		anchor: "\tif f.fstate.mode != fuzzWorker {\n",
		before: "\tif plxHook != nil { plxFuzz(f, ff, types); return }; ",
	},
	{
		file:   "testing.go",
		anchor: "func (c *common) Fail() {\n",
		after:  " plxFail(c);",
	},
	{
		file:   "testing.go",
		anchor: "func (c *common) log(s string) {\n",
		after:  " if plxLog(c, s) { return };",
	},
}

// apply patches the text of the file.
func (p *testingPatch) apply(text string) (string, error) {
	if n := strings.Count(text, p.anchor); n != 1 {
		return "", fmt.Errorf("%q occurs %d times in %s, and not once", strings.TrimSpace(p.anchor), n, p.file)
	}
	line := strings.TrimSuffix(p.anchor, "\n")
	if p.before != "" {
		return strings.Replace(text, p.anchor, p.before+strings.TrimPrefix(line, "\t")+"\n", 1), nil
	}
	return strings.Replace(text, p.anchor, line+p.after+"\n", 1), nil
}

// optional parts of the hook, for what not every release of Go has: the part stays when the package's text holds the word.
var optionalParts = map[string]string{
	"//plx:outputWriter ": "func (c *common) setOutputWriter()",
}

// patchTesting returns the files of package testing by base name with the hook in them.
func patchTesting(files map[string]string) (map[string]string, error) {
	out := map[string]string{}
	all := ""
	for name, text := range files {
		out[name] = text
		all += text
	}
	for i := range testingPatches {
		p := &testingPatches[i]
		text, ok := out[p.file]
		if !ok {
			return nil, fmt.Errorf("there is no %s", p.file)
		}
		patched, err := p.apply(text)
		if err != nil {
			return nil, err
		}
		out[p.file] = patched
	}
	hook := string(hookText())
	for mark, word := range optionalParts {
		if strings.Contains(all, word) {
			hook = strings.ReplaceAll(hook, mark, "")
		}
	}
	out["plx_hook.go"] = hook
	return out, nil
}

// runTesting compiles package testing with the hook.
func (c compilation) runTesting() (code int, err error) {
	if c.pkg != "testing" {
		return 0, fmt.Errorf("%s is for package testing only", testingFlag)
	}
	texts := map[string]string{}
	for _, path := range c.files {
		text, err := os.ReadFile(path)
		if err != nil {
			return 0, err
		}
		texts[filepath.Base(path)] = string(text)
	}
	patched, err := patchTesting(texts)
	if err != nil {
		return 0, c.unfit(err)
	}
	temp, err := c.tempDir()
	if err != nil {
		return 0, err
	}
	defer func() {
		if e := os.RemoveAll(temp); e != nil && err == nil {
			err = e
		}
	}()
	files := slices.Clone(c.files)
	for i, path := range files {
		base := filepath.Base(path)
		if patched[base] == texts[base] {
			continue
		}
		files[i] = filepath.Join(temp, base)
		text := fmt.Sprintf("//line %s:1:1\n%s", path, patched[base])
		if err := os.WriteFile(files[i], []byte(text), 0o600); err != nil {
			return 0, err
		}
	}
	hook := filepath.Join(temp, "plx_hook.go")
	if err := os.WriteFile(hook, []byte("//line plx_hook.go:1:1\n"+patched["plx_hook.go"]), 0o600); err != nil {
		return 0, err
	}
	code, err = c.compile(append(files, hook))
	if err == nil && code != 0 {
		err = c.unfit(errors.New("the hook does not compile there"))
	}
	return code, err
}

// TestedReleases are the Go releases that the hook is tested with.
const TestedReleases = "go1.24, go1.25 and go1.26"

// unfit explains that the hook does not fit the toolchain's package testing.
func (c compilation) unfit(err error) error {
	version := "this Go release"
	if out, e := exec.Command(c.tool, "-V").Output(); e == nil {
		version = strings.TrimPrefix(strings.TrimSpace(string(out)), "compile version ")
	}
	return fmt.Errorf("package testing of %s has changed: %w. parallax fuzzes FuzzXxx with %s; choose one of them by GOTOOLCHAIN",
		version, err, TestedReleases)
}
