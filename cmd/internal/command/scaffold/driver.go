package scaffold

import (
	"embed"
	"path"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/spdx"
	"parallax/drivers"
)

// language is a language with a driver, and an example of a function in it.
type language struct {
	name    string
	drivers []string // in drivers/, by folder
	function,
	build, // a command to run first; empty means none
	command string // of the program, as in parallax.toml
	coverage string // a comment of the program
}

var languages = []language{
	{"python", []string{"parallax_driver.py", "parallax_cover.py"}, "parse.py", "",
		`["python3", "parallax_driver.py", "./parse.py:parse"]`, "parallax_cover.py finds the blocks that an input executes, and stays in the driver's folder."},
	{"node", []string{"driver.mjs", "cover.mjs"}, "parse.mjs", "",
		`["node", "driver.mjs", "./parse.mjs"]`, "cover.mjs finds the blocks that an input executes, and stays in the driver's folder."},
	{"java", []string{"Driver.java"}, "Parse.java", "javac Driver.java Parse.java",
		`["java", "-XX:-UsePerfData", "-cp", ".", "Driver", "Parse.parse"]`, ""},
	{"perl", []string{"driver.pl"}, "Parse.pm", "", `["perl", "driver.pl", "./Parse.pm", "Parse::parse"]`, ""},
	{"c", []string{"driver.c"}, "parse.c",
		"cc -O1 -DFEATURES=65536 -c driver.c && cc -O1 -g -fsanitize-coverage=trace-pc -c parse.c && cc -o parse-c driver.o parse.o",
		`["./parse-c"]`, "-fsanitize-coverage and FEATURES are for coverage."},
}

// Languages returns the names of the languages with a driver.
func Languages() (names []string) {
	for _, l := range languages {
		names = append(names, l.name)
	}
	return names
}

//go:embed functions
var functions embed.FS

const driverConfig = `# The programs that parallax compares: parallax diff FILE
# parallax help configuration explains every key.
version = 1

[input]
seeds = "SEEDS"

[compare]
layers = ["verdict"]            # accepted or rejected; add "value" to compare values

# An input whose outcome is known. If a program has another outcome, nothing is fuzzed.
[[control]]
text = "42"
expect = "accepted"

[[control]]
text = "x"
expect = "rejected"

[[program]]
name = "go"
kind = "go"
function = "strconv.Atoi"
`

// driverSeeds holds the files of seeds. Most languages accept the second one, and Go does not.
var driverSeeds = []file{{"number.txt", "-12345"}, {"space.txt", " 42"}}

// Drivers writes the drivers of languages, an example function for each, and a configuration that
// compares them. It overwrites no file. For an existing configuration, the result shows the tables
// to add.
func Drivers(dir, name string, wanted []string) (*Result, error) {
	e := example{text: driverConfig, seeds: driverSeeds}
	var build []string
	for _, want := range wanted {
		at := slices.IndexFunc(languages, func(l language) bool { return l.name == want })
		if at < 0 {
			return nil, exit.Usage("there is no driver for %q: choose among %s (parallax help driver-protocol has the protocol for others)", want, strings.Join(Languages(), ", "))
		}
		l := &languages[at]
		for _, driver := range l.drivers {
			text, err := drivers.Files.ReadFile(path.Join(l.name, driver))
			if err != nil {
				return nil, err
			}
			e.files = append(e.files, file{driver, string(spdx.Mark(driver, text))})
		}
		text, err := functions.ReadFile(path.Join("functions", l.function))
		if err != nil {
			return nil, err
		}
		e.files = append(e.files, file{l.function, string(text)})
		if l.coverage != "" {
			e.programs += "\n# " + l.coverage
		}
		if l.build != "" {
			e.programs += "\n# Build it first: " + l.build
			build = append(build, l.build)
		}
		e.programs += "\n[[program]]\nname = \"" + l.name + "\"\nkind = \"persistent\"\ncommand = " + l.command + "\n"
	}
	e.text += e.programs
	return e.write(dir, name, build)
}
