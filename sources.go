package parallax

import "embed"

// Sources are the files of this package, from which the tool makes the copies of the library that parallax init puts into
// users' repositories. This file is not part of a copy, so that test binaries hold no sources.
//
//go:embed *.go repair/*.go gen/*.go
var Sources embed.FS
