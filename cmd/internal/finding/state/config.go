package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// ConfigVersion is the format of campaign.json. A change that older tools must not write over needs a new one; a new
// key does not.
const ConfigVersion = 1

// Program is one implementation under test, as it was resolved.
type Program struct {
	Name     string `json:"name"`
	Function string `json:"function"`          // import/path.Func
	Module   string `json:"module,omitempty"`  // that holds it
	Version  string `json:"version,omitempty"` // of the module; empty for the user's own
	// Known where programs do not share a worker.
	Kind      string `json:"kind,omitempty"`      // command, persistent, http; empty for a Go function
	Toolchain string `json:"toolchain,omitempty"` // Go version that builds the function, if it is not that of PATH
}

func (p Program) String() string {
	if p.Version != "" {
		return p.Function + "@" + p.Version
	}
	return p.Function
}

// regressMode is the mode of campaigns on two versions of something. A resumed one executes the findings again.
const regressMode = "regress"

// modelMode is the mode of campaigns on models, and sequenceMeaning is what decides which calls of a type an input is.
const (
	modelMode       = "model"
	sequenceMeaning = "sequence"
)

// Identity decides whether a command resumes the campaign of a folder.
type Identity struct {
	Mode     string    `json:"mode"` // diff, fuzz, ...
	Programs []Program `json:"programs"`
	Shape    string    `json:"shape"`             // of the inputs: "([]byte, int)"
	Compare  []string  `json:"compare,omitempty"` // layers, as a set
	// Configurations say how answers of programs are read, such as "normalizers of jq".
	Meaning map[string]string `json:"meaning,omitempty"`
}

// Names are the names of the programs.
func (id Identity) Names() []string {
	var names []string
	for _, p := range id.Programs {
		names = append(names, p.Name)
	}
	return names
}

// Difference names the first difference in which other is another campaign, "" when it is the same one. The order of
// programs counts, since hashes of tuples depend on it; that of layers does not.
func (id Identity) Difference(other Identity) string {
	if id.Mode != other.Mode {
		return differ("mode", id.Mode, other.Mode)
	}
	for i := range max(len(id.Programs), len(other.Programs)) {
		what := fmt.Sprintf("program %d", i+1)
		switch {
		case i >= len(id.Programs):
			return differ(what, "", other.Programs[i].String())
		case i >= len(other.Programs):
			return differ(what, id.Programs[i].String(), "")
		}
		a, b := id.Programs[i], other.Programs[i]
		if id.Mode == regressMode { // the versions move on from one commit to the next
			a.Version, b.Version = "", ""
		}
		if id.Mode == modelMode { // what is said of a model behind its function changes when it is edited, or sampled otherwise
			a.Function, _, _ = strings.Cut(a.Function, " (")
			b.Function, _, _ = strings.Cut(b.Function, " (")
		}
		switch {
		case a == b:
		case a.String() != b.String():
			return differ(what, a.String(), b.String())
		case a.Name != b.Name:
			return differ("name of "+what, a.Name, b.Name)
		default:
			return differ("module of "+what, a.Module, b.Module)
		}
	}
	if a, b := id.Meaning["generator"], other.Meaning["generator"]; a != b { // which decides what the input is
		return differ("generator", a, b)
	}
	if id.Shape != other.Shape {
		return differ("input", id.Shape, other.Shape)
	}
	if a, b := set(id.Compare), set(other.Compare); a != b {
		return differ("comparison", a, b)
	}
	return id.MeaningDifference(other)
}

// MeaningDifference is Difference in how answers are read alone.
func (id Identity) MeaningDifference(other Identity) string {
	all := map[string]bool{}
	for _, m := range []map[string]string{id.Meaning, other.Meaning} {
		for what := range m {
			all[what] = true
		}
	}
	for _, what := range slices.Sorted(maps.Keys(all)) {
		if a, b := id.Meaning[what], other.Meaning[what]; a != b && what == sequenceMeaning && a != "" && b != "" {
			return "the methods, names or errors of its sequences are not this command's, so that its inputs are other calls now"
		} else if a != b {
			return differ(what, a, b)
		}
	}
	return ""
}

func differ(what, stored, asked string) string {
	return fmt.Sprintf("its %s is %s, and this command's is %s", what, orNone(stored), orNone(asked))
}

func set(words []string) string {
	words = slices.Clone(words)
	slices.Sort(words)
	return strings.Join(slices.Compact(words), ", ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// Limits bound one run of a program and one input. Zero is the default of the engine.
type Limits struct {
	MaxBytes    int   `json:"max_bytes,omitempty"`
	TimeoutMS   int64 `json:"timeout_ms,omitempty"`
	MemoryBytes int64 `json:"memory_bytes,omitempty"`
}

// Config is a campaign as campaign.json describes it. Everything but the identity may change from one invocation to
// the next; the file holds the last one's.
type Config struct {
	Version    int               `json:"version"`
	Target     string            `json:"target"`
	Identity   Identity          `json:"identity"`
	Seeds      []uint64          `json:"seeds"` // of randomness: this invocation's last, those of earlier ones before it
	Guidance   []string          `json:"guidance,omitempty"`
	Schedule   string            `json:"schedule,omitempty"`
	Mutators   string            `json:"mutators,omitempty"`
	Parallel   int               `json:"parallel,omitempty"`
	Limits     Limits            `json:"limits"`
	Dir        string            `json:"-"`                    // where the command was given (place.go)
	SeedPaths  []string          `json:"seed_paths,omitempty"` // --seeds
	Dictionary string            `json:"dictionary,omitempty"` // --dict
	Go         string            `json:"go,omitempty"`         // toolchain that built the programs
	Tool       string            `json:"tool,omitempty"`       // version of parallax
	Options    map[string]string `json:"options,omitempty"`    // whatever else, by flag
	Module     *Module           `json:"module,omitempty"`     // that Dir lies in; only in the file

	text []byte // of the file
}

// continuedBy is the configuration of a resumed campaign: the new invocation's, with the history of seeds.
func (c Config) continuedBy(next Config) Config {
	seeds := slices.Concat(c.Seeds, next.Seeds)
	// An invocation with the seed of the one before adds nothing to know.
	next.Seeds = slices.Compact(seeds)
	return next
}

func (c Config) encode() []byte {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		panic(err) // strings and integers always marshal
	}
	return append(data, '\n')
}

// readConfig returns nil when dir holds no campaign.json.
func readConfig(fsys FS, dir string) (*Config, error) {
	path := filepath.Join(dir, configFile)
	data, err := fsys.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		if info, statErr := fsys.Stat(dir); statErr == nil && !info.IsDir() {
			return nil, exit.Usage("%s is a file: choose a folder with --out", dir)
		}
		return nil, infra("read", path, err)
	}
	c, err := parseConfig(data)
	if err == nil {
		c.text = data
		c.found(fsys, dir)
		return c, nil
	}
	var newer newerError
	if errors.As(err, &newer) {
		return nil, exit.Usage("a newer parallax wrote %s (format %d, this one reads %d): use that parallax, or choose another folder with --out", path, int(newer), ConfigVersion)
	}
	return nil, exit.Usage("%s is corrupt: %w: restore it, or start again in another folder with --out and --seeds %s (corpus and findings are still there)", path, err, filepath.Join(dir, corpusDir))
}

// newerError is the version of a campaign.json that this tool does not know.
type newerError int

func (e newerError) Error() string { return fmt.Sprintf("format %d", int(e)) }

// parseConfig reads campaign.json; keys that it does not know are skipped.
func parseConfig(data []byte) (*Config, error) {
	// The version first: the rest may have changed beyond what can be read.
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	switch {
	case head.Version > ConfigVersion:
		return nil, newerError(head.Version)
	case head.Version < 1:
		return nil, errors.New("it has no version")
	}
	var c Config
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, err
	}
	if c.Identity.Mode == "" || len(c.Identity.Programs) == 0 {
		return nil, errors.New("it names no programs")
	}
	return &c, nil
}
