// Package json decodes a document with four libraries behind one signature: to the tree of maps,
// slices, strings, float64, bool and nil that encoding/json makes of it.
package json

import (
	std "encoding/json"

	v2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"

	"delta/codes"
)

// Std decodes with encoding/json.
func Std(data []byte) (tree any, err error) {
	err = std.Unmarshal(data, &tree)
	return tree, err
}

// V2 decodes with github.com/go-json-experiment/json. Its options make it as lenient as the others
// are on purpose: with repeated names and with invalid UTF-8.
func V2(data []byte) (tree any, err error) {
	err = v2.Unmarshal(data, &tree, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return tree, err
}

// Goccy decodes with github.com/goccy/go-json.
func Goccy(data []byte) (tree any, err error) {
	err = goccy.Unmarshal(data, &tree)
	return tree, err
}

// Jsoniter decodes with github.com/json-iterator/go in the configuration that promises to be a
// drop-in replacement.
func Jsoniter(data []byte) (tree any, err error) {
	if err = jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal(data, &tree); err != nil {
		return nil, codes.Before(err, ", error found in ", ", but found ")
	}
	return tree, nil
}
