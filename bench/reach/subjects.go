package main

import "parallax/bench/internal/subject"

// subjects were chosen before anything was measured. They are fuzz tests that their authors keep in
// the published module, of modules that many programs depend on. They are pure Go without assembly
// on the way, and use no network and no other process. Their seeds pass, and the six kinds of input
// have little in common. The versions were the latest, except for fasthttp, whose latest needs a
// module that the proxy does not serve.
var subjects = []subject.Subject{
	{
		Name:   "toml", // configuration, one string
		Module: "github.com/BurntSushi/toml", Version: "v1.6.0", Package: ".", Fuzz: "FuzzDecode", Raw: "string",
	},
	{
		Name:   "markdown", // markup, one string, 652 seeds
		Module: "github.com/yuin/goldmark", Version: "v1.8.7", Package: "fuzz", Fuzz: "FuzzDefault", Raw: "string",
	},
	{
		Name:   "dns", // binary messages, there and back
		Module: "golang.org/x/net", Version: "v0.62.0", Package: "dns/dnsmessage", Fuzz: "FuzzUnpackPack", Raw: "[]byte",
	},
	{
		Name:   "http", // text protocol, bytes and an int
		Module: "github.com/valyala/fasthttp", Version: "v1.68.0", Package: ".", Fuzz: "FuzzRequestReadLimitBody",
	},
	{
		Name:   "hcl", // language, seeds in testdata/fuzz
		Module: "github.com/hashicorp/hcl/v2", Version: "v2.25.0", Package: "hclsyntax/fuzz", Fuzz: "FuzzParseConfig", Raw: "[]byte",
	},
	{
		Name:   "zip", // archives and compression, 667 seeds
		Module: "github.com/klauspost/compress", Version: "v1.20.3", Package: "zip", Fuzz: "FuzzReader", Raw: "[]byte",
	},
	{
		// Chosen later, because it is slow: an input is decoded into polygons whose geometry is exact, by
		// math/big. An earlier parallax ran a twentieth of the inputs of go test here.
		Name:   "geo",
		Module: "github.com/golang/geo", Version: "v0.0.0-20260818125358-b200a1149890", Package: "s2", Fuzz: "FuzzDecodePolygon", Raw: "[]byte",
	},
}
