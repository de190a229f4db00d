// Package docs holds the reference, which the command prints by topic, and the workflows that parallax init writes. An installed binary
// has no docs folder.
package docs

import "embed"

// Pages are the pages of the reference, and those for contributors.
//
//go:embed *.md
var Pages embed.FS

// Workflows are those for GitHub Actions.
//
//go:embed ci/fuzz.yml ci/regress.yml
var Workflows embed.FS
