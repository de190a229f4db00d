package help

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/exit"
	"parallax/internal/atomicfile"
)

// WriteMan writes the pages of all commands into a folder.
func WriteMan(root *cobra.Command, dir, version string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return exit.Infra("making the folder: %w", err)
	}
	return manPages(root, dir, version)
}

// manPages writes the page of a command and of those below it.
func manPages(c *cobra.Command, dir, version string) error {
	c.InitDefaultHelpFlag()
	path := filepath.Join(dir, manName(c)+".1")
	if err := atomicfile.Write(atomicfile.OS, path, []byte(ManPage(c, version))); err != nil {
		return exit.Infra("writing the pages: %w", err)
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			if err := manPages(sub, dir, version); err != nil {
				return err
			}
		}
	}
	return nil
}

func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// ManPage returns a page in the macros of man(7). It has no date, so that the pages of one release
// are equal.
func ManPage(c *cobra.Command, version string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q\n", strings.ToUpper(manName(c)), "parallax "+version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	_, arguments, _ := strings.Cut(c.UseLine(), c.CommandPath())
	fmt.Fprintf(&b, ".SH SYNOPSIS\n\\fB%s\\fR%s\n", roff(c.CommandPath()), roff(arguments))
	b.WriteString(".SH DESCRIPTION\n")
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	manText(&b, text)
	for i, g := range flagsOf(c) {
		if i == 0 {
			b.WriteString(".SH OPTIONS\n")
		} else {
			fmt.Fprintf(&b, ".SS %s\n", g.title)
		}
		for _, f := range g.flags {
			name := `\fB` + roff("--"+f.Name) + `\fR`
			if f.Shorthand != "" {
				name = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + name
			}
			value, usage := valueAndText(f, f.Usage)
			if value != "" {
				name += ` \fI` + roff(value) + `\fR`
			}
			fmt.Fprintf(&b, ".TP\n%s\n%s\n", name, roff(usage))
		}
	}
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	var also []string
	if c.HasParent() {
		also = append(also, manName(c.Parent()))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			also = append(also, manName(sub))
		}
	}
	if len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s(1)\n", roff(strings.Join(also, "(1), ")))
	}
	return b.String()
}

// manText writes a description: lines that are set in stay as they are.
func manText(b *strings.Builder, text string) {
	verbatim := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if in := strings.HasPrefix(line, " "); in != verbatim && line != "" {
			b.WriteString(map[bool]string{true: ".nf\n", false: ".fi\n"}[in])
			verbatim = in
		}
		if line == "" {
			b.WriteString(".PP\n")
		} else {
			b.WriteString(roff(line) + "\n")
		}
	}
	if verbatim {
		b.WriteString(".fi\n")
	}
}

// roff escapes a text for man(7).
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
