package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MetaVersion is the version of the metadata written.
const MetaVersion = 1

// Meta says where an input comes from. It is written once, with the input.
type Meta struct {
	Version   int      `json:"version"`
	Parent    string   `json:"parent,omitempty"`    // hash of the input it was made from; empty for a seed
	Operators []string `json:"operators,omitempty"` // mutators that made it, in order
	Inputs    uint64   `json:"inputs"`              // inputs the campaign had run when it was found
	New       []string `json:"new,omitempty"`       // feature domains in which it was new
	Worker    int      `json:"worker"`
}

func (m Meta) encode() []byte {
	m.Version = MetaVersion
	data, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings and integers always marshal
	}
	return append(data, '\n')
}

// ParseMeta reads metadata of this or any later version: unknown keys are skipped, and a key that cannot be read
// keeps its zero value and is named in the error. The Meta returned is usable in every case.
func ParseMeta(data []byte) (Meta, error) {
	var m Meta
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return Meta{}, err
	}
	if keys == nil {
		return Meta{}, errors.New("no metadata")
	}
	var problems []string
	note := func(err error) {
		if err != nil {
			problems = append(problems, err.Error())
		}
	}
	note(key(keys, "version", &m.Version))
	note(key(keys, "parent", &m.Parent))
	note(key(keys, "operators", &m.Operators))
	note(key(keys, "inputs", &m.Inputs))
	note(key(keys, "new", &m.New))
	note(key(keys, "worker", &m.Worker))
	if problems != nil {
		return m, errors.New(strings.Join(problems, "; "))
	}
	return m, nil
}

func key[T any](keys map[string]json.RawMessage, name string, dst *T) error {
	raw, ok := keys[name]
	if !ok {
		return nil
	}
	var v T // Unmarshal may fill half a value before it fails
	if err := json.Unmarshal(raw, &v); err != nil {
		return fmt.Errorf("key %s: %w", name, err)
	}
	*dst = v
	return nil
}
