// Package schema holds the JSON Schemas of the JSON that parallax writes for users
// (docs/reference/json.md). A test of cmd/parallax makes them from the Go types: go -C cmd test
// ./parallax -run TestSchemas -update.
package schema

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.json
var files embed.FS

// Names are the names of the schemas.
func Names() (names []string) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the root of an embedded file system is always there
	}
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".json"))
	}
	slices.Sort(names)
	return names
}

// Find is the text of a schema.
func Find(name string) ([]byte, bool) {
	text, err := files.ReadFile(name + ".json")
	return text, err == nil
}
