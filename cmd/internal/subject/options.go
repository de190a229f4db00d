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
	"parallax/cmd/internal/gobuild/mining"
	"parallax/cmd/internal/subject/config"
	"parallax/internal/feature"
	"parallax/internal/policy"
)

// Options holds the user's decisions about a target: its programs, how they are built and run, and
// the first inputs.
type Options struct {
	policy.Policy
	Mode         string            // diff, fuzz or regress
	Functions    []string          // to compare, or
	Config       *config.File      // a configuration of programs of any kind, or
	Packages     []string          // patterns of packages with FuzzXxx
	Match        *regexp.Regexp    // of those FuzzXxx; nil means all
	Tags         string            // build tags
	Dir          string            // the user's working directory
	Out          string            // the campaign's folder; empty means .parallax/<target> in Dir
	Accepted     string            // file of accepted differences; empty means parallax-accepted.toml in Dir
	Repair       string            // function that repairs mutants; empty means none
	Generator    string            // draws the inputs; empty means none
	Sequence     *gobuild.Sequence // set if Functions are two constructors, a model and its original, whose values execute sequences of operations
	Partial      *gobuild.Partial  // set if Functions are an original and a model that leaves something out
	ConfirmedBy  string            // how an engine confirms the findings of its model: "concrete"; empty means the default
	Harmless     string            // one of Functions that is refused if it may act on the machine; empty means none
	LayersGiven  bool              // the user set the layers
	GoCache      bool              // also use the inputs that go test -fuzz has found
	Seeds        []string          // files and folders of inputs to begin with
	Dictionary   string            // file
	Literals     []mining.Literal  // between versions, of lines that only one has
	GrammarFile  string            // grammar of the inputs, as the user named it; empty means none. Its text is Grammar
	Timeout      time.Duration
	Memory       int64
	Instrument   []string
	Allow        []string // accesses that functions have: Network, Files
	NoInstrument bool     // no package counts blocks
	Beside       bool     // builds on demand are made while the campaign runs: see Lockstep.Finish
	Clocked      bool     // the campaign need not repeat: side effects of programs may depend on the time
}

// AcceptedFile returns the file of accepted differences: the one that the configuration names, or
// the one in its folder. A target named on the command line has it in the current folder.
func (o *Options) AcceptedFile() string {
	if o.Accepted != "" {
		return o.Accepted
	}
	return filepath.Join(o.Dir, accept.FileName)
}

// order reports whether the first build already records the order of blocks.
func (o *Options) order() bool { return o.Ordered || feature.NeedsOrder(o.Guidance) }

// binaries returns the programs' files of a configuration that has no file of its own.
func (o *Options) binaries() []string {
	var list []string
	for i := range o.Config.Programs {
		list = append(list, o.Config.Programs[i].Settings.Runs())
	}
	return list
}

// sequence encodes Sequence for Stored. Empty means none.
func (o *Options) sequence() string {
	if o.Sequence == nil {
		return ""
	}
	text, err := json.Marshal(o.Sequence)
	if err != nil {
		panic(err) // it has only texts and a bool
	}
	return string(text)
}

// ReadSequence decodes the stored key sequence. It returns nil for an empty key.
func ReadSequence(stored string) *gobuild.Sequence {
	var s gobuild.Sequence
	if stored == "" || json.Unmarshal([]byte(stored), &s) != nil {
		return nil
	}
	return &s
}

// partial encodes Partial for Stored. Empty means none.
func (o *Options) partial() string {
	if o.Partial == nil {
		return ""
	}
	text, err := json.Marshal(o.Partial)
	if err != nil {
		panic(err) // it has only texts
	}
	return string(text)
}

// ReadPartial decodes the stored key partial. It returns nil for an empty key.
func ReadPartial(stored string) *gobuild.Partial {
	var p gobuild.Partial
	if stored == "" || json.Unmarshal([]byte(stored), &p) != nil {
		return nil
	}
	return &p
}

// Stored returns the options that build the target again and triage its findings, without the
// configuration's own keys.
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
		if len(o.Packages) > 0 && strings.HasPrefix(o.Repair, ".") { // which is found from the package's folder
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
	if o.ConfirmedBy != "" { // in reports
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
	if o.NoInstrument {
		m["no_instrument"] = "true"
	}
	return m
}

// joinPaths joins absolute paths for one stored option, joinWords words.

func joinPaths(paths []string) string { return strings.Join(paths, string(filepath.ListSeparator)) }

// SplitPaths splits a stored list of paths.
func SplitPaths(s string) []string { return filepath.SplitList(s) }

func joinWords(words []string) string { return strings.Join(words, " ") }

// SplitWords splits a stored list of words.
func SplitWords(s string) []string { return strings.Fields(s) }
