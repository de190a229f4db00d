package page

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/base/lazyregexp"
)

// Limits of the source on the whole page, in lines: browsers get slow beyond them.
const (
	maxLines     = 24000
	maxFileLines = 5000
)

// A listing folds long stretches without information to their ends.
const (
	foldQuiet = 18 // lines without counted code
	foldCold  = 48 // lines that no program executes
	foldKeeps = 3
)

// folderView is a package with its files.
type folderView struct {
	Name  string
	Cells []cell
	Files []*fileView
	Cold  bool // no program executes any of it
}

// fileView is a source file.
type fileView struct {
	ID      string
	Name    string
	Cells   []cell
	Columns []column
	Rows    []row
	Cut     string // reason for a missing listing
	To      string // address of the file's own view
	Cold    bool

	file *File
	path string
}

// cell is the coverage of a part of the code by one program.
type cell struct {
	Program string
	Class   string
	Owned   bool
	Covered int
	Blocks  int
	Percent string
	Bar     string // length, of 100
}

// column is a program in a listing that executes some of the file.
type column struct {
	Name  string
	Class string
	index int
}

// row is a line of a listing, or a gap.
type row struct {
	ID    string
	N     int
	State string // "all", "some", "none" of the programs execute it; empty without counted blocks
	Cells []lineCell
	Runs  []Run
	Gap   string
	Span  int // columns of the table
}

// lineCell shows the number of inputs that execute a line in one program.
type lineCell struct {
	State string // "y", "p" for a partly executed line, "n", ""
	Text  string
	To    string // id of an input that executes it
	Title string

	traces int
}

// exampleID returns the id of an input on the page.
func exampleID(campaign, i int) string { return fmt.Sprintf("c%d-i%d", campaign, i+1) }

// lister makes listings while there is room.
type lister struct {
	read   func(string) ([]byte, error)
	room   int
	wanted map[string]map[int]bool // lines that findings refer to, by file
	code   map[string]*code
}

func newLister(read func(string) ([]byte, error)) *lister {
	return &lister{read: read, room: maxLines, wanted: map[string]map[int]bool{}, code: map[string]*code{}}
}

// want keeps a line from being folded.
func (l *lister) want(place string) {
	file, line, ok := cutLine(place)
	if !ok {
		return
	}
	if l.wanted[file] == nil {
		l.wanted[file] = map[int]bool{}
	}
	l.wanted[file][line] = true
}

// source returns a parsed file, or nil if it cannot be read.
func (l *lister) source(file string) *code {
	if c, ok := l.code[file]; ok {
		return c
	}
	var c *code
	if src, err := l.read(file); err == nil && len(src) < 4<<20 {
		c = readCode(src)
	}
	l.code[file] = c
	return c
}

// folders returns the packages of a campaign, with listings of the most important files.
func (l *lister) folders(campaign int, c *Campaign) []*folderView {
	var files []*fileView
	for i := range c.Coverage.Files {
		f := &c.Coverage.Files[i]
		v := &fileView{ID: fmt.Sprintf("c%d-s%d", campaign, i+1), Name: escape.Text(f.Name), file: f, path: f.Path}
		v.Cells = f.cells(c.Programs)
		v.Cold = cold(v.Cells)
		files = append(files, v)
	}
	// Files with findings come first, then those with the most executed blocks.
	order := slices.Clone(files)
	slices.SortStableFunc(order, func(a, b *fileView) int {
		return cmp.Or(len(l.wanted[b.path])-len(l.wanted[a.path]), executed(b.Cells)-executed(a.Cells))
	})
	for _, v := range order {
		l.list(campaign, v, c)
	}
	var folders []*folderView
	for _, v := range files {
		name := escape.Text(v.file.Folder)
		if n := len(folders); n == 0 || folders[n-1].Name != name {
			folders = append(folders, &folderView{Name: name})
		}
		f := folders[len(folders)-1]
		f.Files = append(f.Files, v)
	}
	for _, f := range folders {
		for _, v := range f.Files {
			f.Cells = sum(f.Cells, v.Cells)
		}
		f.Cold = cold(f.Cells)
	}
	return folders
}

func executed(cells []cell) int {
	n := 0
	for _, c := range cells {
		n += c.Covered
	}
	return n
}

func cold(cells []cell) bool { return executed(cells) == 0 }

func (f *File) cells(programs []Program) []cell {
	cells := make([]cell, len(programs))
	for p, prog := range programs {
		c := cell{Program: escape.Text(prog.Name), Class: color(p), Owned: p < len(f.Owners) && f.Owners[p]}
		if c.Owned {
			c.Blocks = len(f.Blocks)
			for _, b := range f.Blocks {
				if p < len(b.Hits) && b.Hits[p].seen() {
					c.Covered++
				}
			}
		}
		cells[p] = c.finish()
	}
	return cells
}

func (h Hit) seen() bool { return h.Inputs > 0 || h.Traces > 0 || h.Ever }

func (c cell) finish() cell {
	if c.Blocks > 0 {
		share := 100 * float64(c.Covered) / float64(c.Blocks)
		c.Percent, c.Bar = fmt.Sprintf("%.0f%%", share), unit(share)
		if share > 0 && share < 1 {
			c.Percent = "<1%"
		}
		if c.Covered < c.Blocks && share > 99 {
			c.Percent = "99%"
		}
	}
	return c
}

func sum(a, b []cell) []cell {
	if a == nil {
		return slices.Clone(b)
	}
	for i := range a {
		a[i].Owned = a[i].Owned || b[i].Owned
		a[i].Covered += b[i].Covered
		a[i].Blocks += b[i].Blocks
		a[i] = a[i].finish()
	}
	return a
}

// list makes the listing of a file, or explains why there is none.
func (l *lister) list(campaign int, v *fileView, c *Campaign) {
	if v.Cold && len(l.wanted[v.path]) == 0 {
		v.Cut = "Nothing here is executed."
		return
	}
	const small = "The listing is left out to keep the page small. The file is "
	if l.room <= 0 {
		v.Cut = small + escape.Text(escape.ShortPath(v.path))
		return
	}
	text := l.source(v.path)
	if text == nil {
		v.Cut = "The source cannot be read here: " + escape.Text(escape.ShortPath(v.path))
		return
	}
	for p, prog := range c.Programs {
		if v.Cells[p].Covered > 0 {
			v.Columns = append(v.Columns, column{escape.Text(prog.Name), color(p), p})
		}
	}
	rows := l.fold(v, l.rows(campaign, v, text))
	if len(rows) > maxFileLines {
		gap := row{Gap: fmt.Sprintf("%s further lines are left out", thousands(len(rows)-maxFileLines)), Span: len(v.Columns) + 2}
		rows = append(rows[:maxFileLines:maxFileLines], gap)
	}
	if len(rows) > l.room {
		v.Cut, v.Columns = small+escape.Text(escape.ShortPath(v.path)), nil
		return
	}
	l.room -= len(rows)
	v.Rows = rows
}

// rows returns all lines of a file with the inputs that execute them.
func (l *lister) rows(campaign int, v *fileView, text *code) []row {
	blocks := slices.Clone(v.file.Blocks)
	slices.SortStableFunc(blocks, func(a, b Block) int { return a.Line - b.Line })
	n := len(text.lines)
	outer := make([]int, n+1) // the last block that begins before a line and covers it, plus one
	starts := make([][]int, n+1)
	for i, b := range blocks {
		if b.Line < 1 || b.Line > n {
			continue
		}
		starts[b.Line] = append(starts[b.Line], i)
		for line := b.Line + 1; line <= min(b.EndLine, n); line++ {
			outer[line] = i + 1
		}
	}
	rows := make([]row, n)
	for i := range rows {
		line := i + 1
		r := row{N: line, Runs: text.lines[i], Span: len(v.Columns) + 2}
		if l.wanted[v.path][line] {
			r.ID = fmt.Sprintf("%s-L%d", v.ID, line)
		}
		var here []*Block
		if outer[line] > 0 {
			here = append(here, &blocks[outer[line]-1])
		}
		for _, k := range starts[line] {
			here = append(here, &blocks[k])
		}
		if !text.busy[i] {
			here = nil
		}
		yes := 0
		for _, col := range v.Columns {
			cell := lineOf(campaign, col.index, here)
			if cell.State == "y" || cell.State == "p" {
				yes++
			}
			r.Cells = append(r.Cells, cell)
		}
		switch {
		case len(here) == 0:
		case yes == 0:
			r.State = "none"
		case yes < len(v.Columns):
			r.State = "some"
		default:
			r.State = "all"
		}
		rows[i] = r
	}
	return rows
}

// lineOf describes the execution of a line's blocks by the inputs of one program. The line has the
// count of the block that is executed most: the others are branches of it.
func lineOf(campaign, program int, blocks []*Block) lineCell {
	if len(blocks) == 0 {
		return lineCell{}
	}
	var best Hit
	var missing []string
	for _, b := range blocks {
		var h Hit
		if program < len(b.Hits) {
			h = b.Hits[program]
		}
		if text := absence(b.Kind); !h.seen() && !slices.Contains(missing, text) {
			missing = append(missing, text)
		}
		if h.Inputs > best.Inputs || h.Traces > best.Traces {
			h.Ever = h.Ever || best.Ever
			best = h
		}
		best.Ever = best.Ever || h.Ever
	}
	switch {
	case best.Inputs > 0:
		cell := lineCell{State: "y", Text: thousands(best.Inputs), To: exampleID(campaign, best.Example)}
		if len(missing) > 0 {
			cell.State, cell.Title = "p", escape.Text(strings.Join(missing, "; "))
		}
		return cell
	case best.Traces > 0 || best.Ever && campaign == 0:
		cell := lineCell{State: "y", traces: best.Traces, Text: "•", Title: escape.Text(strings.Join(missing, "; "))}
		if best.Traces > 0 {
			cell.Text = thousands(best.Traces)
		}
		if len(missing) > 0 {
			cell.State = "p"
		}
		return cell
	case best.Ever:
		return lineCell{State: "y", Text: "•", Title: "executed while fuzzing, but not by any input of the corpus"}
	}
	return lineCell{State: "n", Text: "0"}
}

// absence explains why a block of a kind was not executed.
func absence(kind string) string {
	switch kind {
	case "then":
		return "the condition never holds"
	case "else", "implicit-else":
		return "the condition always holds"
	case "body":
		return "the loop is never entered"
	case "case", "comm", "default":
		return "this case is never chosen"
	case "implicit-default":
		return "a case is always chosen"
	case "and", "or":
		return "the right operand is never evaluated"
	}
	return kind + " is never executed"
}

// fold replaces long stretches by gaps.
func (l *lister) fold(v *fileView, rows []row) []row {
	var out []row
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && rows[j].ID == "" && rows[j].quiet() == rows[i].quiet() && rows[j].cold() == rows[i].cold() {
			j++
		}
		if j == i {
			j++ // a wanted line
		}
		limit, what := 0, ""
		switch {
		case rows[i].quiet():
			limit, what = foldQuiet, "lines without counted code"
		case rows[i].cold():
			limit, what = foldCold, "lines that are never executed"
		}
		if limit > 0 && j-i >= limit {
			out = append(out, rows[i:i+foldKeeps]...)
			out = append(out, row{Gap: fmt.Sprintf("%s %s", thousands(j-i-2*foldKeeps), what), Span: rows[i].Span})
			out = append(out, rows[j-foldKeeps:j]...)
		} else {
			out = append(out, rows[i:j]...)
		}
		i = j
	}
	return out
}

func (r *row) quiet() bool { return r.State == "" }

// cold reports whether no program executes the row, or whether it has no code and lies between such
// rows.
func (r *row) cold() bool { return r.State == "none" }

// excerpt is the source around a place.
type excerpt struct {
	Rows []excerptRow
}

type excerptRow struct {
	N    int
	Here bool
	Runs []Run
}

// excerptAt returns the source near a place, or nil if it cannot be read.
func (l *lister) excerptAt(place string, lines int) *excerpt {
	file, line, ok := cutLine(place)
	if !ok {
		return nil
	}
	text := l.source(file)
	if text == nil || line < 1 || line > len(text.lines) {
		return nil
	}
	e := &excerpt{}
	for n := max(1, line-lines); n <= min(len(text.lines), line+lines); n++ {
		e.Rows = append(e.Rows, excerptRow{n, n == line, text.lines[n-1]})
	}
	return e
}

var placePattern = lazyregexp.New(`^(.+?):([0-9]{1,9})(?::[0-9]+)?$`)

// cutLine splits file:line or file:line:column.
func cutLine(place string) (file string, line int, ok bool) {
	m := placePattern().FindStringSubmatch(place)
	if m == nil {
		return "", 0, false
	}
	line, err := strconv.Atoi(m[2])
	return m[1], line, err == nil
}

// shortPlace returns file:line without folders.
func shortPlace(place string) string { return escape.Text(path.Base(place)) }
