// Package trial runs trials of configurations on subjects and summarizes them, for `parallax
// bench`.
//
//	config.go      the measurement, from a TOML file
//	sample.go      the result of one trial, and the file of all results
//	run.go         one trial: the tool itself, as a user would run it
//	resume.go      the folder of a trial, from which a killed trial continues
//	schedule.go    all missing trials, in a fair order
//	cause.go       known causes of findings
//	analysis.go    comparisons, from samples alone; see package stats
//	conclusion.go  conclusions in words
//	table.go       tables in Markdown
//
// A trial is one campaign with one fuzzing worker and its own seed. Its sample is written at its
// end. A killed measurement continues with the missing trials, and a killed trial with the rest of
// its budget. Tables are pure functions of samples and configuration, so causes can be named after
// the trials.
package trial

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/lazyregexp"
)

// ConfigVersion is the version of the configuration's format.
const ConfigVersion = 1

// Config describes a measurement.
type Config struct {
	Version int      `toml:"version"`
	Trials  int      `toml:"trials"`
	Seed    uint64   `toml:"seed"` // trial k, counted from 0, has Seed+k
	CPU     duration `toml:"cpu"`  // of the fuzzing workers
	Inputs  uint64   `toml:"inputs"`
	Wall    duration `toml:"wall"` // time limit of a trial
	// 0 means the budget, or the inputs that all trials have executed
	CompareAtInputs uint64 `toml:"compare_at_inputs"`
	// empty means the first configuration
	Baseline string `toml:"baseline"`
	// folder of inputs, one for each unique discrepancy; empty means none
	KeepInputs string `toml:"keep_inputs"`
	// subjects that were examined while a default was chosen
	Choosing       []string        `toml:"choosing"`
	Configurations []Configuration `toml:"configuration"`
	Subjects       []Subject       `toml:"subject"`

	Path string `toml:"-"` // of the file
}

// Configuration is a way to run the tool.
type Configuration struct {
	Name string `toml:"name"`
	// for the overlap of kinds of configurations; empty means the name
	Group   string   `toml:"group"`
	Flags   []string `toml:"flags"`
	Harness string   `toml:"harness"` // the FuzzXxx instead of a subject's, for subjects with one
	// Blackbox means a configuration without coverage guidance. Trials run without instrumentation,
	// and a second run measures their coverage.
	Blackbox bool `toml:"blackbox"`
}

// Subject is the code under test.
type Subject struct {
	Name string `toml:"name"`
	// another configuration file with this subject; excludes the other keys
	From            string   `toml:"from"`
	Dir             string   `toml:"dir"`     // relative to the file
	Targets         []string `toml:"targets"` // arguments of diff
	Fuzz            string   `toml:"fuzz"`    // or a package for fuzz
	Harness         string   `toml:"harness"` // the FuzzXxx of a package
	Flags           []string `toml:"flags"`
	CompareAtInputs uint64   `toml:"compare_at_inputs"`
	Causes          []Cause  `toml:"cause"`
}

// Cause is a known reason for findings. A finding belongs to the first cause that matches.
type Cause struct {
	Name     string            `toml:"name"`
	Kind     string            `toml:"kind"`     // discrepancy, crash, timeout, ...
	Layer    string            `toml:"layer"`    // verdict, value or class
	Outcomes map[string]string `toml:"outcomes"` // by program
	Errors   map[string]string `toml:"errors"`   // regular expressions on error classes, by program
	Input    string            `toml:"input"`    // regular expression on the minimized input

	input  *regexp.Regexp
	errors map[string]*regexp.Regexp
}

// duration parses values such as "8s".
type duration struct{ time.Duration }

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err == nil && v < 0 {
		err = errors.New("less than nothing")
	}
	if err != nil {
		return fmt.Errorf("%q: give a time like 8s or 2m", text)
	}
	d.Duration = v
	return nil
}

// ReadConfig reads and checks a configuration.
func ReadConfig(path string) (*Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.Usage("the configuration: %w", err)
	}
	c, err := parseConfig(data)
	if err != nil {
		return nil, exit.Usage("%s: %w", path, err)
	}
	if c.Path, err = filepath.Abs(path); err != nil {
		return nil, exit.Infra("%w", err)
	}
	for i := range c.Subjects {
		if one := &c.Subjects[i]; one.From != "" {
			if err := c.borrow(one); err != nil {
				return nil, exit.Usage("%s: subject %s: %w", path, one.Name, err)
			}
		}
	}
	return c, nil
}

// borrow fills in a subject from another configuration.
func (c *Config) borrow(s *Subject) error {
	path := s.From
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(c.Path), path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("from: %w", err)
	}
	other, err := parseConfig(data)
	if err != nil {
		return fmt.Errorf("from: %s: %w", s.From, err)
	}
	other.Path = path
	lent := other.subject(s.Name)
	switch {
	case lent == nil:
		return fmt.Errorf("from: %s has no subject of that name", s.From)
	case lent.From != "":
		return fmt.Errorf("from: %s has it from %s: name that file", s.From, lent.From)
	}
	lent.Dir = other.dir(lent)
	*s = *lent
	return nil
}

func parseConfig(data []byte) (*Config, error) {
	var c Config
	decoder := toml.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return nil, explain(err)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	return &c, nil
}

// explain adds the position to an error in the file.
func explain(err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		var lines []string
		for _, e := range strict.Errors {
			row, _ := e.Position()
			lines = append(lines, fmt.Sprintf("line %d: unknown key %s", row, strings.Join(e.Key(), ".")))
		}
		return errors.New(strings.Join(lines, "; "))
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		row, column := decode.Position()
		text := strings.TrimPrefix(decode.Error(), "toml: ")
		if key := strings.Join(decode.Key(), "."); key != "" {
			text = key + ": " + text
		}
		return fmt.Errorf("line %d, column %d: %s", row, column, text)
	}
	return err
}

// maxTrials rejects numbers that must be typos.
const maxTrials = 10_000

// set lists the flags that the measurement itself sets for a trial.
var set = []string{"out", "seed", "parallel", "json", "ui", "fuzztime", "cputime", "fuzz"}

func (c *Config) check() error {
	switch {
	case c.Version == 0:
		return fmt.Errorf("no version: write version = %d", ConfigVersion)
	case c.Version != ConfigVersion:
		return fmt.Errorf("version = %d, but this parallax reads version %d", c.Version, ConfigVersion)
	case c.Trials < 1 || c.Trials > maxTrials:
		return fmt.Errorf("trials = %d: choose 1 to %d; ten are usual", c.Trials, maxTrials)
	case c.CPU.Duration == 0 && c.Inputs == 0:
		return errors.New(`no budget: give cpu = "8s", inputs = 100000, or both`)
	case len(c.Configurations) == 0:
		return errors.New("no [[configuration]]: one needs at least a name")
	case len(c.Subjects) == 0:
		return errors.New("no [[subject]]: one needs a name and targets")
	}
	names := map[string]bool{}
	for i := range c.Configurations {
		one := &c.Configurations[i]
		if err := checkName("configuration", one.Name, i, names); err != nil {
			return err
		}
		if err := checkFlags(one.Flags); err != nil {
			return fmt.Errorf("configuration %s: %w", one.Name, err)
		}
	}
	if c.Baseline != "" && !names[c.Baseline] {
		return fmt.Errorf("baseline = %q is not a configuration", c.Baseline)
	}
	for i := range c.Configurations {
		if one := &c.Configurations[i]; one.Blackbox && slices.ContainsFunc(c.Subjects, func(s Subject) bool { return len(s.Targets) > 0 }) {
			return fmt.Errorf("configuration %s: blackbox is for subjects with fuzz, and there is one with targets", one.Name)
		}
	}
	subjects := map[string]bool{}
	for i := range c.Subjects {
		one := &c.Subjects[i]
		if err := checkName("subject", one.Name, i, subjects); err != nil {
			return err
		}
		if err := one.check(); err != nil {
			return fmt.Errorf("subject %s: %w", one.Name, err)
		}
	}
	for _, name := range c.Choosing {
		if !subjects[name] {
			return fmt.Errorf("choosing: %q is not a subject", name)
		}
	}
	return nil
}

// nameForm matches names that are usable as folders, in regular expressions and in tables.
var nameForm = lazyregexp.New(`^[A-Za-z0-9][-A-Za-z0-9_.+]*$`)

func checkName(what, name string, index int, seen map[string]bool) error {
	switch {
	case name == "":
		return fmt.Errorf("%s %d has no name", what, index+1)
	case !nameForm().MatchString(name) || len(name) > 60:
		return fmt.Errorf("%s %q: a name has letters, digits, -, _, . and +, at most 60", what, name)
	case seen[name]:
		return fmt.Errorf("two of [[%s]] have the name %s", what, name)
	}
	seen[name] = true
	return nil
}

func checkFlags(flags []string) error {
	for _, f := range flags {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		if strings.HasPrefix(f, "-") && slices.Contains(set, name) {
			return fmt.Errorf("the flag %s is set by bench itself", f)
		}
	}
	return nil
}

func (s *Subject) check() error {
	switch {
	case s.From != "" && (len(s.Targets)+len(s.Flags)+len(s.Causes)+int(s.CompareAtInputs) > 0 || s.Fuzz+s.Harness+s.Dir != ""):
		return errors.New("from takes all of another file's subject: give nothing but name and from")
	case s.From != "":
		return nil
	case len(s.Targets) == 0 && s.Fuzz == "":
		return errors.New(`nothing to run: give targets = ["./a.Parse", "./b.Parse"], or fuzz = "./pkg" and harness = "FuzzX"`)
	case len(s.Targets) > 0 && s.Fuzz != "":
		return errors.New("give either targets, for diff, or fuzz, a package")
	case s.Fuzz != "" && s.Harness == "":
		return errors.New(`fuzz needs harness = "FuzzX"`)
	}
	for _, arg := range append([]string{s.Fuzz}, s.Targets...) {
		if strings.HasPrefix(arg, "-") {
			return fmt.Errorf("the target %q looks like a flag: flags go into flags", arg)
		}
	}
	if err := checkFlags(s.Flags); err != nil {
		return err
	}
	names := map[string]bool{}
	for i := range s.Causes {
		if err := s.Causes[i].prepare(); err != nil {
			return fmt.Errorf("cause %d: %w", i+1, err)
		}
		if name := s.Causes[i].Name; names[name] {
			return fmt.Errorf("two of [[subject.cause]] have the name %q", name)
		} else {
			names[name] = true
		}
	}
	return nil
}

// Compare makes a configuration the baseline, unless the name is empty.
func (c *Config) Compare(name string) error {
	if name == "" {
		return nil
	}
	var names []string
	for i := range c.Configurations {
		names = append(names, c.Configurations[i].Name)
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("%q is not a configuration: choose one of %s", name, strings.Join(names, ", "))
	}
	c.Baseline = name
	return nil
}

// baseline returns the configuration to which others are compared.
func (c *Config) baseline() string {
	if c.Baseline != "" {
		return c.Baseline
	}
	return c.Configurations[0].Name
}

// chosenOn reports whether the subject was used to choose a default.
func (c *Config) chosenOn(subject string) bool { return slices.Contains(c.Choosing, subject) }

func (c *Config) subject(name string) *Subject {
	for i := range c.Subjects {
		if c.Subjects[i].Name == name {
			return &c.Subjects[i]
		}
	}
	return nil
}

func (c *Config) configuration(name string) *Configuration {
	for i := range c.Configurations {
		if c.Configurations[i].Name == name {
			return &c.Configurations[i]
		}
	}
	return nil
}

// dir returns the folder in which the subject's trials run.
func (c *Config) dir(s *Subject) string {
	if filepath.IsAbs(s.Dir) {
		return s.Dir
	}
	return filepath.Join(filepath.Dir(c.Path), s.Dir)
}

// keep returns the folder of inputs, or "" for none.
func (c *Config) keep() string {
	if c.KeepInputs == "" || filepath.IsAbs(c.KeepInputs) {
		return c.KeepInputs
	}
	return filepath.Join(filepath.Dir(c.Path), c.KeepInputs)
}

// SamplesFile returns the default file of samples, next to the configuration.
func (c *Config) SamplesFile() string {
	return strings.TrimSuffix(c.Path, filepath.Ext(c.Path)) + ".samples.jsonl"
}

// command returns the command of a trial without the parts that differ between trials. Samples of
// different measurements have different commands.
func (c *Config) command(s *Subject, one *Configuration) []string {
	var args []string
	if s.Fuzz != "" {
		args = []string{"fuzz", s.Fuzz}
	} else {
		args = append([]string{"diff"}, s.Targets...)
	}
	if s.Harness != "" {
		args = append(args, "--fuzz", "^"+regexp.QuoteMeta(cmp.Or(one.Harness, s.Harness))+"$")
	}
	if c.Inputs > 0 {
		args = append(args, "--fuzztime", fmt.Sprintf("%dx", c.Inputs))
	}
	if c.CPU.Duration > 0 {
		args = append(args, "--cputime", c.CPU.String())
	}
	return append(append(args, s.Flags...), one.Flags...)
}
