package dynamic

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/exit"
	"parallax/cmd/internal/extract"
	"parallax/cmd/internal/model/scope"
	"parallax/internal/atomicfile"
)

// The files of a campaign, in a folder of its own.
const (
	ConfigFile   = "parallax.toml"
	functionFile = "function.json"
	scopeFile    = "scope.json"
	seedsDir     = "seeds"
)

// Prepare finds the scope of a function's model, and writes the files by which the kind dynamic runs both sides.
func Prepare(ctx context.Context, f *Function, ask Asker, dir, target string, o Options) (*Sampled, error) {
	found, err := Find(ctx, f, ask, o)
	if err != nil {
		return nil, err
	}
	return found, found.write(f, dir, target)
}

func (s *Sampled) write(f *Function, dir, target string) error {
	folder := filepath.Join(dir, seedsDir)
	if err := os.RemoveAll(folder); err != nil { // of other samples
		return exit.Infra("%w", atomicfile.Explain("remove", folder, err))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return exit.Infra("%w", atomicfile.Explain("create", folder, err))
	}
	for i, flat := range s.Seeds {
		path := filepath.Join(folder, fmt.Sprintf("%03d", i))
		if err := atomicfile.Write(atomicfile.OS, path, flat); err != nil {
			return exit.Infra("%w", atomicfile.Explain("write", path, err))
		}
	}
	text := fmt.Sprintf(`# Made by parallax model. Compare two programs on calls of %[1]s: what the language does, and what the engine's model says.
version = 1
name = %[2]s

[input]
seeds = ["seeds"]

[[program]]
name = "original"
kind = "dynamic"
function = %[3]s
side = "original"

[[program]]
name = %[4]s
kind = "dynamic"
function = %[3]s
side = "model"
scope = %[5]s
`, f.Function, toml(target), toml(functionFile), toml(f.Engine), toml(scopeFile))
	for _, file := range []struct {
		name  string
		write func(path string) error
	}{
		{functionFile, f.Write},
		{scopeFile, s.Scope.Write},
		{ConfigFile, func(path string) error { return atomicfile.Write(atomicfile.OS, path, []byte(text)) }},
	} {
		path := filepath.Join(dir, file.name)
		if err := file.write(path); err != nil {
			return exit.Infra("%w", atomicfile.Explain("write", path, err))
		}
	}
	return nil
}

// toml is a string of TOML.
func toml(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// Judge confirms what a campaign finds, by fresh processes of both sides.
type Judge struct {
	function *Function
	scope    *scope.Scope
	ask      Asker // for calls that decide about cells
	fresh    func() (Asker, func())
	options  Options

	Err error // an engine that cannot be had: nothing can be confirmed

	by    map[string]*tally // by bucket
	cells map[uint64]string // that samples had not seen: why they are out of scope, or ""
	known map[string]string // by call: why it is no finding
	lines []string          // for people
}

type tally struct {
	confirmed bool
	refused   int
	why       string
}

// outside begins why a call is out of scope.
const outside = "out of scope: "

// Outside reports whether that is why an input is no finding.
func Outside(why string) bool { return strings.HasPrefix(why, outside) }

// patience is how many deviations of a bucket are asked about of which none was confirmed: a fresh process takes seconds.
const patience = 4

// NewJudge makes a judge. fresh starts an engine of its own, and returns what ends it.
func NewJudge(f *Function, s *scope.Scope, ask Asker, fresh func() (Asker, func()), o Options) *Judge {
	return &Judge{function: f, scope: s, ask: ask, fresh: fresh, options: o, by: map[string]*tally{}, cells: map[uint64]string{}, known: map[string]string{}}
}

// Why says why an input of a bucket is no finding; "": it is one. An error says that nobody could tell.
func (j *Judge) Why(ctx context.Context, bucket string, flat []byte) (string, error) {
	t := j.by[bucket]
	if t == nil {
		t = &tally{}
		j.by[bucket] = t
	}
	if !t.confirmed && t.refused >= patience {
		return t.why, nil
	}
	call := j.function.Decode(flat)
	name := string(call.JSON())
	why, there := j.known[name]
	if !there {
		var err error
		if why, err = j.confirm(ctx, call, flat); err != nil {
			if ctx.Err() == nil {
				j.Err = err
			}
			return "", err
		}
		j.known[name] = why
		quoted := j.function.Quote(call)
		if why == "" {
			j.lines = append(j.lines, "  confirmed: "+quoted+"\n    by a fresh process of both sides\n")
		} else {
			j.lines = append(j.lines, "  not confirmed: "+quoted+": "+why+"\n")
		}
	}
	if why == "" {
		t.confirmed = true
	} else {
		t.refused, t.why = t.refused+1, why
	}
	return why, nil
}

// confirm asks a fresh process of the engine, the original first, so that nothing which the engine does can change it.
func (j *Judge) confirm(ctx context.Context, call Call, flat []byte) (why string, err error) {
	ask, end := j.fresh()
	defer end()
	list := []json.RawMessage{call.JSON()}
	right, err := ask.Calls(ctx, j.function.Function, extract.OfOriginal, list)
	if err != nil {
		return "", err
	}
	said, err := ask.Calls(ctx, j.function.Function, extract.OfModel, list)
	if err != nil {
		return "", err
	}
	if !Comparable(right[0]) {
		return "the original: " + Text(right[0]), nil
	}
	if kind := Compare(right[0], said[0]); kind != scope.Wrong {
		return fmt.Sprintf("%s, asked for this call alone: %s: %s", j.function.Engine, kind, Text(said[0])), nil
	}
	k := Key(call, right[0])
	if p := j.scope.Find(k); p != nil { // the program of the model has looked
		return "", nil
	}
	why, there := j.cells[k]
	if !there {
		p, err := Around(ctx, j.function, j.ask, flat, j.options)
		if err != nil {
			return "", err
		}
		if p != nil && !p.InScope {
			why = outside + p.Why
		}
		j.cells[k] = why
	}
	return why, nil
}

// Explain lists the cells, and what was confirmed or not.
func (j *Judge) Explain() string {
	text := Explain(j.scope)
	for _, l := range j.lines {
		text += l
	}
	return text
}
