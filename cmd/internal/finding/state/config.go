package state

import (
	"crypto/sha256"
	"encoding/hex"
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

// ConfigVersion is the format of campaign.json. A change that older tools must not overwrite needs
// a new version; a new key does not.
const ConfigVersion = 1

// Program is one resolved program.
type Program struct {
	Name     string `json:"name"`
	Function string `json:"function"`          // import/path.Func
	Module   string `json:"module,omitempty"`  // that holds the function
	Version  string `json:"version,omitempty"` // of the module; empty for the user's own code
	// The rest is known if programs do not share a worker.
	Kind      string `json:"kind,omitempty"`      // command, persistent, http; empty for a Go function
	Toolchain string `json:"toolchain,omitempty"` // Go version that builds the function, if it is not that of PATH
}

func (p Program) String() string {
	if p.Version != "" {
		return p.Function + "@" + p.Version
	}
	return p.Function
}

// regressMode is the mode of campaigns on two versions. A resumed one executes its findings again.
const regressMode = "regress"

// modelMode is the mode of campaigns on models. sequenceMeaning is the key of the options that
// define which calls an input encodes.
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
	// Options of a configuration that define how answers are read, such as "normalizers of jq".
	Meaning map[string]string `json:"meaning,omitempty"`
}

// Names returns the names of the programs.
func (id Identity) Names() []string {
	var names []string
	for _, p := range id.Programs {
		names = append(names, p.Name)
	}
	return names
}

// Difference names the first difference that makes other another campaign. Empty means the same
// campaign. The order of programs counts, since hashes of tuples depend on it; that of layers does
// not.
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
		if id.Mode == regressMode { // the versions change from one commit to the next
			a.Version, b.Version = "", ""
		}
		if id.Mode == modelMode { // the description of a model after its function changes when the model does
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
	if a, b := id.Meaning["generator"], other.Meaning["generator"]; a != b { // the generator defines the meaning of an input
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

// Key returns a hash of what Difference compares. Campaigns with one key can exchange inputs.
func (id Identity) Key() string {
	id.Compare = strings.Split(set(id.Compare), ", ")
	id.Programs = slices.Clone(id.Programs)
	for i := range id.Programs {
		p := &id.Programs[i]
		if id.Mode == regressMode {
			p.Version = ""
		}
		if id.Mode == modelMode {
			p.Function, _, _ = strings.Cut(p.Function, " (")
		}
	}
	data, err := json.Marshal(id)
	if err != nil {
		panic(err) // strings always marshal
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// MeaningDifference returns the first difference between the options that define how answers are
// read.
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

// Limits bound one run of a program and one input. Zero means the default of the engine.
type Limits struct {
	MaxBytes    int   `json:"max_bytes,omitempty"`
	TimeoutMS   int64 `json:"timeout_ms,omitempty"`
	MemoryBytes int64 `json:"memory_bytes,omitempty"`
}

// Config is a campaign as campaign.json describes it. All but the identity may change between
// invocations; the file holds the last one's.
type Config struct {
	Version    int               `json:"version"`
	Target     string            `json:"target"`
	Identity   Identity          `json:"identity"`
	Seeds      []uint64          `json:"seeds"` // of randomness, of all invocations; the last one is current
	Guidance   []string          `json:"guidance,omitempty"`
	Schedule   string            `json:"schedule,omitempty"`
	Mutators   string            `json:"mutators,omitempty"`
	Parallel   int               `json:"parallel,omitempty"`
	Limits     Limits            `json:"limits"`
	Dir        string            `json:"-"`                    // working directory of the command (place.go)
	SeedPaths  []string          `json:"seed_paths,omitempty"` // --seeds
	Dictionary string            `json:"dictionary,omitempty"` // --dict
	Go         string            `json:"go,omitempty"`         // toolchain that built the programs
	Tool       string            `json:"tool,omitempty"`       // version of parallax
	Options    map[string]string `json:"options,omitempty"`    // all other flags
	Module     *Module           `json:"module,omitempty"`     // the module that holds the working directory; only in the file

	text []byte // of the file
}

// resumedBy returns the configuration of a resumed campaign: the new invocation's, with the seeds
// of both.
func (c Config) resumedBy(next Config) Config {
	seeds := slices.Concat(c.Seeds, next.Seeds)
	// An invocation with the previous seed adds no entry.
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

// readConfig returns nil if dir holds no campaign.json.
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
		c.makeAbsolute(fsys, dir)
		return c, nil
	}
	var newer newerError
	if errors.As(err, &newer) {
		return nil, exit.Usage("a newer parallax wrote %s (format %d, this one reads %d): use that parallax, or choose another folder with --out", path, int(newer), ConfigVersion)
	}
	return nil, exit.Usage("%s is corrupt: %w: restore it, or start again in another folder with --out and --seeds %s (corpus and findings are still there)", path, err, filepath.Join(dir, corpusDir))
}

// newerError is an unknown version of campaign.json.
type newerError int

func (e newerError) Error() string { return fmt.Sprintf("format %d", int(e)) }

// parseConfig reads campaign.json and skips unknown keys.
func parseConfig(data []byte) (*Config, error) {
	// The version comes first: the rest may be unreadable.
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
