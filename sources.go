package parallax

import "embed"

// Sources holds the files of this package. parallax init copies them into users' repositories.
// This file is not part of a copy, so that test binaries hold no sources.
//
//go:embed *.go repair/*.go gen/*.go
var Sources embed.FS
