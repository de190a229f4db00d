package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/clean"
)

func cleanCommand() *cobra.Command {
	var f clean.Options
	c := &cobra.Command{
		Use:   "clean",
		Short: "Remove what parallax keeps in the user's cache",
		Long: `clean removes builds, copies of versions, environments of engines and all else that parallax keeps in the user's cache, below
XDG_CACHE_HOME or ~/.cache. All of it is made again when a command needs it. Files that a running process uses stay. Campaigns,
which lie in .parallax or where --out says, are no part of the cache.

Without flags it removes all. --older and --size say what is removed; with both, what either of them says.

Each run keeps the cache below PARALLAX_CACHE_LIMIT, which is 10GiB unless you set it to another size or to off. It also removes
files that were not used for 30 days.`,
		Example: "  parallax clean --dry-run\n  parallax clean --older 168h\n  parallax clean --size 5GiB --dry-run",
		Args:    atMost(0, ""),
		RunE:    func(*cobra.Command, []string) error { return clean.Run(f) },
	}
	f.Given = c.Flags().Changed
	c.Flags().DurationVar(&f.Older, "older", 0, "remove only files that were not used for so long, such as 168h")
	c.Flags().StringVar(&f.Size, "size", "", "remove what was used longest ago, until the rest takes no more than this, such as 5GiB")
	c.Flags().BoolVarP(&f.Request.Dry, "dry-run", "n", false, "only say what would change")
	jsonFlag(c, &f.JSON)
	return c
}
