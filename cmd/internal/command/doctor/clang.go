package doctor

import (
	"fmt"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/lazyregexp"
)

// Versions of clang in the order of package clang: the tested one, then the newest.
const (
	bestClang   = 19
	newestClang = 40
	oldestClang = 16
)

const getClang = "apt-get install clang-19 libclang-rt-19-dev"

var clangVersion = lazyregexp.New(`clang version (([0-9]+)\.[0-9.]+)`)

// clang checks the compiler that `parallax cc` and `parallax c++` call, and the libraries of its
// sanitizers.
func clang(h Host) Check {
	c := Check{Name: "clang"}
	if h.OS != "linux" || h.Arch != "amd64" {
		c.OK, c.Detail = true, "not checked: C and C++ programs run on linux/amd64 only"
		return c
	}
	where := ""
	for _, name := range clangNames(h.Getenv("PARALLAX_CLANG")) {
		if path, err := h.LookPath(name); err == nil {
			where = path
			break
		}
	}
	if where == "" {
		c.Detail, c.Fix = "not on PATH; used for C and C++ programs and for models in C", getClang
		if name := h.Getenv("PARALLAX_CLANG"); name != "" {
			c.Detail, c.Fix = "PARALLAX_CLANG names "+name+", which is not on PATH", "unset PARALLAX_CLANG, or "+getClang
		}
		return c
	}
	out, err := h.Output(where, "--version")
	if err != nil {
		c.Detail, c.Fix = where+" does not work: "+oneLine(err), getClang
		return c
	}
	m := clangVersion().FindStringSubmatch(out)
	if m == nil {
		line, _, _ := strings.Cut(out, "\n")
		c.Detail, c.Fix = fmt.Sprintf("%s is not clang: it says %q", where, line), getClang
		return c
	}
	c.Detail = "clang " + m[1] + " at " + where
	if major, err := strconv.Atoi(m[2]); err != nil || major < oldestClang {
		c.Fix = fmt.Sprintf("C and C++ programs are built with clang %d or newer: %s", oldestClang, getClang)
		return c
	}
	// -print-file-name prints the path of a file that exists, and the name of one that does not.
	library, err := h.Output(where, "-print-file-name=libclang_rt.asan-x86_64.a")
	if err != nil || !strings.Contains(library, "/") {
		c.Detail += ", without the libraries of its sanitizers"
		c.Fix = "sanitizer builds need them: apt-get install libclang-rt-" + m[2] + "-dev"
		return c
	}
	c.OK = true
	return c
}

func clangNames(named string) []string {
	if named != "" {
		return []string{named}
	}
	names := []string{fmt.Sprintf("clang-%d", bestClang)}
	for v := newestClang; v >= oldestClang; v-- {
		if v != bestClang {
			names = append(names, fmt.Sprintf("clang-%d", v))
		}
	}
	return append(names, "clang")
}
