package gobuild

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/gobuild/buildroot"
	"parallax/cmd/internal/gobuild/codegen"
	"parallax/cmd/internal/gobuild/gocommand"
	"parallax/cmd/internal/gobuild/gomod"
	"parallax/cmd/internal/gobuild/signature"
)

// wrapperFolder is the folder of the file that unsupported proposes.
const wrapperFolder = "harness"

// unsupported reports the arguments that parallax cannot pass, and prints a file of wrappers to
// start from and the command to run then.
func unsupported(where *buildroot.Root, calls []*signature.Function, problems []*signature.Problem) error {
	w := codegen.NewWrapper(nil)
	var why, get []string
	command := "parallax diff"
	folder := wrapperPath(where, calls)
	for i, c := range calls {
		if problems[i] == nil {
			command += " " + shellQuote(c.Func.Written)
			continue
		}
		why = append(why, fmt.Sprintf("%s: %s: %s\n\tit is %s", c.Func.Written, problems[i].Where, problems[i].Why, c.Signature()))
		command += " " + folder + "." + w.Function(c)
		if m := c.Package.Module; m != nil && !m.Main && (c.Func.Version != "" || where.Kind != buildroot.User) {
			if arg := "go get " + gomod.WithVersion(c.Package.ImportPath, m.Version); !slices.Contains(get, arg) {
				get = append(get, arg)
			}
		}
	}
	var steps []string
	if !where.Env.InModule() {
		steps = append(steps, "mkdir fuzz && cd fuzz && go mod init example.com/fuzz")
	}
	steps = append(append(steps, get...), command)
	return exit.Usage("%s\n\nstart from this file, %s/%s.go, in your own module:\n\n%s\nthen:\n\n\t%s", strings.Join(why, "\n"), strings.TrimPrefix(folder, "./"), wrapperFolder, indent(w.File(wrapperFolder)), strings.Join(steps, "\n\t"))
}

// wrapperPath returns the folder of the proposed file, relative to the user's: one that may import
// what the functions need.
func wrapperPath(where *buildroot.Root, calls []*signature.Function) string {
	path, deepest := "./"+wrapperFolder, ""
	for _, c := range calls {
		root, hidden := gocommand.InternalRoot(c.Package.ImportPath)
		if m := c.Package.Module; !hidden || m == nil || !m.Main || len(root) <= len(deepest) {
			continue
		} else if rel, err := filepath.Rel(where.Dir, filepath.Join(m.Dir, filepath.FromSlash(strings.TrimPrefix(root, m.Path)), wrapperFolder)); err == nil {
			deepest, path = root, filepath.ToSlash(rel)
			if !strings.HasPrefix(path, "../") {
				path = "./" + path
			}
		}
	}
	return path
}

func shellQuote(s string) string {
	if strings.ContainsAny(s, "(*)") {
		return "'" + s + "'"
	}
	return s
}

func indent(text string) string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(text, "\n") {
		if strings.TrimSpace(line) != "" {
			b.WriteByte('\t')
		}
		b.WriteString(line)
	}
	return b.String()
}
