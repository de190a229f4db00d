// Package serving runs parallax serve: the live page of campaigns, and a hub, at which campaigns on
// several machines meet. cmd/parallax calls it. Package serve has the page, and this package reads
// the folders for it.
package serving

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/exchange"
	"parallax/cmd/internal/exchange/hub"
)

// Options say what is served.
type Options struct {
	Dirs      []string // folders of campaigns, or folders that hold some; none means those in .parallax
	Listen    string   // of the page
	Asked     bool     // the user named Listen or Dirs; otherwise, a hub does without a page if Listen is taken
	Join      string   // of a hub elsewhere, whose campaigns are shown; empty means that there is none
	Hub       string   // of the hub; empty means that there is none
	Dir       string   // of the hub
	TokenFile string
	KeyFile   string // with public NKeys of the hub's members
	Cert, Key string // of TLS
	Version   string // of parallax
}

// Run serves until the user ends it.
func Run(o Options) error {
	switch {
	case o.Hub == "" && o.Dir != "":
		return exit.Usage("--dir is the folder of a hub: give the hub an address with --hub, such as --hub 127.0.0.1:4222")
	case o.Hub == "" && (o.Cert != "" || o.Key != ""):
		return exit.Usage("--tls-cert and --tls-key are for a hub: put a server with TLS before the page to reach it by https")
	case o.Hub == "" && o.KeyFile != "":
		return exit.Usage("--nkeys is for a hub: give the hub an address with --hub, such as --hub 127.0.0.1:4222")
	case o.Hub != "" && o.Join != "":
		return exit.Usage("--hub and --join: the page shows the campaigns of its own hub with --hub, and those of a hub elsewhere with --join; give one of them")
	case o.Hub != "" && o.Dir == "":
		return exit.Usage("--dir is missing: name the folder of the hub, such as --dir hub")
	}
	ctx, _ := terminal.Interruptible()
	switch {
	case o.Join != "":
		return o.elsewhere(ctx)
	case o.Hub == "":
		o.nothing()
		return o.page(ctx, newFolders(o.Dirs))
	}
	h, err := hub.Start(hub.Options{
		Listen: o.Hub, Dir: o.Dir, TokenFile: o.TokenFile, KeyFile: o.KeyFile, Cert: o.Cert, Key: o.Key,
		Warn: func(text string) { fmt.Fprintln(os.Stderr, escape.Text("parallax: hub: "+text)) },
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "hub: nats://%s, in %s\n", h.Address(), escape.Text(o.Dir))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		ended <- h.Run(ctx)
		cancel()
	}()
	conn, err := h.Connect()
	if err != nil {
		cancel()
		return errors.Join(err, <-ended)
	}
	defer conn.Close()
	board, err := exchange.Follow(conn)
	if err != nil {
		cancel()
		return errors.Join(err, <-ended)
	}
	go board.Run(ctx)
	err = o.page(ctx, &meeting{folders: newFolders(o.Dirs), board: board})
	if errors.Is(err, syscall.EADDRINUSE) && !o.Asked {
		fmt.Fprintf(os.Stderr, "no page: %s is taken; --listen chooses another address\n", o.Listen)
		return <-ended
	}
	cancel()
	return errors.Join(err, <-ended)
}

// elsewhere serves the page with the campaigns of a hub elsewhere.
func (o *Options) elsewhere(ctx context.Context) error {
	address, err := exchange.ParseAddress(o.Join)
	if err != nil {
		return err
	}
	h, err := exchange.Dial(address)
	if err != nil {
		return err
	}
	defer h.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	board := h.Board()
	go board.Run(ctx)
	return o.page(ctx, &meeting{folders: newFolders(o.Dirs), board: board})
}
