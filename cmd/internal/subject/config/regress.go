package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/cmd/internal/finding/regress"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/c"
)

// Regress is the table [regress]: how to build a version of a C or C++ project, and the harness to
// run. Package nativebuild builds it.
type Regress struct {
	Build  []string // the command, which runs in the file's folder of each version's tree
	Binary string   // the harness that it builds, below that folder
	Args   []string // for LLVMFuzzerInitialize
	At     Position
}

// regress reads [regress]. Nil means that the file has none.
func (r *reader) regress(t *tomldoc.Table, f *File) {
	if !t.Has("regress") {
		t.Accept("regress")
		return
	}
	t = t.Open("regress", "[regress]")
	g := &Regress{At: t.Position(), Build: t.Command("build"), Binary: t.Text("binary"), Args: t.Command("args")}
	if !t.Has("build") {
		t.Reportf(t.Position(), `[regress] has no build: write the command that builds a version, as in build = ["make", "fuzz"]`)
	}
	if !t.Has("binary") {
		t.Reportf(t.Position(), `[regress] has no binary: write the harness that build makes, as in binary = "fuzz_parse"`)
	}
	if g.Binary != "" && !filepath.IsLocal(g.Binary) {
		t.Reportf(t.ValuePosition("binary"), "binary = %q leads out of the version's tree: write a path below the folder of this file", g.Binary)
	}
	program.NoPlace(t, "args", g.Args, "the input goes to LLVMFuzzerTestOneInput")
	t.ReportUnknown()
	f.Regress = g
}

// programNames returns the names that controls and classes can use.
func (f *File) programNames() (names []string) {
	for _, p := range f.Programs {
		names = append(names, p.Name)
	}
	if len(names) == 0 && f.Regress != nil {
		return []string{regress.New, regress.Old}
	}
	return names
}

// Comparable returns an error if the file names no programs and only describes how to build two
// versions of one.
func (f *File) Comparable() error {
	if len(f.Programs) > 0 {
		return nil
	}
	return exit.Usage("%s has [regress] and no [[program]]: `parallax regress %s --base REVISION` compares two versions of the harness; to compare programs, add two or more", f.Path, filepath.Base(f.Path))
}

// Built is a built version.
type Built struct {
	Binary  string
	Dir     string // working folder: the file's folder in the tree of the build
	Version string // a short commit, for records
}

// Versions returns the configuration of a campaign on the versions that [regress] builds, the new
// one first. A single version is fuzzed alone. The programs of the file itself do not matter.
func (f *File) Versions(versions ...Built) *File {
	g := *f
	g.Built, g.Programs, g.Controls, g.Compare.Classes = versions, nil, nil, nil
	for i, v := range versions {
		name := [...]string{regress.New, regress.Old}[i]
		g.Programs = append(g.Programs, Program{
			Common: program.Common{Name: name, Dir: v.Dir, Limits: f.Limits}, Kind: c.Kind.Name,
			Settings: &c.Settings{Binary: v.Binary, Args: f.Regress.Args, Declines: true}, At: f.Regress.At,
		})
	}
	names := g.programNames()
	among := func(some []string) (in []string, ok bool) {
		for _, name := range some {
			if slices.Contains(names, name) {
				in = append(in, name)
			}
		}
		return in, len(in) == len(some) || len(in) > 0 && len(f.Programs) == 0
	}
	for _, one := range f.Controls {
		if in, ok := among(one.Programs); ok {
			one.Programs = in
			g.Controls = append(g.Controls, one)
		}
	}
	for _, one := range f.Compare.Classes {
		if in, ok := among(one.Programs); ok {
			one.Programs = in
			g.Compare.Classes = append(g.Compare.Classes, one)
		}
	}
	return &g
}

// Keys of a campaign's options that store the built versions.
const (
	binariesOption = "versions"
	dirsOption     = "version_dirs"
	namesOption    = "version_names"
)

// Stored returns the versions as a campaign keeps them for Restore.
func (f *File) Stored() map[string]string {
	var binaries, dirs, names []string
	for _, v := range f.Built {
		binaries, dirs, names = append(binaries, v.Binary), append(dirs, v.Dir), append(names, v.Version)
	}
	const sep = string(filepath.ListSeparator)
	return map[string]string{"config": f.Path, binariesOption: strings.Join(binaries, sep), dirsOption: strings.Join(dirs, sep), namesOption: strings.Join(names, ",")}
}

// BuiltIn returns the harnesses of the versions that a campaign with these options ran on, if any.
func BuiltIn(options map[string]string) []string { return filepath.SplitList(options[binariesOption]) }

// Restore returns the configuration of a campaign with these options: the file itself, or the
// versions that were built for it.
func (f *File) Restore(options map[string]string) (*File, error) {
	binaries, dirs, names := BuiltIn(options), filepath.SplitList(options[dirsOption]), strings.Split(options[namesOption], ",")
	if len(binaries) == 0 {
		return f, f.Comparable()
	}
	if f.Regress == nil || len(binaries) > 2 || len(dirs) != len(binaries) || len(names) != len(binaries) {
		return nil, exit.Usage("%s has no [regress] any more, by which the versions were built", f.Path)
	}
	var versions []Built
	for i := range binaries {
		if info, err := os.Stat(binaries[i]); err != nil || !info.Mode().IsRegular() {
			return nil, exit.Usage("what was built of the %s version is not in the cache any more: run `parallax regress` again", [...]string{regress.New, regress.Old}[i])
		}
		versions = append(versions, Built{binaries[i], dirs[i], names[i]})
	}
	return f.Versions(versions...), nil
}
