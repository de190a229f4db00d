package subject

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"parallax/cmd/internal/gobuild"
)

// changedModules are the modules other than those under test whose code differs between the versions of a pair: of an upgraded dependency, of
// one in a folder beside, and of one that is vendored. They belong to what is tested, so that what fails in them is put down to them and
// not to who calls them.
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

// sameFiles reports whether two versions of a package are compiled from the same files. What cannot be read counts as the same.
func sameFiles(p, q *gobuild.Package) bool {
	if p.Dir == q.Dir { // of the module cache
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
