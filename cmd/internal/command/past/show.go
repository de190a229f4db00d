package past

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/command/fuzzing"
	"parallax/cmd/internal/command/terminal"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/show/text"
	"parallax/internal/atomicfile"
)

// Shown says what of a campaign is shown: a finding, or a list.
type Shown struct {
	Folder   string
	JSON     bool
	All      bool   // all findings are listed
	Flaky    bool   // those are listed that do not always show
	Markdown string // the file for one finding
}

// Show lists the findings of campaigns, or shows the one that is named.
func Show(o Shown, names []string) error {
	if len(names) == 1 {
		if o.Flaky {
			return exit.Usage("--flaky lists findings that do not always show: leave the id out")
		}
		if o.JSON {
			p, id, err := archive.Find(o.Folder, names[0])
			if err != nil {
				return err
			}
			sayRenamed(p)
			return p.ShowJSON(os.Stdout, id, names[0])
		}
		files := fuzzing.Formats{Markdown: o.Markdown}
		if err := files.Check(""); err != nil {
			return err
		}
		var page bytes.Buffer
		err := each(o.Folder, names, func(out string) error {
			p, id, err := archive.Find(out, names[0])
			if err != nil {
				return err
			}
			sayRenamed(p)
			options := archive.ShowOptions{
				Variant: names[0], Terminal: term.IsTerminal(os.Stdout.Fd()), Now: time.Now(),
				TextOptions: text.TextOptions{Width: terminal.OutWidth(), Color: terminal.OutColor()},
			}
			if o.Markdown == "" {
				return p.Show(os.Stdout, id, options)
			}
			options.Terminal = false
			return p.Show(&page, id, options)
		})
		if err != nil || o.Markdown == "" {
			return err
		}
		if err := atomicfile.Write(atomicfile.OS, files.Markdown, page.Bytes()); err != nil {
			return exit.Infra("%w", err)
		}
		return nil
	}
	if o.Markdown != "" {
		return exit.Usage("show --markdown writes one finding: name it, or write all with report --markdown")
	}
	return list(o)
}

// fewEmpty is the number of campaigns without findings from which list names them in one line.
const fewEmpty = 3

// nothing reports whether a campaign has neither findings nor candidates.
func nothing(s *finding.Summary) bool { return len(s.Findings.Buckets)+s.Findings.Unjudged == 0 }

// listEmpty names the targets without findings, after others or alone.
func listEmpty(targets []string, others bool) error {
	if len(targets) == 0 {
		return nil
	}
	lines := columns.Wrap(fmt.Sprintf("Nothing was found in %d campaigns (--all shows each): %s", len(targets), escape.Text(strings.Join(targets, ", "))), terminal.OutWidth())
	if others {
		lines = append([]string{""}, lines...)
	}
	_, err := fmt.Println(strings.Join(lines, "\n"))
	return exit.Doing("writing", err)
}

// list shows the findings of all campaigns, of each the first ones unless all are wanted.
func list(o Shown) error {
	out := o.Folder
	pasts, problems, err := archive.Open(out)
	if err != nil {
		return err
	}
	for _, text := range problems {
		terminal.Say("left out: %v", text)
	}
	if !o.JSON && len(pasts) > 1 {
		slices.SortStableFunc(pasts, func(a, b *archive.Campaign) int { return b.Written().Compare(a.Written()) })
		fmt.Printf("%d campaigns, newest first: %s was written %s. --campaign FOLDER shows one\n\n", len(pasts), escape.Text(pasts[0].Shown()), text.Ago(time.Since(pasts[0].Written())))
	}
	summaries, err := archive.Summaries(pasts)
	if err != nil {
		return err
	}
	var empty []string // targets of campaigns without anything to read
	if !o.JSON && !o.All && !o.Flaky {
		for _, s := range summaries {
			if nothing(s) {
				empty = append(empty, s.Target)
			}
		}
	}
	if len(empty) < fewEmpty {
		empty = nil
	}
	begun := false
	for i, p := range pasts {
		if o.JSON {
			break
		}
		s := summaries[i]
		if empty != nil && nothing(s) {
			continue
		}
		if begun {
			os.Stdout.WriteString("\n")
		}
		begun = true
		if o.Flaky {
			if err := text.ListFlaky(os.Stdout, s, text.TextOptions{Width: terminal.OutWidth(), Color: terminal.OutColor()}); err != nil {
				return exit.Infra("writing: %w", err)
			}
			continue
		}
		end := text.EndOptions{Width: terminal.OutWidth(), Color: terminal.OutColor(), Limit: text.ShowLimit, Folder: p.Shown(), Full: true, Now: time.Now()}
		if o.All {
			end.Limit = -1
		}
		if out != "" {
			end.Flags = "--campaign " + shell.Word(out) + " "
		}
		if err := text.End(os.Stdout, s, end); err != nil {
			return exit.Infra("writing: %w", err)
		}
	}
	if !o.JSON {
		return listEmpty(empty, begun)
	}
	var data []byte
	if len(summaries) == 1 {
		data, err = summaries[0].Encode()
	} else {
		data, err = finding.EncodeAll(summaries, nil)
	}
	if err == nil {
		_, err = os.Stdout.Write(data)
	}
	return exit.Doing("writing", err)
}
