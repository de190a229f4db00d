// Package yaml decodes a document with three libraries behind one signature: to maps keyed by text, lists, text, numbers and bool.
// Of several documents the first counts.
package yaml

import (
	goccy "github.com/goccy/go-yaml"
	v2 "gopkg.in/yaml.v2"
	v3 "gopkg.in/yaml.v3"

	"delta/tree"
)

// V2 decodes with gopkg.in/yaml.v2.
func V2(data []byte) (any, error) {
	var v any
	if err := v2.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return tree.Of(v, nil), nil
}

// V3 decodes with gopkg.in/yaml.v3.
func V3(data []byte) (any, error) {
	var v any
	if err := v3.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return tree.Of(v, nil), nil
}

// Goccy decodes with github.com/goccy/go-yaml.
func Goccy(data []byte) (any, error) {
	var v any
	if err := goccy.Unmarshal(data, &v); err != nil {
		return nil, err
	}
	return tree.Of(v, nil), nil
}
