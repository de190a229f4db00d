package extract

import (
	"embed"
	"encoding/hex"
	"slices"
	"strings"
)

// row describes an engine.
type row struct {
	name     string
	packages string   // for pip, at the version
	module   string   // imported as a check of the installation
	pythons  []string // interpreters that it runs on, the best first
	// approximate size of a version on disk, for the message before the installation
	megabyte int
	adapter  []string // files of the folder adapter; the first is run
	values   bool     // its models take values of a language: see Values
}

// table lists the engines.
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

// prototypes holds C declarations of functions that an engine models without a prototype, in a file
// per engine.
//
//go:embed prototypes/*.txt
var prototypes embed.FS

// Declaration is parallax's own declaration of a function that an engine models.
type Declaration struct {
	Text string        // in C
	Held map[int]Value // arguments that have one value, such as a format
}

// Declared returns parallax's declarations for an engine, by function.
func Declared(engine string) map[string]Declaration {
	text, err := prototypes.ReadFile("prototypes/" + engine + ".txt")
	if err != nil {
		return nil
	}
	all := map[string]Declaration{}
	for line := range strings.Lines(string(text)) {
		if name := NameOf(line); name != "" && !strings.HasPrefix(line, "#") {
			all[name] = declaration(strings.TrimSpace(line))
		}
	}
	return all
}

// declaration reads a declaration in C. A parameter may have the text that it points to, after an
// equals sign.
func declaration(line string) (d Declaration) {
	params := strings.Split(line, ",")
	for i, p := range params {
		before, after, ok := strings.Cut(p, ` = "`)
		if !ok {
			continue
		}
		value, rest, _ := strings.Cut(after, `"`)
		if d.Held == nil {
			d.Held = map[int]Value{}
		}
		d.Held[i] = Value{Hex: hex.EncodeToString(append([]byte(value), 0))}
		params[i] = before + rest
	}
	d.Text = strings.Join(params, ",")
	return d
}

// Serves reports whether the declaration is used for a function. It is if the engine has none, or
// one of a variable number of arguments. Then the declaration holds the format.
func (d Declaration) Serves(l Listed) bool {
	return d.Text != "" && (l.Prototype == "" || l.Reason != "" && d.Held != nil)
}

// NameOf returns the name of the function that a C declaration declares, or "" if there is none.
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

// Engines returns the names of the engines.
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
