// Package drivers carries the drivers, for parallax init, and for commands that start one
// themselves.
package drivers

import "embed"

// Files are the drivers, a folder for each language.
//
//go:embed c/driver.c java/Driver.java node/driver.mjs node/cover.mjs perl/driver.pl python/parallax_cover.py python/parallax_driver.py
var Files embed.FS
