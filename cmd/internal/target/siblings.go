package target

import (
	"fmt"

	"parallax/cmd/internal/target/cache"
)

// siblings is the folder that the FuzzXxx of a package share: most have the same test binary.
func siblings(r *PairRequest, o *Options) (dir string, err error) {
	s, err := cache.Open("siblings", r.New.Dir, r.New.Package, r.Old.Dir, r.Module, o.Tags, fmt.Sprint(o.Instrument), fmt.Sprint(o.order()))
	if err != nil {
		return "", err
	}
	s.Close() // nobody removes it for a month
	return s.Dir, nil
}
