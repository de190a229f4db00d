package main

import (
	_ "embed"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  atMost(0, ""),
		Run:   func(*cobra.Command, []string) { printVersion() },
	}
}

func printVersion() {
	info, _ := debug.ReadBuildInfo()
	name, why := versionOf(info, commit, archived)
	fmt.Printf("parallax %s %s %s/%s\n", name, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if why != "" {
		fmt.Println("revision unknown: " + why)
	}
}

// version returns the module's version, or the revision that parallax was built from.
func version() string {
	info, _ := debug.ReadBuildInfo()
	name, _ := versionOf(info, commit, archived)
	return name
}

// commit is the revision that make build records.
var commit string

// archived is the revision in sources from git archive (export-subst). In a clone it is the format.
//
//go:embed revision.txt
var archived string

// versionOf returns the version of an executable. why is the reason if it does not name the
// revision.
func versionOf(info *debug.BuildInfo, given, archived string) (name, why string) {
	if info == nil {
		return "(unknown)", "the executable has no build information"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v, ""
	}
	recorded, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			recorded = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+dirty"
		}
	}
	archived = strings.TrimSpace(archived)
	switch {
	case recorded != "":
		return "devel-" + recorded + changed, ""
	case given != "":
		return "devel-" + given, ""
	case archived != "" && strings.Trim(archived, "0123456789abcdef") == "":
		return "devel-" + archived[:min(12, len(archived))], ""
	case strings.HasSuffix(info.Path, ".test"):
		return "devel", "go test does not record it in test binaries"
	}
	return "devel", "built with -buildvcs=false (flag, GOFLAGS or go env), without git, in a git worktree, or from sources without .git; make build in a clone records it"
}
