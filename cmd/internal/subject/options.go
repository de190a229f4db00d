package subject

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"parallax/cmd/internal/finding/accept"
	"parallax/cmd/internal/gobuild"
	"parallax/cmd/internal/subject/config"
	"parallax/internal/feature"
	"parallax/internal/policy"
)

// Options are what a user decides about a target: which programs, how they are built and run, and what they begin with.
type Options struct {
	policy.Policy
	Mode        string            // diff, fuzz or regress
	Functions   []string          // that are compared, or
	Config      *config.File      // a configuration of programs of any kind, or
	Packages    []string          // patterns of packages with FuzzXxx
	Match       *regexp.Regexp    // of those FuzzXxx; nil: all
	Tags        string            // build tags
	Dir         string            // where the user stands
	Out         string            // the campaign's folder; "": .parallax/<target> in Dir
	Accepted    string            // file of accepted differences; "": parallax-accepted.toml in Dir
	Repair      string            // function that repairs mutants; "": none
	Generator   string            // of which inputs are drawn; "": none
	Sequence    *gobuild.Sequence // Functions are two constructors, a model and its original, whose values execute sequences of operations; nil: they are not
	Partial     *gobuild.Partial  // Functions are an original and a model of it, which leaves something out; nil: nothing is said
	ConfirmedBy string            // how an engine confirms the findings of its model, where that is no default: "symbolic"; "": the default
	Harmless    string            // one of Functions that is refused if it may act on the machine; "": none is
	LayersGiven bool              // and not the default
	GoCache     bool              // begin also with what go test -fuzz has found
	Seeds       []string          // files and folders of inputs to begin with
	Dictionary  string            // file
	GrammarFile string            // of which inputs are made, as the user named it; "": none. Its text is Grammar
	Timeout     time.Duration
	Memory      int64
	Instrument  []string
	Allow       []string // what functions may reach: Network, Files
	Uncounted   bool     // no blocks are counted, of any package
	Beside      bool     // builds that are made when they are needed are made beside the campaign: see Lockstep.Finish
	Clocked     bool     // the campaign need not repeat: what programs do beside their answers may depend on the time that it takes
}

// AcceptedFile is where accepted differences are listed: where the configuration says, or beside it. A target named on the command line
// has it in the folder where the command is given.
func (o *Options) AcceptedFile() string {
	if o.Accepted != "" {
		return o.Accepted
	}
	return filepath.Join(o.Dir, accept.FileName)
}

// order reports whether programs are built to record in which order blocks are executed first.
func (o *Options) order() bool { return o.Ordered || feature.NeedsOrder(o.Guidance) }

// binaries are the files of the programs of a configuration that has no file of its own.
func (o *Options) binaries() []string {
	var list []string
	for i := range o.Config.Programs {
		list = append(list, o.Config.Programs[i].Settings.Runs())
	}
	return list
}

// sequence is how values are compared, as it is kept; "": they are not.
func (o *Options) sequence() string {
	if o.Sequence == nil {
		return ""
	}
	text, err := json.Marshal(o.Sequence)
	if err != nil {
		panic(err) // it is texts and a bool
	}
	return string(text)
}

// ReadSequence reads what Stored has kept under the key sequence; nil without one.
func ReadSequence(stored string) *gobuild.Sequence {
	var s gobuild.Sequence
	if stored == "" || json.Unmarshal([]byte(stored), &s) != nil {
		return nil
	}
	return &s
}

// partial is what a model leaves out, as it is kept; "": nothing is said.
func (o *Options) partial() string {
	if o.Partial == nil {
		return ""
	}
	text, err := json.Marshal(o.Partial)
	if err != nil {
		panic(err) // it is texts
	}
	return string(text)
}

// ReadPartial reads what Stored has kept under the key partial; nil without one.
func ReadPartial(stored string) *gobuild.Partial {
	var p gobuild.Partial
	if stored == "" || json.Unmarshal([]byte(stored), &p) != nil {
		return nil
	}
	return &p
}

// Stored are the options by which the target is built and its findings are triaged again later, beside the configuration's own keys.
func (o *Options) Stored() map[string]string {
	m := o.Policy.Stored()
	if len(o.Functions) > 0 {
		m["functions"] = joinWords(o.Functions)
	}
	switch {
	case o.Config != nil && len(o.Config.Built) > 0:
		maps.Copy(m, o.Config.Stored())
		m["accepted"] = o.Accepted
	case o.Config != nil && o.Mode == Fuzz:
		m["harness"] = o.Config.Path
	case o.Config != nil && o.Config.GoPrograms() != nil:
		storeFunctions(m, o.Config.GoPrograms())
		m["accepted"] = o.Accepted
	case o.Config != nil && o.Config.Path == "":
		m["harnesses"], m["accepted"] = joinPaths(o.binaries()), o.Accepted
	case o.Config != nil:
		m["config"], m["accepted"] = o.Config.Path, o.Accepted
	}
	if o.Repair != "" {
		m["repair"] = o.Repair
		if len(o.Packages) > 0 && strings.HasPrefix(o.Repair, ".") { // it is found again from the package's folder
			m["repair"] = filepath.Join(o.Dir, o.Repair)
		}
	}
	if o.Generator != "" {
		m["generator"] = o.Generator
	}
	if o.Sequence != nil {
		m["sequence"] = o.sequence()
	}
	if o.Partial != nil {
		m["partial"] = o.partial()
	}
	if o.ConfirmedBy != "" { // for reports
		m["confirm"] = o.ConfirmedBy
	}
	if o.Tags != "" {
		m["tags"] = o.Tags
	}
	if len(o.Instrument) > 0 {
		m["instrument"] = strings.Join(o.Instrument, ",")
	}
	if len(o.Allow) > 0 {
		m["allow"] = strings.Join(o.Allow, ",")
	}
	if o.Uncounted {
		m["uncounted"] = "true"
	}
	return m
}

// Lists of words or absolute paths, each kept in one of the stored options.

func joinPaths(paths []string) string { return strings.Join(paths, string(filepath.ListSeparator)) }

// SplitPaths takes a stored list of paths apart.
func SplitPaths(s string) []string { return filepath.SplitList(s) }

func joinWords(words []string) string { return strings.Join(words, " ") }

// SplitWords takes a stored list of words apart.
func SplitWords(s string) []string { return strings.Fields(s) }
