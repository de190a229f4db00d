// Package kinds holds the table of the kinds of programs: a row per kind, in the order of the
// documents. Package config reads parallax.toml by it; package subject prepares and opens programs
// by it. Apart from the table, only two packages name kinds. Package subject names Go functions,
// which it builds together, and commands as normalizers. Package config names c for harnesses
// without a file. To add a kind, add a package next to those imported here, and a row.
package kinds

import (
	"parallax/cmd/internal/model/kind/dynamic"
	"parallax/cmd/internal/model/kind/model"
	"parallax/cmd/internal/model/kind/original"
	"parallax/cmd/internal/program"
	"parallax/cmd/internal/program/c"
	"parallax/cmd/internal/program/command"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/program/http"
	"parallax/cmd/internal/program/persistent"
)

// Table holds all kinds.
var Table = program.Table{gofunc.Kind, c.Kind, command.Kind, persistent.Kind, http.Kind, original.Kind, model.Kind, dynamic.Kind}
