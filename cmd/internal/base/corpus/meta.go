package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// MetaVersion is the version of newly written metadata.
const MetaVersion = 1

// Meta records the origin of an input. It is written once, with the input.
type Meta struct {
	Version   int      `json:"version"`
	Parent    string   `json:"parent,omitempty"`    // hash of the input it was made from; empty for a seed
	From      string   `json:"from,omitempty"`      // of a seed: where it is from
	Operators []string `json:"operators,omitempty"` // mutators that made it, in order
	Inputs    uint64   `json:"inputs"`              // number of inputs the campaign had run when it was found
	New       []string `json:"new,omitempty"`       // feature domains in which it had a new feature
	Worker    int      `json:"worker"`
	Member    string   `json:"member,omitempty"` // of a fleet, whose campaign found it first
}

func (m Meta) encode() []byte {
	m.Version = MetaVersion
	data, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings and integers always marshal
	}
	return append(data, '\n')
}

// ParseMeta reads metadata of this or any later version. It skips unknown keys. A key with an
// invalid value keeps its zero value, and the error names it. The returned Meta is always usable.
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
	note(key(keys, "from", &m.From))
	note(key(keys, "operators", &m.Operators))
	note(key(keys, "inputs", &m.Inputs))
	note(key(keys, "new", &m.New))
	note(key(keys, "worker", &m.Worker))
	note(key(keys, "member", &m.Member))
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
