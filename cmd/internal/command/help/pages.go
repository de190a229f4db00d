package help

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"parallax/cmd/internal/base/columns"
	"parallax/cmd/internal/base/lazyregexp"
)

// Pages of the reference are Markdown. A terminal gets them as text. Paragraphs, items and tables
// are broken to its width. Links to other pages name the command that prints them. Code stays as it
// is, since it is to be copied.

// listPages prints the name and the title of each page.
func listPages(w io.Writer, root *cobra.Command) error {
	for _, name := range PageNames(root) {
		text, _ := Topic(name)
		title, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
		if _, err := fmt.Fprintf(w, "%-22s%s\n", name, title); err != nil {
			return err
		}
	}
	return nil
}

var (
	link = lazyregexp.New(`!?\[([^\]]*)\]\(([^)\s]+)\)`)
	item = lazyregexp.New(`^ *(?:[-*]|\d+\.) `)
	rule = lazyregexp.New(`^\|[-:| ]+\|$`)
)

// PageText lays a page out.
func PageText(page string, width int, root *cobra.Command) string {
	p := &pageWriter{width: width, root: root}
	fenced := false
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, "\n")
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence:
			p.flush()
			fenced = !fenced
		case fenced:
			p.line("    " + line)
		case line == "":
			p.flush()
			p.line("")
		case strings.HasPrefix(line, "    ") && len(p.paragraph) == 0:
			p.line(line)
		case strings.HasPrefix(strings.TrimSpace(line), "|"):
			if len(p.paragraph) > 0 {
				p.flush()
			}
			p.table = append(p.table, strings.TrimSpace(line))
		case strings.HasPrefix(line, "#"):
			p.flush()
			p.lines(columns.Wrap(p.plain(strings.TrimSpace(strings.TrimLeft(line, "#"))), width))
		case item().MatchString(line):
			p.flush()
			p.paragraph = []string{line}
		default:
			p.paragraph = append(p.paragraph, line)
		}
	}
	p.flush()
	return strings.TrimRight(strings.Join(p.out, "\n"), "\n") + "\n"
}

type pageWriter struct {
	width     int
	root      *cobra.Command
	out       []string
	paragraph []string // lines of a paragraph or an item
	table     []string // rows
}

func (p *pageWriter) line(text string) { p.out = append(p.out, text) }

func (p *pageWriter) lines(list []string) { p.out = append(p.out, list...) }

// flush writes the paragraph, the item or the table that has ended.
func (p *pageWriter) flush() {
	if len(p.paragraph) > 0 {
		first := p.paragraph[0]
		mark := item().FindString(first)
		p.block(mark, strings.Repeat(" ", len(mark)), p.plain(strings.Join(p.paragraph, " ")[len(mark):]))
		p.paragraph = nil
	}
	if len(p.table) > 0 {
		p.rows()
		p.table = nil
	}
}

// block writes a text with something before its first line, and something before the others.
func (p *pageWriter) block(first, others, text string) {
	for i, l := range columns.Wrap(text, p.width-len(first)) {
		if i == 0 {
			p.line(first + l)
		} else {
			p.line(others + l)
		}
	}
}

// rows writes a table: in columns if they fit, else each row as its first cell and what the others
// say.
func (p *pageWriter) rows() {
	var table [][]string
	for _, row := range p.table {
		if rule().MatchString(row) {
			continue
		}
		row = strings.ReplaceAll(strings.Trim(row, "|"), `\|`, "\x00")
		var cells []string
		for cell := range strings.SplitSeq(row, "|") {
			cells = append(cells, strings.TrimSpace(strings.ReplaceAll(p.plain(cell), "\x00", "|")))
		}
		table = append(table, cells)
	}
	columns := make([]int, len(table[0]))
	whole := 0
	for i := range columns {
		for _, row := range table {
			if i < len(row) {
				columns[i] = max(columns[i], len([]rune(row[i])))
			}
		}
		whole += columns[i] + 2
	}
	if whole <= p.width {
		for _, row := range table {
			line := "  "
			for i, cell := range row {
				line += cell + strings.Repeat(" ", max(0, columns[min(i, len(columns)-1)]-len([]rune(cell)))+2)
			}
			p.line(strings.TrimRight(line, " "))
		}
		return
	}
	head := table[0]
	for _, row := range table[1:] {
		p.block("  ", "  ", row[0])
		for i, cell := range row[1:] {
			if len(row) > 2 && i+1 < len(head) && head[i+1] != "" && cell != "" {
				cell = head[i+1] + ": " + cell
			}
			if cell != "" {
				p.block("      ", "      ", cell)
			}
		}
	}
}

// plain is a text without Markdown's marks, but those of code.
func (p *pageWriter) plain(text string) string {
	text = link().ReplaceAllStringFunc(text, func(all string) string {
		m := link().FindStringSubmatch(all)
		return p.linked(m[1], m[2])
	})
	return strings.ReplaceAll(text, "**", "")
}

// linked is a link as text.
func (p *pageWriter) linked(text, to string) string {
	file, _, _ := strings.Cut(to, "#")
	folder, name := path.Split(file)
	isSchema := strings.HasSuffix(folder, "schema/")
	_, isPage := Topic(name)
	isPage = isPage && !strings.HasSuffix(folder, "dev/") // whose pages the binary does not have
	command := ""
	switch {
	case isSchema:
		command = "parallax help json " + strings.TrimSuffix(name, ".json")
	case isPage && strings.HasSuffix(name, pageSuffix):
		command = "parallax help " + pageName(p.root, strings.TrimSuffix(name, pageSuffix))
	case strings.HasPrefix(to, "https://"):
		command = to
	default:
		return text
	}
	if slices.Contains([]string{name, file, to, command, "`" + name + "`"}, text) || isSchema {
		return command
	}
	return text + " (" + command + ")"
}
