// Package accept owns parallax-accepted.toml, the file next to a target that lists known and
// intended differences. `parallax accept` adds entries; a campaign does not count differences with
// an entry as findings.
//
//	version = 1
//
//	[[accepted]]
//	bucket = "0123456789ab"
//	programs = ["a", "b"]
//	outcomes = { a = "accepted", b = "rejected" }
//	reason = "b implements the older RFC"
//	input = "eyJhIjox"             # base64 of the input's file form; campaigns run it to see if the entry still holds
//	location = "parse.go:12"
//	target = "FuzzParse"           # the target with the difference; without it, any target with these programs
//	change = "0123456789ab"        # between versions, the attributed change: the entry does not hold for other changes
//	kind = "crash"                 # of a failure, and if the input shows several findings: the kind,
//	program = "a"                  # and of a failure the program that fails
//	variants = ["0123456789ab"]    # of the bucket at acceptance, MaxVariants at most; others are later ones
//	count = 17                     # of a failure, which has no variants: its inputs at acceptance
//
// The format is TOML because people edit, review and comment on it. Invariants:
//   - Add keeps all bytes of the file and appends, so comments, order and layout stay; Widen
//     changes the lines variants and count;
//   - unknown keys are errors, since a misspelt key would silently accept another difference; every
//     error has file:line;
//   - a write replaces the whole file or fails.
package accept

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding/causes"
	"parallax/internal/atomicfile"
	"parallax/internal/oracle"
)

// FileName is the file's name next to a target.
const FileName = "parallax-accepted.toml"

// Version is the format that this package reads and writes.
const Version = 1

// MaxVariants bounds the variants of an entry, like those of a bucket.
const MaxVariants = 100

// Entry is one accepted difference.
type Entry struct {
	Bucket   string
	Programs []string
	Outcomes map[string]string // by program
	Reason   string
	Input    []byte // in file form
	Location string
	Target   string   // accepts nothing in other targets; empty means any with these programs
	Change   string   // between versions, the hash of the change; empty for other targets
	Kind     string   // the kind of the finding, if it is a failure or its input shows several; empty means the first
	Program  string   // of a failure among these, the program that fails
	Layer    string   // of a disagreement, if its input may show others; empty means the first
	Variants []string // of the bucket at acceptance; nil means unknown
	Count    uint64   // inputs of a failure's bucket at acceptance; 0 if unknown
	Seed     bool     // a seed showed the failure at acceptance
	Line     int      // in the file
}

// File is the content of a file.
type File struct {
	Path    string
	Entries []Entry
}

// Find returns the first entry of a bucket.
func (f *File) Find(bucket string) (Entry, bool) {
	for _, e := range f.Entries {
		if e.Bucket == bucket {
			return e, true
		}
	}
	return Entry{}, false
}

// For returns the file with the entries for a target and its programs, in any versions. These are
// the entries of the target and those of any target; the target's own come first. They name the
// programs as the target does.
func (f *File) For(target string, programs []string) *File {
	of := &File{Path: f.Path}
	for _, e := range f.Entries {
		if (e.Target == "" || e.Target == target) && (e.Programs == nil || samePrograms(e.Programs, programs)) {
			of.Entries = append(of.Entries, e.named(programs))
		}
	}
	slices.SortStableFunc(of.Entries, func(a, b Entry) int { return -strings.Compare(a.Target, b.Target) })
	return of
}

// named returns the entry with the target's names of the programs.
func (e Entry) named(programs []string) Entry {
	if e.Programs == nil || slices.Equal(e.Programs, programs) {
		return e
	}
	was, outcomes := e.Programs, map[string]string{}
	for i, name := range was {
		if o, ok := e.Outcomes[name]; ok {
			outcomes[programs[i]] = o
		}
	}
	if at := slices.Index(was, e.Program); at >= 0 {
		e.Program = programs[at]
	}
	e.Programs, e.Outcomes = slices.Clone(programs), outcomes
	return e
}

// samePrograms reports whether two lists name the same programs, in any versions.
func samePrograms(a, b []string) bool {
	return slices.EqualFunc(a, b, func(a, b string) bool { return causes.Unversioned(a) == causes.Unversioned(b) })
}

// Same reports whether two entries accept a bucket in one target for one input. A bucket may have
// entries of several targets, and a second entry if the input of the first no longer shows it.
func (e Entry) Same(other Entry) bool {
	return e.Bucket == other.Bucket && e.Target == other.Target && samePrograms(e.Programs, other.Programs) && bytes.Equal(e.Input, other.Input)
}

// Load reads the file at path. A missing file accepts nothing. Errors have exit code 2, those of
// the disk 4.
func Load(path string) (*File, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	entries, err := parse(data)
	if err != nil {
		return nil, describe(path, err)
	}
	return &File{Path: path, Entries: entries}, nil
}

// read returns nil for a missing file.
func read(path string) ([]byte, error) {
	data, err := corpus.ReadFile(path)
	var unfit corpus.UnusableError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.As(err, &unfit):
		return nil, exit.Usage("accepted differences: %w", err)
	case err != nil:
		return nil, exit.Infra("%w", atomicfile.Explain("read", path, err))
	}
	return data, nil
}

// lineError is a mistake in a line of the file. Line 0 means the whole file.
type lineError struct {
	line int
	text string
}

func (e lineError) Error() string { return e.text }

func describe(path string, err error) error {
	var line lineError
	if errors.As(err, &line) && line.line > 0 {
		return exit.Usage("%s:%d: %w", path, line.line, err)
	}
	return exit.Usage("%s: %w", path, err)
}

// document is the file's layout. The types of its fields check values where the decoder knows the
// line.
type document struct {
	Version  int             `toml:"version"`
	Accepted []acceptedTable `toml:"accepted"`
}

type acceptedTable struct {
	Bucket   string             `toml:"bucket"`
	Programs []string           `toml:"programs"`
	Outcomes map[string]outcome `toml:"outcomes"`
	Reason   string             `toml:"reason"`
	Input    encoded            `toml:"input"`
	Location string             `toml:"location"`
	Target   string             `toml:"target"`
	Change   string             `toml:"change"`
	Kind     string             `toml:"kind"`
	Program  string             `toml:"program"`
	Layer    string             `toml:"layer"`
	Variants []string           `toml:"variants"`
	Count    uint64             `toml:"count"`
	Seed     bool               `toml:"seed"`
}

type outcome struct{ word string }

func (o *outcome) UnmarshalText(text []byte) error {
	_, err := oracle.ParseOutcome(string(text))
	o.word = string(text)
	return err
}

type encoded struct{ data []byte }

func (e *encoded) UnmarshalText(text []byte) error {
	data, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil {
		return errors.New("input is not base64")
	}
	e.data = data
	return nil
}

// parse reads the content of a file, nil for a missing one.
func parse(data []byte) ([]Entry, error) {
	if data == nil {
		return nil, nil
	}
	var doc document
	dec := toml.NewDecoder(bytes.NewReader(data))
	if err := dec.DisallowUnknownFields().Decode(&doc); err != nil {
		// Check for a newer format first: it may have the unknown keys.
		if v := version(data); v > Version {
			return nil, newer(v)
		}
		return nil, located(err)
	}
	switch {
	case doc.Version > Version:
		return nil, newer(doc.Version)
	case doc.Version != Version:
		return nil, lineError{1, fmt.Sprintf("version = %d is missing", Version)}
	}
	lines := tableLines(data)
	var entries []Entry
	for i, t := range doc.Accepted {
		e := t.entry()
		if i < len(lines) {
			e.Line = lines[i]
		}
		if e.Bucket == "" {
			return nil, lineError{e.Line, "[[accepted]] has no bucket"}
		}
		if at := slices.IndexFunc(entries, e.Same); at >= 0 {
			return nil, lineError{e.Line, fmt.Sprintf("bucket %q is already accepted in line %d: remove one of the two", e.Bucket, entries[at].Line)}
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func (t acceptedTable) entry() Entry {
	e := Entry{Bucket: t.Bucket, Programs: t.Programs, Reason: t.Reason, Input: t.Input.data, Location: t.Location, Target: t.Target, Change: t.Change, Kind: t.Kind, Program: t.Program, Layer: t.Layer, Variants: t.Variants, Count: t.Count, Seed: t.Seed}
	for program, o := range t.Outcomes {
		if e.Outcomes == nil {
			e.Outcomes = map[string]string{}
		}
		e.Outcomes[program] = o.word
	}
	return e
}

func newer(version int) error {
	return lineError{0, fmt.Sprintf("a newer parallax wrote it (format %d, this one reads %d): use that parallax", version, Version)}
}

// version reads only the version. 0 means that it cannot be read.
func version(data []byte) int {
	var head struct {
		Version int `toml:"version"`
	}
	if toml.Unmarshal(data, &head) != nil {
		return 0
	}
	return head.Version
}

// located extracts line and reason from the decoder's error.
func located(err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		e := &strict.Errors[0]
		line, _ := e.Position()
		return lineError{line, fmt.Sprintf("unknown key %q: known are version and, in [[accepted]], bucket, programs, outcomes, reason, input, location, target, change, kind, program, layer, variants and count", strings.Join(e.Key(), "."))}
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		line, _ := decode.Position()
		return lineError{line, strings.TrimPrefix(decode.Error(), "toml: ")}
	}
	return lineError{0, strings.TrimPrefix(err.Error(), "toml: ")}
}

// tableLines returns the lines of the [[accepted]] headers of a document that parses.
func tableLines(data []byte) []int {
	var lines []int
	for _, t := range tables(data) {
		lines = append(lines, t.line)
	}
	return lines
}

// table is the place of an [[accepted]] table in a document.
type table struct {
	line int            // of its header
	last int            // offset of its last key, without those of tables below it
	keys map[string]int // offset of each of these keys
}

// tables returns the [[accepted]] tables of a document that parses.
func tables(data []byte) (list []table) {
	var p unstable.Parser
	p.Reset(data)
	within := false
	for p.NextExpression() {
		e := p.Expression()
		key := e.Key()
		if !key.Next() {
			continue
		}
		name, at := string(key.Node().Data), p.Shape(key.Node().Raw).Start
		switch {
		case e.Kind == unstable.ArrayTable && name == "accepted" && key.IsLast():
			list, within = append(list, table{at.Line, at.Offset, map[string]int{}}), true
		case e.Kind != unstable.KeyValue:
			within = false
		case within:
			t := &list[len(list)-1]
			t.last, t.keys[name] = at.Offset, at.Offset
		}
	}
	return list
}
