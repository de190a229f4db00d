package exchange

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/corpus"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/finding/state"
	"parallax/internal/atomicfile"
)

// A shelf holds the inputs of others in the campaign's folder, and the member's memory:
//
//	peers/state.json            memory
//	peers/inputs/<hash>-<from>  received inputs that wait for execution
//	peers/claims/<hash>-<from>  the same for inputs of findings
//	peers/seen/<hash>-<from>    inputs that showed nothing new here
//	peers/claimed/<hash>-<from> executed inputs of findings, whatever they showed here
//	peers/quarantine/...        inputs on which workers died too often
//
// Inputs that showed something new are in the corpus instead. A file moves by renaming, so that a
// kill loses none.
type shelf struct {
	fs  atomicfile.FS
	dir string
	at  map[string]spot // by hash
}

// spot is where an input is.
type spot struct {
	place place
	from  string
}

// place is a folder of the shelf.
type place string

const (
	inputs     place = "inputs"
	claims     place = "claims"
	seen       place = "seen"
	claimed    place = "claimed"
	quarantine place = "quarantine"
)

// places are the folders of the shelf. Those with inputs to be executed come first.
var places = []place{claims, inputs, seen, claimed, quarantine}

const stateFile = "state.json"

// Memory is the state of a member between runs. Losing it costs time only: inputs are received
// again and recognized by their hashes.
type Memory struct {
	Version int            `json:"version"`          // of the format
	Member  string         `json:"member"`           // the member's name
	Build   string         `json:"build"`            // of the programs that executed the seen inputs
	Inputs  Position       `json:"inputs"`           // in the stream of inputs
	Finds   Position       `json:"finds"`            // in the stream of findings
	Deaths  map[string]int `json:"deaths,omitempty"` // of workers, by the hash of the input
}

// Position is a place in a stream of a hub: the last message that is on the shelf.
type Position struct {
	Epoch   string `json:"epoch"`   // the time at which the server made the stream
	Seq     uint64 `json:"seq"`     // the number of the message
	Subject string `json:"subject"` // of the message, to notice another one with its number
}

func openShelf(fsys atomicfile.FS, folder string) (*shelf, error) {
	s := &shelf{fs: fsys, dir: filepath.Join(folder, state.PeersDir), at: map[string]spot{}}
	for _, of := range places {
		dir := s.path(of)
		if err := fsys.MkdirAll(dir, 0o755); err != nil {
			return nil, exit.Infra("%w", atomicfile.Explain("create", dir, err))
		}
		_ = atomicfile.Clean(fsys, dir) // leftover files do no harm
	}
	_ = atomicfile.Clean(fsys, s.dir)
	return s, nil
}

func (s *shelf) path(of place, elem ...string) string {
	return filepath.Join(append([]string{s.dir, string(of)}, elem...)...)
}

// file returns the name of an input's file.
func (s *shelf) file(hash string) string {
	at := s.at[hash]
	return s.path(at.place, hash+"-"+at.from)
}

// list reads the names in a folder of the shelf, sorted.
func (s *shelf) list(of place) (hashes []string, err error) {
	entries, err := s.fs.ReadDir(s.path(of))
	if err != nil {
		return nil, exit.Infra("%w", atomicfile.Explain("read", s.path(of), err))
	}
	for _, e := range entries {
		hash, from, ok := strings.Cut(e.Name(), "-")
		if !ok || !corpus.IsHash(hash) {
			continue
		}
		s.at[hash] = spot{of, from}
		hashes = append(hashes, hash)
	}
	slices.Sort(hashes)
	return hashes, nil
}

// has reports whether an input is on the shelf.
func (s *shelf) has(hash string) bool { _, ok := s.at[hash]; return ok }

// put writes an input.
func (s *shelf) put(of place, hash, from string, file []byte) error {
	s.at[hash] = spot{of, from}
	if err := atomicfile.Write(s.fs, s.file(hash), file); err != nil {
		delete(s.at, hash)
		return exit.Infra("%w", err)
	}
	return nil
}

// read returns an input. It returns no place if the input is not there, or is damaged.
func (s *shelf) read(hash string) (file []byte, of place, from string, err error) {
	at, ok := s.at[hash]
	if !ok {
		return nil, "", "", nil
	}
	file, err = s.fs.ReadFile(s.file(hash))
	if errors.Is(err, fs.ErrNotExist) || err == nil && corpus.Hash(file) != hash {
		return nil, "", "", s.remove(hash)
	}
	if err != nil {
		return nil, "", "", exit.Infra("%w", atomicfile.Explain("read", s.file(hash), err))
	}
	return file, at.place, at.from, nil
}

// move moves an input that is on the shelf.
func (s *shelf) move(hash string, to place) error {
	at, ok := s.at[hash]
	if !ok || at.place == to {
		return nil
	}
	err := s.fs.Rename(s.file(hash), s.path(to, hash+"-"+at.from))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return exit.Infra("%w", atomicfile.Explain("move", s.file(hash), err))
	}
	s.at[hash] = spot{to, at.from}
	return nil
}

// moveAll moves all inputs of a folder.
func (s *shelf) moveAll(from, to place) error {
	list, err := s.list(from)
	for _, hash := range list {
		if err == nil {
			err = s.move(hash, to)
		}
	}
	return err
}

// remove removes an input.
func (s *shelf) remove(hash string) error {
	if !s.has(hash) {
		return nil
	}
	path := s.file(hash)
	delete(s.at, hash)
	if err := s.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return exit.Infra("%w", atomicfile.Explain("remove", path, err))
	}
	return nil
}

// load reads the memory. A damaged one is a problem, and starts empty.
func (s *shelf) load() (m Memory, problem string) {
	path := filepath.Join(s.dir, stateFile)
	data, err := s.fs.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		m, problem = Memory{}, path+": "+err.Error()+": inputs of others are received again"
	}
	if m.Deaths == nil {
		m.Deaths = map[string]int{}
	}
	m.Version = 1
	return m, problem
}

func (s *shelf) save(m Memory) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // strings and integers always marshal
	}
	if err := atomicfile.Write(s.fs, filepath.Join(s.dir, stateFile), append(data, '\n')); err != nil {
		return exit.Infra("%w", err)
	}
	return nil
}
