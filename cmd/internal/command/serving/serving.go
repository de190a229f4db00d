// Package serving runs parallax serve: a hub, at which campaigns on several machines meet.
// cmd/parallax calls it.
package serving

import (
	"fmt"
	"os"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/exchange/hub"
)

// Options say what is served.
type Options struct {
	Dirs      []string // folders of campaigns
	Listen    string   // of the page
	Hub       string   // of the hub; empty means that there is none
	Dir       string   // of the hub
	TokenFile string
	Cert, Key string // of TLS
}

// Run serves until the user ends it.
func Run(o Options) error {
	switch {
	case o.Hub == "":
		return exit.Usage("--hub is missing: give the address of the hub, such as --hub 127.0.0.1:4222")
	case len(o.Dirs) > 0:
		return exit.Usage("a hub has no campaigns of its own: leave %s out", o.Dirs[0])
	case o.Dir == "":
		return exit.Usage("--dir is missing: name the folder of the hub, such as --dir hub")
	}
	ctx, _ := terminal.Interruptible()
	h, err := hub.Start(hub.Options{
		Listen: o.Hub, Dir: o.Dir, TokenFile: o.TokenFile, Cert: o.Cert, Key: o.Key,
		Warn: func(text string) { fmt.Fprintln(os.Stderr, escape.Text("parallax: hub: "+text)) },
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "hub: nats://%s, in %s\n", h.Address(), escape.Text(o.Dir))
	return h.Run(ctx)
}
