package buildroot

import (
	"context"
	"slices"

	"parallax/cmd/internal/gobuild/funcname"
	"parallax/cmd/internal/gobuild/gocommand"
)

// Read lists the packages of functions and all that they import, with the names of files as Locate
// makes them.
func (r *Root) Read(ctx context.Context, funcs []funcname.Func) (*gocommand.Graph, error) {
	var paths []string
	for _, f := range funcs {
		if !slices.Contains(paths, f.Package) {
			paths = append(paths, f.Package)
		}
	}
	all, err := r.List(ctx, append([]string{"-deps", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	return gocommand.NewGraph(all), r.Locate(all)
}

// Locate makes the names of the packages' files absolute, and as the user's overlay has them.
func (r *Root) Locate(pkgs []*gocommand.Package) error {
	overlay, err := r.Overlay()
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		for _, names := range [][]string{p.GoFiles, p.CgoFiles} {
			for i, name := range names {
				names[i] = overlay.Path(p.Dir, name)
			}
		}
	}
	return nil
}
