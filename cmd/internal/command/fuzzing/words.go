package fuzzing

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/campaign"
	"parallax/cmd/internal/process/execute"
	"parallax/cmd/internal/process/quota"
	"parallax/cmd/internal/show/ui"
	"parallax/cmd/internal/subject"
	"parallax/internal/feature"
	"parallax/internal/policy"
	"parallax/internal/schedule"
)

// New returns the options of a command that fuzzes, before the user has given any. The mode is the
// command's name.
func New(mode string) Options {
	return Options{PoolSize: feature.DefaultPool, Campaign: campaign.Options{Options: subject.Options{Mode: mode}}}
}

// Modes of commands.
const (
	ModeDiff    = subject.Diff
	ModeFuzz    = subject.Fuzz
	ModeRegress = subject.Regress
	ModeModel   = subject.Model
)

// GuidanceOfChange is the guidance by what a change reaches, which regress adds to the others.
const GuidanceOfChange = feature.Change

// Parts are the parts of a generator's search that can be left out.
var Parts = policy.Parts

// Details lists what --published takes.
var Details = policy.Details

// Allowable lists what functions can be allowed.
func Allowable() []string { return execute.Allowable }

// UIs are the ways to show the progress.
var UIs = []string{ui.Auto, ui.Line, ui.Full, ui.None}

// NoLimits has this process, and those of parallax that it starts, run programs although the kernel
// cannot hold them to their limits.
func NoLimits(on bool) error {
	if on {
		return os.Setenv(quota.Waiver, "1")
	}
	return os.Unsetenv(quota.Waiver)
}

// GuidanceWords are the guidances of the command's mode, as shells complete them: each name with
// what its row says of it.
func (f *Options) GuidanceWords() (words []string) {
	for _, name := range f.Campaign.Guidances() {
		words = append(words, name+"\t"+feature.Find(name).Text)
	}
	return words
}

// ScheduleWords are the schedules of the command's mode, as GuidanceWords are its guidances.
func (f *Options) ScheduleWords() (words []string) {
	names := f.Campaign.Schedules()
	for _, row := range schedule.Table {
		if slices.Contains(names, row.Name) {
			words = append(words, row.Name+"\t"+row.Text)
		}
	}
	return words
}

// GuidanceText names the guidances that the command's mode has.
func (f *Options) GuidanceText() string {
	var domains, others, searches []string
	for _, name := range f.Campaign.Guidances() {
		if d := feature.Find(name); d.Search != nil {
			searches = append(searches, name)
		} else if d.KeepsOnlySeeds || d.Union != nil {
			others = append(others, name)
		} else {
			domains = append(domains, name)
		}
	}
	return fmt.Sprintf("novelty by which inputs are kept: %s, a union of these, %s; with a generator also %s (parallax help guidance)",
		strings.Join(domains, ", "), strings.Join(others, ", or "), strings.Join(searches, ", "))
}
