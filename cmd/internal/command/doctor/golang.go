package doctor

import (
	"encoding/json"
	"fmt"
	"go/version"
	"strings"
)

// MinGo is the oldest toolchain that compiles the rewritten packages: the version in the library's
// go.mod.
const MinGo = "go1.22"

// golang checks the toolchain and its settings, and returns its environment.
func golang(h Host) (map[string]string, []Check) {
	c := Check{Name: "go", Required: true}
	const get = "install Go from go.dev/doc/install, or apt-get install golang-go, and put its bin folder on PATH"
	where, err := h.LookPath("go")
	if err != nil {
		c.Detail, c.Fix = "not on PATH", get
		return nil, []Check{c}
	}
	env := map[string]string{}
	out, err := h.Output(where, "env", "-json")
	if err == nil {
		err = json.Unmarshal([]byte(out), &env)
	}
	if err != nil {
		c.Detail, c.Fix = fmt.Sprintf("%s does not answer: %v", where, oneLine(err)), "run go env yourself; "+get
		return nil, []Check{c}
	}
	have := strings.Fields(env["GOVERSION"] + " unknown")[0]
	c.Detail = have + " at " + where
	switch {
	case strings.HasPrefix(have, "devel"):
		c.OK = true // built from source, and so newer than any release
	case !version.IsValid(have) || version.Compare(have, MinGo) < 0:
		c.Fix = "parallax needs " + MinGo + " or newer; " + get
	default:
		c.OK = true
	}
	return env, []Check{c, platform(h), goflags(env), toolchain(env), modules(env)}
}

func platform(h Host) Check {
	c := Check{Name: "platform", Required: true, Detail: h.OS + "/" + h.Arch, OK: true}
	if h.OS != "linux" || (h.Arch != "amd64" && h.Arch != "arm64") {
		c.OK, c.Fix = false, "parallax runs on linux/amd64 and linux/arm64; use a container or a virtual machine there"
	}
	return c
}

// oddFlags lists flags in GOFLAGS that change the builds of parallax, with the reason.
var oddFlags = []struct{ flag, why string }{
	{"-toolexec", "parallax instruments with its own"},
	{"-gcflags", "parallax passes its own"},
	{"-overlay", "the instrumentation's tables do not know replaced files"},
	{"-n", "nothing is built at all"},
	{"-a", "everything is built again every time"},
	{"-cover", "its counters are counted as the program's own code"},
	{"-race", "programs run several times slower"},
	{"-msan", "programs run several times slower"},
	{"-asan", "programs run several times slower"},
	{"-mod=vendor", "other modules cannot be downloaded"},
}

func goflags(env map[string]string) Check {
	c := Check{Name: "GOFLAGS", OK: true, Detail: env["GOFLAGS"]}
	if c.Detail == "" {
		c.Detail = "not set"
	}
	for _, field := range strings.Fields(env["GOFLAGS"]) {
		field = "-" + strings.TrimLeft(strings.Trim(field, `'"`), "-")
		name, _, _ := strings.Cut(field, "=")
		for _, odd := range oddFlags {
			if odd.flag == field || odd.flag == name {
				c.OK = false
				c.Fix = join(c.Fix, odd.flag+": "+odd.why)
			}
		}
	}
	if !c.OK {
		c.Fix += "; unset GOFLAGS, or go env -u GOFLAGS"
	}
	return c
}

func toolchain(env map[string]string) Check {
	c := Check{Name: "GOTOOLCHAIN", OK: true, Detail: env["GOTOOLCHAIN"]}
	switch c.Detail {
	case "":
		c.Detail = "not set"
	case "local":
		c.OK = false
		c.Fix = "modules that need a newer Go than " + env["GOVERSION"] + " will not build; GOTOOLCHAIN=auto downloads one"
	}
	return c
}

func modules(env map[string]string) Check {
	c := Check{Name: "module proxy", OK: true, Detail: env["GOPROXY"]}
	if env["GOPROXY"] == "off" {
		c.OK, c.Fix = false, "only modules in the module cache can be used; go env -u GOPROXY allows others"
	}
	if c.Detail == "" {
		c.Detail = "not set"
	}
	return c
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
