package golang

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"os/exec"
	"strings"
)

// The hook that passes fuzz targets to parallax is inserted into package testing during its
// compilation. The user's Go installation does not change: the patched package is in the build
// cache, under flags that no ordinary build has.

//go:embed testinghook
var hookSources embed.FS

const hookFile = "testinghook/hook.go.txt"

const testingFlag = "-plxtest="

// TestingFlag returns the compiler flag that marks package testing for the hook, for
// -gcflags=testing=FLAG.
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

// testingPatches lists all changes to existing code.
var testingPatches = []patch{
	// F.Fuzz has checked the types of the target and loads the seed corpus next, which the tool
	// reads by itself.
	{receiver: "F", function: "Fuzz", text: "if plxHook != nil { plxFuzz($0, $1, types); return };", want: []string{"any"}, after: "types", before: "fstate"},
	{receiver: "common", function: "Fail", text: "plxFail($0);"},
	{receiver: "common", function: "log", text: "if plxLog($0, $1) { return };", want: []string{"string"}},
}

// optionalParts maps marks of the hook's optional parts to words. A part is kept if the package's
// text contains the word, since releases of Go differ.
var optionalParts = map[string]string{
	"//plx:outputWriter ": "func (c *common) setOutputWriter()",
}

// patchTesting returns the files of package testing by base name with the hook in them.
func patchTesting(files map[string]string) (map[string]string, error) {
	out, err := patchFiles(files, testingPatches)
	if err != nil {
		return nil, err
	}
	hook := string(hookText())
	for mark, word := range optionalParts {
		for _, text := range files {
			if strings.Contains(text, word) {
				hook = strings.ReplaceAll(hook, mark, "")
			}
		}
	}
	out["plx_hook.go"] = hook
	return out, nil
}

// runTesting compiles package testing with the hook.
func (c compilation) runTesting() (code int, err error) {
	return c.runPatched("testing", testingFlag, patchTesting, c.unfit)
}

// OldestTested and NewestTested are the minor releases of Go 1 between which the hook is tested.
const (
	OldestTested = 24
	NewestTested = 27
)

// TestedReleases names the releases that the hook is tested with.
var TestedReleases = fmt.Sprintf("go1.%d to go1.%d", OldestTested, NewestTested)

// unfit explains that the hook does not fit the toolchain's package testing.
func (c compilation) unfit(err error) error {
	version := "this Go release"
	if out, e := exec.Command(c.tool, "-V").Output(); e == nil {
		version = strings.TrimPrefix(strings.TrimSpace(string(out)), "compile version ")
	}
	return fmt.Errorf("package testing of %s has changed: %w. parallax fuzzes FuzzXxx with %s; choose one of them by GOTOOLCHAIN",
		version, err, TestedReleases)
}
