package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/help"
	"parallax/cmd/internal/command/past"
)

func corpusCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "corpus",
		Short: "List, merge and reduce the inputs that campaigns keep",
		Long: `corpus has commands for the corpora of campaigns that do not run. Without --campaign, list, minimize and prune work on all
campaigns in .parallax.`,
		Example: "  parallax corpus list\n  parallax corpus merge ../other/.parallax/FuzzParse seeds\n  parallax corpus minimize --dry-run\n  parallax corpus prune --corpus-size 64MiB",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return help.Unknown(c, args[0])
			}
			return c.Help()
		},
	}
	c.AddCommand(corpusListCommand(), corpusMergeCommand(), corpusMinimizeCommand(), corpusPruneCommand())
	return c
}

func corpusListCommand() *cobra.Command {
	var o past.Corpora
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the inputs of corpora",
		Long:    "list prints each input with its size, its origin, and the domains in which it was new.",
		Example: "  parallax corpus list\n  parallax corpus list --campaign .parallax/FuzzParse\n  parallax corpus list --json",
		Args:    atMost(0, ""),
		RunE:    func(*cobra.Command, []string) error { return past.ListCorpus(o) },
	}
	campaignFlag(c, &o.Folder, "those")
	jsonFlag(c, &o.JSON)
	return c
}

func corpusMergeCommand() *cobra.Command {
	var o past.Corpora
	c := &cobra.Command{
		Use:   "merge DIR...",
		Short: "Add inputs of other campaigns and folders to a corpus",
		Long: `merge adds the inputs of other places to the corpus of a campaign. A place is the folder of a campaign, with its corpus and its
findings, or a folder of inputs in a format that --seeds takes. Inputs that the corpus has are not added again. The next run
executes all of them.`,
		Example: "  parallax corpus merge ../nightly/.parallax/FuzzParse\n  parallax corpus merge seeds --dry-run\n  parallax corpus merge seeds crashes --campaign .parallax/FuzzParse",
		Args:    atLeast(1, "a folder: of a campaign, or of inputs"),
		RunE:    func(_ *cobra.Command, args []string) error { return past.MergeCorpora(o, args) },
	}
	campaignFlag(c, &o.Folder, "the one")
	changes(c, &o)
	return c
}

func corpusMinimizeCommand() *cobra.Command {
	var o past.Corpora
	c := &cobra.Command{
		Use:   "minimize",
		Short: "Remove inputs that others replace",
		Long: `minimize builds the programs, executes the corpus, and removes the inputs that others replace. The rest covers the same blocks,
with the same hit-count buckets, and has the same outcomes and error classes, with few bytes. Inputs of findings stay.

Inputs that were kept for a new combination of paths go if they add nothing else. The next run may find them again. ^C removes
nothing.`,
		Example: "  parallax corpus minimize\n  parallax corpus minimize --dry-run\n  parallax corpus minimize --campaign .parallax/FuzzParse",
		Args:    atMost(0, ""),
		RunE:    func(*cobra.Command, []string) error { return past.MinimizeCorpus(o) },
	}
	campaignFlag(c, &o.Folder, "those")
	changes(c, &o)
	trusting(c, &o.Trust)
	return c
}

func corpusPruneCommand() *cobra.Command {
	var o past.Corpora
	c := &cobra.Command{
		Use:   "prune",
		Short: "Remove inputs until a corpus is within a limit",
		Long: `prune bounds corpora without executing anything. It removes inputs that were kept for no new block and no new cell, the largest
first, until the corpus is within the limit. Seeds and inputs of findings stay.`,
		Example: "  parallax corpus prune --corpus-size 64MiB\n  parallax corpus prune --corpus-inputs 10000 --dry-run\n  parallax corpus prune --corpus-size 1GiB --campaign .parallax/FuzzParse",
		Args:    atMost(0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("corpus-inputs") && o.Inputs < 1 {
				return exit.Usage("--corpus-inputs %d: give a number of inputs, 1 or more", o.Inputs)
			}
			return past.PruneCorpus(o)
		},
	}
	campaignFlag(c, &o.Folder, "those")
	c.Flags().StringVar(&o.Size, "corpus-size", "", "the most bytes of a corpus, such as 64MiB")
	c.Flags().IntVar(&o.Inputs, "corpus-inputs", 0, "the most inputs of a corpus")
	changes(c, &o)
	return c
}

// changes declares the flags of commands that change corpora.
func changes(c *cobra.Command, o *past.Corpora) {
	c.Flags().BoolVarP(&o.Dry, "dry-run", "n", false, "only say what would change")
	jsonFlag(c, &o.JSON)
}
