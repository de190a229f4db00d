package report

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/shell"
)

// What a summary of many findings tells of one: the parts of its report that others need first, and a line that runs it again.

// Brief is a part of report.md: what each program did, where outputs differ, the input, and where it was decided. Its headings are two
// levels lower. Whatever comes from programs and inputs is code in it.
func (f *Finding) Brief(page Page) []byte {
	page.markdown, page.width = true, rowWidth
	if page.Source == nil {
		page.Source = Sources(append([]string{page.Dir}, page.Built...)...)
	}
	d := &document{}
	f.did(d, page)
	f.differ(d, page)
	f.inputs(d, page)
	f.decided(d, page)
	var b bytes.Buffer
	for i, bl := range d.blocks {
		if i > 0 {
			b.WriteByte('\n')
		}
		if h, ok := bl.(headingBlock); ok {
			bl = headingBlock{h.level + 2, h.spans}
		}
		bl.markdown(&b)
	}
	return b.Bytes()
}

// Alone is a line for a shell that runs the finding again without parallax; empty where there is none. It is given where the finding's
// folder is page.Folder: that of a fuzz test also in its module.
func (f *Finding) Alone(page Page) string {
	switch folder := page.Folder; {
	case folder == "":
		return ""
	case page.Script != "":
		return "sh " + shell.Word(filepath.Join(folder, ScriptFile))
	case page.Reproducer == "":
		return ""
	case f.Fuzz != nil:
		path := shell.Word(f.Fuzz.ImportPath)
		return fmt.Sprintf("cp %s \"$(go list -f '{{.Dir}}' %s)\"/%s && %s", shell.Word(filepath.Join(folder, ReproducerFile)), path,
			f.Fuzz.file(f.Bucket), strings.TrimSuffix(f.fuzzCommand(""), ".")+path)
	case strings.Contains(page.Reproducer, "func TestDiscrepancy("):
		return "cd " + shell.Word(folder) + " && " + ReproducerCommand
	}
	return ""
}

// Position takes a source position apart: file:line or file:line:column. The line is 0 when there is none.
func Position(position string) (file string, line int) {
	file, _, line = cutPosition(position)
	return file, line
}
