package main

import (
	"github.com/spf13/cobra"

	"parallax/cmd/internal/command/past"
)

func noteCommand() *cobra.Command {
	var f past.Noted
	var owner, link string
	c := &cobra.Command{
		Use:   "note BUCKET [TEXT]",
		Short: "Record a comment, an owner, an issue or a state of a finding",
		Long: `note appends to the history of a finding, which is the file history.jsonl in its folder. show BUCKET prints it. A campaign may
run meanwhile.

A finding is new, confirmed, accepted, fixed, or again: it shows again after it was fixed. accept sets accepted. replay, and each
run, set fixed with the revision of the code for a finding that no longer shows. If it shows after that, they set again.
Accepted and fixed findings make no run fail.`,
		Example:           "  parallax note 3ba0 \"the parser of dates is wrong, too\"\n  parallax note 3ba0 --state confirmed --owner ada --link https://example.com/issues/12\n  parallax note 3ba0 --owner \"\"",
		Args:              cobra.MatchAll(atLeast(1, "the id of a finding (`parallax show` lists them)"), atMost(2, "the id of one finding, and a text in quotes")),
		ValidArgsFunction: completeFindings(&f.Folder, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("owner") {
				f.Note.Owner = &owner
			}
			if c.Flags().Changed("link") {
				f.Note.Link = &link
			}
			if len(args) > 1 {
				f.Note.Text = args[1]
			}
			return past.Note(c.Context(), f, args[0])
		},
	}
	campaignFlag(c, &f.Folder, "the one")
	c.Flags().StringVar(&owner, "owner", "", "who takes care of the finding; empty removes the owner")
	c.Flags().StringVar(&link, "link", "", "address of an issue; empty removes it")
	c.Flags().StringVar(&f.Note.State, "state", "", "new state: new, confirmed or fixed")
	choices(c, "state", false, "new", "confirmed", "fixed")
	mustComplete(c, "owner", cobra.NoFileCompletions)
	mustComplete(c, "link", cobra.NoFileCompletions)
	return c
}
