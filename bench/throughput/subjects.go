package main

import "parallax/bench/internal/subject"

// subjects are those that the project's targets name. The ones of modules are the modules' own fuzz
// tests; where is the folder of this repository's.
func subjects(where string) []subject.Subject {
	own := func(name, folder, fuzz string) subject.Subject {
		return subject.Subject{Name: name, Module: "subjects", Folder: where, Package: folder, Fuzz: fuzz, Raw: "[]byte"}
	}
	return []subject.Subject{
		own("ladder", "ladder", "FuzzClimb"),
		own("ladder-linked", "linked", "FuzzClimb"),
		own("json", "json", "FuzzUnmarshal"),
		{
			Name: "toml", Module: "github.com/BurntSushi/toml", Version: "v1.6.0", Package: ".",
			Fuzz: "FuzzDecode", Raw: "string",
		},
		{
			Name: "yaml", Module: "github.com/goccy/go-yaml", Version: "v1.19.2", Package: ".",
			Fuzz: "FuzzUnmarshalToMap", Raw: "[]byte",
		},
	}
}
