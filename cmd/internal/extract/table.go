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
