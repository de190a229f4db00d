// Package kinds is the table of the kinds of programs: one row a kind, in the order of the documents. parallax.toml is read by it, and
// programs are prepared and opened by it. Package target alone names kinds beside it: Go functions, which it builds together, and commands as
// normalizers; package config names c for harnesses without a file. A new kind is a package beside those that are imported here, and a row.
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
