package subject

import (
	"context"
	"fmt"

	"parallax/cmd/internal/base/buildcache"
)

// siblings opens the folder that the FuzzXxx of a package share, since most have the same test
// binary.
func siblings(ctx context.Context, r *PairRequest, o *Options) (*buildcache.Folder, error) {
	return buildcache.Open(ctx, "siblings", r.New.Dir, r.New.Package, r.Old.Dir, r.Module, o.Tags, fmt.Sprint(o.Instrument), fmt.Sprint(o.order()))
}
