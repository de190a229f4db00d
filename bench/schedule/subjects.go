package main

import "parallax/bench/internal/subject"

// subjects were chosen before any schedule had run on them, by the criteria of bench/reach. They
// are fuzz tests that their authors keep in the published module, of modules that many programs
// depend on. They are pure Go, use no network and no other process, and their seeds pass. They
// differ from those of reach and throughput, so that no claim there depends on the subjects that
// chose the default. They have five other kinds of input. The versions were the latest.
var subjects = []subject.Subject{
	{
		Name:   "shell", // a language and how to print it: two strings, nine bools, two small numbers; 3686 seeds
		Module: "mvdan.cc/sh/v3", Version: "v3.14.1", Package: "syntax", Fuzz: "FuzzParsePrint",
	},
	{
		Name:   "postgres", // values of a database, 111 types, text and binary: two small numbers and bytes, 16 seeds
		Module: "github.com/jackc/pgx/v5", Version: "v5.12.0", Package: "pgtype", Fuzz: "FuzzPlanScan",
	},
	{
		Name:   "sdp", // a text protocol, one string, two seeds
		Module: "github.com/pion/sdp/v3", Version: "v3.0.20", Package: ".", Fuzz: "FuzzUnmarshal", Raw: "string",
	},
	{
		Name:   "dhcp", // a binary protocol, options inside of options, four seeds
		Module: "github.com/insomniacslk/dhcp", Version: "v0.0.0-20260901064844-234b97448fae", Package: "dhcpv6", Fuzz: "FuzzDHCPv6",
		Raw: "[]byte",
	},
	{
		Name:   "mimetype", // the beginnings of files in some 200 formats: bytes and a bool, 188 seeds
		Module: "github.com/gabriel-vasile/mimetype", Version: "v1.4.16", Package: ".", Fuzz: "FuzzMimetype",
	},
	{
		Name:   "geo", // chosen later, because its inputs cost very different amounts: polygons, bytes, 14 seeds
		Module: "github.com/golang/geo", Version: "v0.0.0-20260818125358-b200a1149890", Package: "s2", Fuzz: "FuzzDecodePolygon", Raw: "[]byte",
	},
}
