package fuzzing

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/subject"
	"parallax/cmd/internal/subject/config"
)

// isProgram reports whether an argument is the path of a program, or of the script that libtool
// leaves in its place.
func isProgram(arg string) bool {
	info, err := os.Stat(arg)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(arg)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 4)
	n, _ := io.ReadFull(f, start)
	start = start[:n]
	return string(start) == "\x7fELF" || bytes.HasPrefix(start, []byte("#!"))
}

// refuseForPrograms refuses flags for Go functions where the arguments are programs. building
// reports that one of the flags of builds was given.
func (f *Options) refuseForPrograms(flags string, building bool) error {
	switch {
	case f.Fuzz != "":
		return exit.Usage("--fuzz chooses among the FuzzXxx of packages, and the arguments are programs: leave it out")
	case f.Campaign.Repair != "":
		return exit.Usage("--repair is for Go functions: define LLVMFuzzerCustomMutator in a C harness, or set the key repair in a configuration")
	case building:
		return exit.Usage("%s are for Go functions, and the arguments are programs: leave them out", flags)
	}
	return nil
}

// diffHarnesses compares C and C++ programs as a configuration without any keys would.
func diffHarnesses(f *Options, args []string) error {
	for _, arg := range args {
		path := strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") || filepath.IsAbs(arg)
		if _, err := os.Stat(arg); err != nil && path && !strings.Contains(filepath.Base(arg), ".") { // a function has a dot
			return exit.Usage("there is no program %s", arg)
		}
		if !isProgram(arg) {
			return exit.Usage("%s is not a program, but another argument is: compare programs of several kinds with a configuration; `parallax init %s` writes one", arg, config.FileName)
		}
	}
	if len(args) == 1 {
		return exit.Usage("a comparison needs two programs, and %s is one: name another, or fuzz it alone: parallax fuzz %s", args[0], shell.Word(args[0]))
	}
	err := f.refuseForPrograms("--tags and --instrument", f.Campaign.Tags != "" || len(f.Campaign.Instrument) > 0)
	if err != nil {
		return err
	}
	if f.Campaign.Memory, err = campaign.ParseMemory(f.Memory); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	paths := make([]string, len(args))
	for i, arg := range args {
		if paths[i] = Absolute(dir, arg); slices.Contains(paths[:i], paths[i]) {
			return exit.Usage("%s is named twice", arg)
		}
	}
	f.Campaign.Config = config.Harnesses(paths, dir, f.Campaign.Timeout, f.Campaign.Memory)
	return diffFunctions(f)
}

// areHarnesses reports whether the arguments are programs rather than packages. Packages are
// folders.
func areHarnesses(args []string) (bool, error) {
	n := 0
	var other string
	for _, arg := range args {
		if strings.HasSuffix(arg, ".toml") {
			return false, exit.Usage("%s is a configuration: run `parallax diff %s`", arg, shell.Word(arg))
		}
		info, err := os.Stat(arg)
		if err != nil && !strings.Contains(arg, "...") && (strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "/")) {
			hint := ""
			folder, name, _ := strings.Cut(filepath.Base(arg), ".")
			if info, err := os.Stat(filepath.Join(filepath.Dir(arg), folder)); err == nil && info.IsDir() && name != "" {
				hint = fmt.Sprintf(": if %s is a function, `parallax init %s` writes a FuzzXxx for it", name, shell.Word(arg))
			}
			return false, exit.Usage("there is no package and no program %s%s", arg, hint)
		}
		if err == nil && info.Mode().IsRegular() && !strings.HasSuffix(arg, ".go") {
			n++
		} else {
			other = arg
		}
	}
	if info, err := os.Stat(other); n > 0 && n < len(args) && err == nil && info.IsDir() {
		if goFiles, _ := filepath.Glob(filepath.Join(other, "*.go")); len(goFiles) == 0 {
			return false, exit.Usage("%s is a folder: to use its files as seeds, write --seeds %s", other, shell.Word(other))
		}
	}
	if n > 0 && n < len(args) {
		return false, exit.Usage("fuzz takes either packages with FuzzXxx or programs that parallax cc has linked, and %s is not what the others are: run it alone", other)
	}
	return n > 0, nil
}

// fuzzHarnesses fuzzes C and C++ programs, each as a target of its own.
func fuzzHarnesses(f *Options, args []string) error {
	err := f.refuseForPrograms("--tags, --instrument and --no-instrument", f.Campaign.Tags != "" || len(f.Campaign.Instrument) > 0 || f.Campaign.NoInstrument)
	if err != nil {
		return err
	}
	if f.Campaign.Memory, err = campaign.ParseMemory(f.Memory); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return exit.Infra("finding the current folder: %w", err)
	}
	timeout := f.Campaign.Timeout
	harness := func(arg string) *config.File {
		return config.Harness(Absolute(dir, arg), dir, timeout, f.Campaign.Memory)
	}
	f.Campaign.Config = harness(args[0])
	ctx, kill, view, tool, err := f.Start()
	if err != nil {
		return err
	}
	defer view.Close()
	runs := make([]Run, len(args))
	names := map[string]int{}
	for i, arg := range args {
		runs[i] = Run{Options: f.Campaign}
		file := harness(arg)
		if names[file.Name]++; names[file.Name] > 1 {
			file.Name = filepath.Base(filepath.Dir(file.Path)) + "." + file.Name
		}
		if f.Campaign.Generator != "" { // another campaign, whose inputs are tapes
			file.Name += subject.Drawn
		}
		runs[i].Name, runs[i].Options.Config = file.Name, file
		runs[i].Build = func(o *campaign.Options) (subject.Target, error) {
			o.Beside, o.Clocked = true, !o.Repeats()
			return subject.Build(ctx, &o.Options, tool, view.Step)
		}
	}
	defer func() {
		for i := range runs {
			if runs[i].Target != nil {
				runs[i].Target.Close()
			}
		}
	}()
	f.TakeTurns(ctx, kill, runs, view)
	return f.Conclude(runs, nil)
}
