// Package docs holds the reference, which the command prints by topic, and the workflows that
// parallax init writes. An installed binary has no docs folder.
package docs

import "embed"

// Pages are the pages for users, in a folder for each kind. Those for contributors, in dev, are not
// in the binary.
//
//go:embed explanation guides reference tutorials
var Pages embed.FS

// Workflows are those for GitHub Actions.
//
//go:embed ci/parallax-fuzz.yml ci/parallax-regress.yml
var Workflows embed.FS
