package scaffold

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/internal/atomicfile"
)

// The example compares the verdicts of two readers of JSON, which most machines have. It is a start
// for changes, so the usual next keys are there as comments.
const (
	exampleConfig = `# What parallax compares: parallax diff FILE
# parallax help configuration explains every key, parallax help comparing-languages how to compare programs in several languages.
#
# The two programs disagree on SEEDS/nan.json: Python reads NaN, which is not JSON.
version = 1

[input]
seeds = "SEEDS"                 # a file or a folder, or a list of them, relative to this file
# dictionary = "tokens.dict"    # tokens of the format, one a line: "null"
# max_bytes = "4KiB"            # of an input

[compare]
layers = ["verdict"]            # accepted or rejected; add "value" to compare values, and "class" to compare classes of errors
# normalize = ["json"]          # changes every value before it is compared

# An input whose outcome is known. If a program has another outcome, nothing is fuzzed.
[[control]]
text = '{"a": [1, true, null]}'
expect = "accepted"

[[control]]
text = '{"a": '
expect = "rejected"

# [limits]                      # of every program
# timeout = "2s"
# memory = "1GiB"

# A Go function. A function of a local folder is named as in function = "./parse.Valid".
[[program]]
name = "go"
kind = "go"
function = "encoding/json.Valid"

# A C or C++ library with a harness that parallax cc has linked (LLVMFuzzerTestOneInput, parallax help c). If the harness returns 0,
# the input is accepted; -1 declines the input, and every other number rejects it.
# [[program]]
# name = "c"
# kind = "c"
# binary = "./harness"

# A driver: a program in another language, which runs one input after another. parallax init --driver writes drivers for five
# languages (parallax help writing-a-driver). This one is here in full: it answers A, accepted, or R, rejected, with the reason.
[[program]]
name = "python"
kind = "persistent"
command = ["python3", "-c", '''
import json, os, struct, sys
answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
answers.write(b"parallax-driver 1 numbers\n")
answers.flush()
for number, header in enumerate(iter(lambda: sys.stdin.buffer.read(4), b"")):
    data = sys.stdin.buffer.read(struct.unpack("<I", header)[0])
    try:
        json.loads(data)
        verdict, text = b"A", b""
    except ValueError as e:
        verdict, text = b"R", str(e).encode()
    answers.write(struct.pack("<IIcI", 9 + len(text), number & 0xFFFFFFFF, verdict, len(text)) + text)
    answers.flush()
''']

# An executable, started for each input, which takes much longer than an input of a driver. It reads the input from standard
# input, or from a file if its arguments have {input}. Without the key exit, exit status 0 accepts the input and every other one
# rejects it. With it, as here, all other exits are crashes.
# [[program]]
# name = "jq"
# kind = "command"
# exit = { rejected = [1, 2, 3, 4, 5] }
# command = ["jq", "."]
`
	seedFolder = "seeds"
)

// exampleSeeds holds the files of seeds. The programs disagree on the second one.
var exampleSeeds = []file{
	{"example.json", "{\"name\": \"Jörg\", \"tags\": [1, -2.5e3, true, null, \"\"]}\n"},
	{"nan.json", "NaN"},
}

// example is a configuration with its seeds and files.
type example struct {
	text         string // FILE represents its name, SEEDS the folder of seeds
	seeds, files []file
	programs     string // the tables of its programs, which can be added to an existing configuration; empty means none
}

// Config writes an example of a configuration, and its first inputs. It overwrites no file.
func Config(dir, name string) (*Result, error) {
	return example{text: exampleConfig, seeds: exampleSeeds}.write(dir, name, nil)
}

// write writes the example. The commands in build precede the campaign.
func (e example) write(dir, name string, build []string) (*Result, error) {
	path := absolute(dir, name)
	s := &scaffold{Options: Options{Dir: dir}, result: &Result{}}
	folder := filepath.Dir(path)
	if !isFolder(folder) {
		return nil, exit.Usage("there is no folder %s", s.shown(folder))
	}
	present := exists(path)
	if present && e.programs == "" {
		return nil, exit.Usage("%s exists already: remove it, or choose another name", s.shown(path))
	}
	if err := s.checkAbsent(folder, e.files); err != nil {
		return nil, err
	}
	if folder != dir {
		for i := range build {
			build[i] = "(cd " + shell.Word(s.shown(folder)) + " && " + build[i] + ")"
		}
	}
	run := "parallax diff " + s.shown(path) + " --fuzztime 30s"
	if present {
		if err := s.put(folder, e.files, "for a program"); err != nil {
			return nil, err
		}
		s.result.Next = slices.Concat([]string{"add to " + s.shown(path) + ":"}, strings.Split(strings.TrimSpace(e.programs), "\n"), build, []string{run})
		return s.result, nil
	}
	// An existing folder of seeds may belong to another target.
	seeds := seedFolder
	if base := strings.TrimSuffix(filepath.Base(path), ".toml"); base != "parallax" {
		seeds = base + "-" + seedFolder
	}
	seedsPath := filepath.Join(folder, seeds)
	if exists(seedsPath) && !isFolder(seedsPath) {
		return nil, exit.Usage("%s is not a folder, and the seeds go there: move it away, or choose another name for the configuration", s.shown(seedsPath))
	}
	if err := os.MkdirAll(seedsPath, 0o777); err != nil {
		return nil, exit.Infra("writing a seed: %w", err)
	}
	absent := slices.DeleteFunc(slices.Clone(e.seeds), func(f file) bool { return exists(filepath.Join(seedsPath, f.name)) })
	if err := s.put(seedsPath, absent, "a seed"); err != nil {
		return nil, err
	}
	if err := s.put(folder, e.files, "for a program"); err != nil {
		return nil, err
	}
	text := strings.NewReplacer("FILE", filepath.Base(path), "SEEDS", seeds).Replace(e.text)
	if err := atomicfile.Write(atomicfile.OS, path, []byte(text)); err != nil {
		return nil, exit.Infra("writing the configuration: %w", err)
	}
	s.done("wrote %s with %d programs", s.shown(path), strings.Count(text, "\n[[program]]"))
	s.result.Next = append(build, run)
	return s.result, nil
}
