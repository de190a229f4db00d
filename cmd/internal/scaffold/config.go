package scaffold

import (
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/internal/atomicfile"
)

// The example compares what everybody has: the verdicts of two readers of JSON. It is there to be changed, so that keys which
// come next stand behind comments.
const (
	exampleConfig = `# What parallax compares: parallax diff FILE
# docs/configuration.md explains every key, docs/comparing-languages.md how to compare programs in several languages.
version = 1

[input]
seeds = "SEEDS"                 # a file or a folder, or a list of them, relative to this file
# dictionary = "tokens.dict"    # words of the format, a line each: "null"
# max_bytes = "4KiB"            # of an input

[compare]
layers = ["verdict"]            # who accepts, who rejects. Then "value", what is accepted with, and "class", why it is rejected
# normalise = ["json"]          # what is done to every value before it is compared

# An input whose outcome is known, for every program. If it comes out otherwise, nothing is fuzzed.
[[control]]
text = '{"a": [1, true, null]}'
expect = "accepted"

[[control]]
text = '{"a": '
expect = "rejected"

# [limits]                      # of every program
# timeout = "2s"
# memory = "1GiB"

# A Go function. It may also be one of a folder, as in function = "./parse.Valid".
[[program]]
name = "go"
kind = "go"
function = "encoding/json.Valid"

# A C or C++ library behind a harness that parallax cc has linked (LLVMFuzzerTestOneInput, docs/c.md): 0 is an acceptance,
# -1 says that the input is none for it, and all else is a rejection.
# [[program]]
# name = "c"
# kind = "c"
# binary = "./harness"

# An executable, started for each input, which it gets on standard input; with {input} among its arguments it gets a file.
# Without exit, 0 is an acceptance and all else a rejection; here what ends Python otherwise is a crash. Starting Python takes
# much longer than reading a short input: a driver of kind "persistent" runs thousands of inputs in that time.
[[program]]
name = "python"
kind = "command"
exit = { accepted = [0], rejected = [3] }
command = ["python3", "-c", '''
import json, sys
try:
    json.load(sys.stdin.buffer)
except ValueError as e:
    print(e, file=sys.stderr)
    sys.exit(3)
''']
`
	exampleSeed = "{\"name\": \"Jörg\", \"tags\": [1, -2.5e3, true, null, \"\"]}\n"
	seedFolder  = "seeds"
	seedName    = "example.json"
)

// Config writes an example of a configuration, and an input for it to begin with. Nothing that exists is overwritten.
func Config(dir, name string) (*Result, error) {
	path := absolute(dir, name)
	s := &scaffold{Options: Options{Dir: dir}, result: &Result{}}
	if !isFolder(filepath.Dir(path)) {
		return nil, exit.Usage("there is no folder %s", s.shown(filepath.Dir(path)))
	}
	if _, err := os.Lstat(path); err == nil {
		return nil, exit.Usage("%s exists already: remove it, or choose another name", s.shown(path))
	}
	// A folder of seeds that is there may be another target's.
	seeds := seedFolder
	if base := strings.TrimSuffix(filepath.Base(path), ".toml"); base != "parallax" {
		seeds = base + "-" + seedFolder
	}
	folder := filepath.Join(filepath.Dir(path), seeds)
	seed := filepath.Join(folder, seedName)
	if _, err := os.Lstat(folder); err == nil && !isFolder(folder) {
		return nil, exit.Usage("%s is no folder, and inputs to begin with go there: move it away, or choose another name for the configuration", s.shown(folder))
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, exit.Infra("writing an input to begin with: %w", err)
	}
	if _, err := os.Lstat(seed); err != nil {
		if err := atomicfile.Write(atomicfile.OS, seed, []byte(exampleSeed)); err != nil {
			return nil, exit.Infra("writing an input to begin with: %w", err)
		}
		s.done("wrote %s, an input to begin with", s.shown(seed))
	}
	text := strings.NewReplacer("FILE", filepath.Base(path), "SEEDS", seeds).Replace(exampleConfig)
	if err := atomicfile.Write(atomicfile.OS, path, []byte(text)); err != nil {
		return nil, exit.Infra("writing the configuration: %w", err)
	}
	s.done("wrote %s with two programs to start from", s.shown(path))
	s.result.Next = []string{"parallax diff " + s.shown(path) + " --fuzztime 30s"}
	return s.result, nil
}
