package program

import (
	"encoding/json"
	"os"
	"strings"
)

// Environ is the environment of a program: NAME=VALUE, each. Its JSON has no values of parallax's
// own environment, which may hold secrets. The process that reads it has the same environment.
type Environ []string

// workersOwn lists variables that processes of parallax set for those that they start, besides
// those with the prefix PARALLAX_. Their values are written.
var workersOwn = map[string]bool{"GOTRACEBACK": true, "HOME": true, "PWD": true, "TMPDIR": true}

// MarshalJSON writes the name alone of a variable whose value parallax has, too.
func (e Environ) MarshalJSON() ([]byte, error) {
	list := make([]string, len(e))
	for i, set := range e {
		name, value, _ := strings.Cut(set, "=")
		list[i] = set
		if own, ok := os.LookupEnv(name); ok && own == value && !workersOwn[name] && !strings.HasPrefix(name, "PARALLAX_") {
			list[i] = name
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Environ) UnmarshalJSON(data []byte) error {
	var list []string
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	for i, set := range list {
		if !strings.Contains(set, "=") {
			list[i] = set + "=" + os.Getenv(set)
		}
	}
	*e = list
	return nil
}
