// Package drivers carries the driver of Node, for commands that start it themselves.
package drivers

import "embed"

// Node is the folder node.
//
//go:embed node/driver.mjs node/cover.mjs
var Node embed.FS
