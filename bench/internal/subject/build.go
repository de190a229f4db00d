package subject

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strings"
)

// Pattern is the regular expression that selects the subject's fuzz test and no other, for -fuzz,
// -run and --fuzz.
func (p Package) Pattern() string { return "^" + regexp.QuoteMeta(p.Fuzz) + "$" }

// BuildNative builds the test binary that go test -fuzz runs, which -c leaves behind instead.
func (p Package) BuildNative(ctx context.Context, binary string) error {
	_, _, err := goCommand(ctx, p.Dir, "test", "-c", "-o", binary, "-fuzz="+p.Pattern(), ".")
	return err
}

// BuildCover builds the test binary that writes coverage profiles. It covers all packages of the
// module that the test uses. The rest of the module cannot be covered.
func (p Package) BuildCover(ctx context.Context, binary string) error {
	const ofMain = "{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}"
	out, _, err := goCommand(ctx, p.Dir, "list", "-deps", "-test", "-f", ofMain, ".")
	if err != nil {
		return err
	}
	packages := map[string]bool{}
	for _, line := range strings.Split(out, "\n") {
		name, _, _ := strings.Cut(line, " ") // "a/b [a/b.test]" is a/b compiled with its tests
		if name != "" && !strings.HasSuffix(name, ".test") && !strings.HasSuffix(name, "_test") {
			packages[name] = true
		}
	}
	names := make([]string, 0, len(packages))
	for name := range packages {
		names = append(names, name)
	}
	sort.Strings(names)
	_, _, err = goCommand(ctx, p.Dir, "test", "-c", "-o", binary, "-coverpkg="+strings.Join(names, ","), ".")
	return err
}

// Instrumented says what the coverage guidance of a binary sees.
type Instrumented struct {
	Packages int
	Counters int
}

// Native counts the packages that the go command instruments for -fuzz, and the counters that the
// linker gave the binary. It reads the commands that the go command would run.
func (p Package) Native(ctx context.Context, binary string) (Instrumented, error) {
	// -n prints what would be run, on standard error; -a makes that all there is to compile.
	_, commands, err := goCommand(ctx, p.Dir, "test", "-n", "-a", "-c", "-o", os.DevNull, "-fuzz="+p.Pattern(), ".")
	if err != nil {
		return Instrumented{}, err
	}
	i := Instrumented{Packages: compiledForFuzzing(commands)}
	f, err := elf.Open(binary)
	if err != nil {
		return i, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return i, fmt.Errorf("%s: %w", binary, err)
	}
	var first, end uint64
	for _, s := range symbols {
		switch s.Name { // the linker puts them around the section with the counters: cmd/link, fuzzer coverage
		case "internal/fuzz._counters":
			first = s.Value
		case "internal/fuzz._ecounters":
			end = s.Value
		}
	}
	i.Counters = int(end - first)
	return i, nil
}

var compiledPackage = regexp.MustCompile(` -p (\S+) `)

// compiledForFuzzing counts the packages in compile commands that have the compiler's flag for
// -fuzz.
func compiledForFuzzing(commands string) int {
	packages := map[string]bool{}
	for _, line := range strings.Split(commands, "\n") {
		if m := compiledPackage.FindStringSubmatch(line); m != nil && strings.Contains(line, "libfuzzer") {
			packages[m[1]] = true
		}
	}
	return len(packages)
}

// Counters counts the counters that parallax has put into a binary, and the packages they are in.
// It is the zero value for any other file.
func Counters(binary string) Instrumented {
	f, err := elf.Open(binary)
	if err != nil {
		return Instrumented{}
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return Instrumented{}
	}
	var i Instrumented
	for _, s := range symbols {
		if strings.HasSuffix(s.Name, ".plxCov") {
			i.Packages++
			i.Counters += int(s.Size)
		}
	}
	return i
}
