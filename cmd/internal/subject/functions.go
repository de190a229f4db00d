package subject

import (
	"strconv"
	"strings"

	"parallax/cmd/internal/gobuild/signature"
	"parallax/cmd/internal/program/gofunc"
	"parallax/cmd/internal/subject/config"
)

// Two versions of a Go function are a configuration without a file (config.Functions), with the
// programs "new" and "old". A campaign keeps the options that make this configuration again.

// storeFunctions adds the programs to the options that a campaign keeps.
func storeFunctions(m map[string]string, programs []config.GoProgram) {
	for _, p := range programs {
		m[p.Name+"_function"], m[p.Name+"_version"], m[p.Name+"_dir"] = p.Function.Function, p.Version, p.Dir
		m[p.Name+"_label"], m[p.Name+"_environ"], m[p.Name+"_require"] = p.Label, strings.Join(p.Environ, "\n"), strings.Join(p.Require, "\n")
		if p.Making != signature.MakeNone {
			m[p.Name+"_making"] = strconv.Itoa(int(p.Making))
		}
	}
}

// StoredFunctions reads two versions of a function from the options of a campaign. Nil means that
// the campaign ran on something else.
func StoredFunctions(m map[string]string) (list []config.GoProgram) {
	for _, name := range []string{NewVersion, OldVersion} {
		if m[name+"_function"] == "" {
			return nil
		}
		making, _ := strconv.ParseUint(m[name+"_making"], 10, 8)
		list = append(list, config.GoProgram{Name: name, Dir: m[name+"_dir"], Function: gofunc.Function{
			Function: m[name+"_function"], Version: m[name+"_version"], Label: m[name+"_label"],
			Environ: lines(m[name+"_environ"]), Require: lines(m[name+"_require"]), Making: signature.Making(making),
		}})
	}
	return list
}
