// Package yaml decodes a document with three libraries behind one signature. Two have one origin,
// and one of these is older. The result has maps keyed by text, lists, text, numbers and bool. The
// first of several documents counts. Characters are printable ASCII and line feeds, without those
// that begin tags, anchors, aliases, block scalars, complex keys and directives. On these the
// libraries differ in most cases.
package yaml

import (
	"errors"
	"strings"

	v4 "go.yaml.in/yaml/v4"
	v2 "gopkg.in/yaml.v2"
	v3 "gopkg.in/yaml.v3"

	"delta/codes"
	"delta/tree"
)

var errCharacter = errors.New("a character that is not asked about")

// V2 decodes with gopkg.in/yaml.v2.
func V2(data []byte) (any, error) {
	var v any
	return read(data, &v, v2.Unmarshal(data, &v))
}

// V3 decodes with gopkg.in/yaml.v3.
func V3(data []byte) (any, error) {
	var v any
	return read(data, &v, v3.Unmarshal(data, &v))
}

// V4 decodes with go.yaml.in/yaml/v4.
func V4(data []byte) (any, error) {
	var v any
	return read(data, &v, v4.Unmarshal(data, &v))
}

func read(data []byte, v *any, err error) (any, error) {
	if err != nil {
		return nil, codes.Before(err, "\n")
	}
	for _, c := range data {
		if c != '\n' && (c < ' ' || c > '~' || strings.IndexByte("!&*|>?%@`", c) >= 0) {
			return nil, errCharacter
		}
	}
	return tree.Of(*v, nil), nil
}
