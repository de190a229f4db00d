package golang

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"fmt"
	"path/filepath"
	"strings"
)

// rewrite returns the text of a file with its counters. The result has one line more than the
// original: the header under which the compiler reports the original's name and lines.
func (u *unit) rewrite(f *file, d dialect) []byte {
	header := fmt.Appendf(nil, "//line %s:1:1\n", f.path)
	return append(header, d.apply(f.text, f.edits)...)
}

//go:embed *.go
var ownSources embed.FS

// Flag returns the compiler flag that marks a package for instrumentation, for -gcflags=PKG=FLAG.
// The compiler's flags identify a compiled package, so that marked and ordinary packages are
// separate in the build cache. The hash of the rewriter in the flag separates the outputs of
// different rewriters.
func Flag(o Options) string {
	flag := "-plx=" + sourceHash()
	if o.Order {
		flag += ",order"
	}
	if o.Apart {
		flag += ",apart"
	}
	if o.CmpLog {
		flag += ",operands"
	}
	if o.Calls != "" {
		flag += ",calls:" + o.Calls
	}
	if o.Except != "" {
		flag += ",except:" + o.Except
	}
	if o.wide {
		flag += ",wide"
	}
	return flag
}

func sourceHash() string {
	entries, err := ownSources.ReadDir(".")
	if err != nil {
		panic(err) // the embedded folder is always there
	}
	h := sha256.New()
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := ownSources.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(h, "%s %d\n%s", e.Name(), len(text), text)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// parseFlag is the inverse of Flag.
func parseFlag(arg string) (o Options, err error) {
	_, value, _ := strings.Cut(arg, "=")
	hash, options, _ := strings.Cut(value, ",")
	if hash != sourceHash() {
		return o, fmt.Errorf("%s was made by another version of parallax (this one is %s)", arg, sourceHash())
	}
	for options != "" {
		var option string
		option, options, _ = strings.Cut(options, ",")
		if module, ok := strings.CutPrefix(option, "calls:"); ok {
			o.Calls = module
			continue
		}
		if except, ok := strings.CutPrefix(option, "except:"); ok {
			o.Except = except
			continue
		}
		switch option {
		case "order":
			o.Order = true
		case "apart":
			o.Apart = true
		case "operands":
			o.CmpLog = true
		case "wide":
			o.wide = true
		default:
			return o, fmt.Errorf("%s: unknown option %q", arg, option)
		}
	}
	return o, nil
}

// lines counts line ends; rewriting must not change their number.
func lines(text []byte) int { return bytes.Count(text, []byte{'\n'}) }

// tempName returns a name for the rewritten form of the i-th file, unique in its folder.
func tempName(i int, path string) string { return fmt.Sprintf("%d_%s", i, filepath.Base(path)) }
