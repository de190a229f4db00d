package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/serving"
)

func serveCommand() *cobra.Command {
	var f serving.Options
	c := &cobra.Command{
		Use:   "serve --hub HOST:PORT --dir DIR",
		Short: "Serve a hub at which campaigns on several machines exchange inputs and findings",
		Long: `serve runs a hub until it is interrupted. Campaigns of the same programs join it with --join, from any number of machines.
They exchange inputs and findings, and may come and go:

  parallax serve --hub 127.0.0.1:4222 --dir hub
  parallax diff parallax.toml --join nats://127.0.0.1:4222

The hub is a NATS server with JetStream, and your own NATS cluster can take its place. It is never the only copy of anything:
each campaign's folder is complete, and rebuilds a hub that was lost.

Other machines reach the hub only with a token. --token-file names a file whose first line is the token:

  parallax serve --hub 0.0.0.0:4222 --dir hub --token-file token --tls-cert cert.pem --tls-key key.pem

parallax help fleet.md has more.`,
		Example: "  parallax serve --hub 127.0.0.1:4222 --dir hub\n  parallax serve --hub 0.0.0.0:4222 --dir hub --token-file token",
		RunE: func(_ *cobra.Command, args []string) error {
			f.Dirs = args
			return serving.Run(f)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.Hub, "hub", "", "address of the hub, such as 127.0.0.1:4222; port 0 chooses a free one")
	fs.StringVar(&f.Dir, "dir", "", "the hub's folder")
	fs.StringVar(&f.TokenFile, "token-file", "", "file with the token that members must have")
	fs.StringVar(&f.Cert, "tls-cert", "", "certificate of the hub, in PEM; members then connect by TLS")
	fs.StringVar(&f.Key, "tls-key", "", "key of the certificate")
	mustComplete(c, "hub", cobra.NoFileCompletions)
	return c
}
