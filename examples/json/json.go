// Package json gives six JSON libraries one signature, so that parallax can compare the decoded
// documents. A document becomes the tree of maps, slices, strings, float64, bool and nil that
// encoding/json makes.
package json

import (
	std "encoding/json"

	v2 "github.com/go-json-experiment/json"
	goccy "github.com/goccy/go-json"
	jsoniter "github.com/json-iterator/go"
	segmentio "github.com/segmentio/encoding/json"
	"github.com/valyala/fastjson"
)

// Std decodes with encoding/json.
func Std(data []byte) (tree any, err error) {
	err = std.Unmarshal(data, &tree)
	return tree, err
}

// V2 decodes with github.com/go-json-experiment/json, the second version of encoding/json.
func V2(data []byte) (tree any, err error) {
	err = v2.Unmarshal(data, &tree)
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
	err = jsoniter.ConfigCompatibleWithStandardLibrary.Unmarshal(data, &tree)
	return tree, err
}

// Segmentio decodes with github.com/segmentio/encoding/json.
func Segmentio(data []byte) (tree any, err error) {
	err = segmentio.Unmarshal(data, &tree)
	return tree, err
}

// Fastjson decodes with github.com/valyala/fastjson, whose own tree is turned into that of the
// others.
func Fastjson(data []byte) (tree any, err error) {
	var p fastjson.Parser
	v, err := p.ParseBytes(data)
	if err != nil {
		return nil, err
	}
	return convert(v)
}

func convert(v *fastjson.Value) (any, error) {
	switch v.Type() {
	case fastjson.TypeNull:
		return nil, nil
	case fastjson.TypeTrue:
		return true, nil
	case fastjson.TypeFalse:
		return false, nil
	case fastjson.TypeNumber:
		return v.Float64()
	case fastjson.TypeString:
		text, err := v.StringBytes()
		return string(text), err
	case fastjson.TypeArray:
		items, err := v.Array()
		if err != nil {
			return nil, err
		}
		list := make([]any, len(items))
		for i, item := range items {
			if list[i], err = convert(item); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	object, err := v.Object()
	if err != nil {
		return nil, err
	}
	tree := map[string]any{}
	object.Visit(func(key []byte, item *fastjson.Value) {
		if err == nil {
			tree[string(key)], err = convert(item)
		}
	})
	return tree, err
}
