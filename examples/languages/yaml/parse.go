// Package yaml is two YAML libraries of Go next to those of other languages: parallax.toml lists
// them.
package yaml

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/goccy/go-yaml"
	yamlv3 "gopkg.in/yaml.v3"
)

// The libraries differ on other bytes. These differences are soon found, and hide the rest.
var errText = errors.New("not printable ASCII and line feeds")

func other(c byte) bool { return c != '\n' && (c < ' ' || c > '~') }

// Printable makes mutants printable.
func Printable(data []byte) []byte {
	for i, c := range data {
		if other(c) {
			data[i] = ' ' + c%('~'-' '+1)
		}
	}
	return data
}

// V3 decodes with gopkg.in/yaml.v3.
func V3(data []byte) ([]byte, error) {
	if slices.ContainsFunc(data, other) {
		return nil, errText
	}
	var tree any
	if err := yamlv3.Unmarshal(data, &tree); err != nil {
		return nil, err
	}
	return write(tree), nil
}

// Goccy decodes with github.com/goccy/go-yaml.
func Goccy(data []byte) ([]byte, error) {
	if slices.ContainsFunc(data, other) {
		return nil, errText
	}
	var tree any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		return nil, err
	}
	return write(tree), nil
}

// write makes JSON also from values that YAML has and JSON has not, as parse.py and parse.mjs do.
// Numbers that are none become text, and times are in UTC. Keys that are no text become ? and their
// JSON.
func write(v any) []byte {
	switch v := v.(type) {
	case nil:
		return []byte("null")
	case float64:
		switch {
		case math.IsNaN(v):
			return []byte(`".nan"`)
		case math.IsInf(v, 1):
			return []byte(`".inf"`)
		case math.IsInf(v, -1):
			return []byte(`"-.inf"`)
		}
		return strconv.AppendFloat(nil, v, 'g', -1, 64)
	case string:
		return text(v)
	case []byte:
		return text(string(v))
	case time.Time:
		return text(v.UTC().Format("2006-01-02T15:04:05.999999999Z"))
	}
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Slice:
		var parts [][]byte
		for i := range r.Len() {
			parts = append(parts, write(r.Index(i).Interface()))
		}
		return list('[', parts, ']')
	case reflect.Map:
		var parts [][]byte
		for at := r.MapRange(); at.Next(); { // not by MapIndex, which finds no key that is NaN
			key := write(at.Key().Interface())
			if key[0] != '"' {
				key = text("?" + string(key))
			}
			parts = append(parts, append(append(key, ':'), write(at.Value().Interface())...))
		}
		sort.Slice(parts, func(i, j int) bool { return bytes.Compare(parts[i], parts[j]) < 0 })
		return list('{', parts, '}')
	}
	return fmt.Append(nil, v)
}

func text(s string) []byte {
	b, _ := json.Marshal(s)
	return b
}

func list(open byte, parts [][]byte, end byte) []byte {
	return append(append([]byte{open}, bytes.Join(parts, []byte(","))...), end)
}
