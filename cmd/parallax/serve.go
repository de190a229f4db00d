package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/serving"
)

func serveCommand() *cobra.Command {
	var f serving.Options
	c := &cobra.Command{
		Use:   "serve [DIR]...",
		Short: "Serve a live page of campaigns, and a hub at which campaigns on several machines meet",
		Long: `serve shows campaigns as a page, until it is interrupted: rates, coverage, findings with filters, and each finding with its
history. The page follows campaigns that run. Each DIR is a campaign's folder, or holds campaigns; without one, it is .parallax.

  parallax serve
  parallax serve --listen 0.0.0.0:7780 --token-file token team/*/.parallax

The page is on 127.0.0.1:7780 unless --listen says otherwise. Comments, owners, issues, states and acceptance need a token:
that of --token-file, or a new one that serve prints. On other addresses all requests need it, and --token-file is required.

With --hub, it also serves a hub. Campaigns of the same programs join it with --join, from any number of machines. They exchange
inputs and findings, and may come and go:

  parallax serve --hub 127.0.0.1:4222 --dir hub
  parallax diff parallax.toml --join nats://127.0.0.1:4222

The hub is a NATS server with JetStream, and your own NATS cluster can take its place; --join then shows its campaigns. A hub is
never the only copy of anything: each campaign's folder is complete, and rebuilds a hub that was lost. Other machines reach the
hub only with a token or an NKey.

  parallax serve --join nats://HOST:4222

parallax help serve.md has more on the page, and parallax help fleet on the hub.`,
		Example: "  parallax serve\n  parallax serve .parallax/semver\n  parallax serve --listen 0.0.0.0:7780 --token-file token\n  parallax serve --hub 127.0.0.1:4222 --dir hub",
		RunE: func(c *cobra.Command, args []string) error {
			f.Dirs, f.Version, f.Asked = args, version(), len(args) > 0 || c.Flags().Changed("listen")
			return serving.Run(f)
		},
	}
	fs := c.Flags()
	fs.StringVar(&f.Listen, "listen", serving.DefaultListen, "address of the page; port 0 chooses a free one")
	fs.StringVar(&f.Join, "join", "", "address of a hub, such as nats://HOST:4222: also show the campaigns there. "+fuzzing.TokenVariable+" has its token")
	fs.StringVar(&f.Hub, "hub", "", "address of the hub, such as 127.0.0.1:4222; port 0 chooses a free one")
	fs.StringVar(&f.Dir, "dir", "", "the hub's folder")
	fs.StringVar(&f.TokenFile, "token-file", "", "file whose first line is the token, of the page and of the hub")
	fs.StringVar(&f.KeyFile, "nkeys", "", "file with the public NKeys of the hub's members, one per line")
	fs.StringVar(&f.Cert, "tls-cert", "", "certificate of the hub, in PEM; members then connect by TLS")
	fs.StringVar(&f.Key, "tls-key", "", "key of the certificate")
	mustComplete(c, "listen", cobra.NoFileCompletions)
	mustComplete(c, "join", cobra.NoFileCompletions)
	mustComplete(c, "hub", cobra.NoFileCompletions)
	return c
}
