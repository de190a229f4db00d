package subject

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/gobuild"
)

// changedModules returns the modules outside the tested one whose code differs between the versions
// of a pair. These are upgraded dependencies, local replacements and vendored modules. They count
// as tested, so that failures in them are attributed to them and not to their callers.
func changedModules(newer, older *gobuild.Plan) (modules []string) {
	was := map[string]*gobuild.Package{}
	for i := range older.Packages {
		was[older.Packages[i].ImportPath] = &older.Packages[i]
	}
	for i := range newer.Packages {
		q := &newer.Packages[i]
		if q.Module == "" || q.Standard || slices.Contains(newer.Own, q.Module) || slices.Contains(newer.Libraries, q.Module) || slices.Contains(modules, q.Module) {
			continue
		}
		if o := was[q.ImportPath]; o != nil && !sameFiles(q, o) {
			modules = append(modules, q.Module)
		}
	}
	return modules
}

// sameFiles reports whether two versions of a package are compiled from the same files. A file that
// cannot be read counts as the same.
func sameFiles(p, q *gobuild.Package) bool {
	if p.Dir == q.Dir { // in the module cache
		return true
	}
	if len(p.Files) != len(q.Files) {
		return false
	}
	for i, name := range p.Files {
		other := q.Files[i]
		if filepath.Base(name) != filepath.Base(other) {
			return false
		}
		a, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if b, err := os.ReadFile(other); err == nil && !bytes.Equal(a, b) {
			return false
		}
	}
	return true
}
