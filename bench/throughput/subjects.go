package main

import "parallax/bench/internal/subject"

// subjects are those that the project's targets name. The ones of modules are the modules' own fuzz tests; where is the
// folder of this repository's.
func subjects(where string) []subject.Subject {
	return []subject.Subject{
		{Name: "ladder", Kind: "eight byte comparisons", Module: "subjects", Folder: where, Package: "ladder", Fuzz: "FuzzClimb", Raw: "[]byte"},
		{Name: "ladder-linked", Kind: "the same, in a binary with what the others need", Module: "subjects", Folder: where, Package: "linked", Fuzz: "FuzzClimb", Raw: "[]byte"},
		{Name: "json", Kind: "encoding/json.Unmarshal into an any", Module: "subjects", Folder: where, Package: "json", Fuzz: "FuzzUnmarshal", Raw: "[]byte"},
		{Name: "toml", Kind: "BurntSushi/toml", Module: "github.com/BurntSushi/toml", Version: "v1.6.0", Package: ".", Fuzz: "FuzzDecode", Raw: "string"},
		{Name: "yaml", Kind: "goccy/go-yaml", Module: "github.com/goccy/go-yaml", Version: "v1.19.2", Package: ".", Fuzz: "FuzzUnmarshalToMap", Raw: "[]byte"},
	}
}
