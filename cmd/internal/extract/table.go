package extract

import (
	"embed"
	"slices"
	"strings"
)

// row is what parallax knows of an engine.
type row struct {
	name     string
	packages string   // what pip installs, at the version
	module   string   // what is imported to see that it works
	pythons  []string // interpreters that it runs on, the best first
	megabyte int      // about what a version takes on disk, for the message before it is installed
	adapter  []string // files of the folder adapter; the first is run
	values   bool     // its models take values of a language: see Values
}

// table has the engines.
var table = []row{
	{
		name:     "angr",
		packages: "angr",
		module:   "angr",
		pythons:  []string{"python3.11", "python3.12", "python3.10", "python3.13", "python3"},
		megabyte: 440,
		adapter:  []string{"angr_models.py", "angr_types.py", "claripy_smt.py", "protocol.py"},
	},
	{
		name:     "crosshair",
		packages: "crosshair-tool",
		module:   "crosshair.core_and_libs",
		pythons:  []string{"python3.11", "python3.12", "python3.13", "python3.10", "python3"},
		megabyte: 130,
		adapter:  []string{"crosshair_models.py", "crosshair_engine.py", "python_calls.py", "protocol.py"},
		values:   true,
	},
}

// prototypes has C declarations of functions of which an engine has a model and no prototype, in a file of the engine's name.
//
//go:embed prototypes/*.txt
var prototypes embed.FS

// Declared are the declarations that parallax has for an engine, by function.
func Declared(engine string) map[string]string {
	text, err := prototypes.ReadFile("prototypes/" + engine + ".txt")
	if err != nil {
		return nil
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name := NameOf(line); name != "" && !strings.HasPrefix(line, "#") {
			all[name] = strings.TrimSpace(line)
		}
	}
	return all
}

// NameOf is the name of the function that a C declaration declares: what is before its arguments; "": there is none.
func NameOf(declaration string) string {
	before, after, ok := strings.Cut(declaration, "(")
	words := strings.FieldsFunc(before, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
	})
	if !ok || len(words) < 2 || !strings.Contains(after, ")") {
		return ""
	}
	return words[len(words)-1]
}

//go:embed adapter/*.py
var adapters embed.FS

// Engines are the names of the engines.
func Engines() (names []string) {
	for _, r := range table {
		names = append(names, r.name)
	}
	return names
}

func engine(name string) (row, error) {
	i := slices.IndexFunc(table, func(r row) bool { return r.name == name })
	if i < 0 {
		return row{}, fault(ErrUnknownEngine, nil, "there is no engine %q: the engines are %s", name, strings.Join(Engines(), ", "))
	}
	return table[i], nil
}
