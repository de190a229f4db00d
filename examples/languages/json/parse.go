// Package json is encoding/json next to the JSON parsers of other languages: parallax.toml lists
// them.
package json

import "encoding/json"

// Parse writes a document's tree as JSON.
func Parse(data []byte) ([]byte, error) {
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, err
	}
	return json.Marshal(tree)
}
