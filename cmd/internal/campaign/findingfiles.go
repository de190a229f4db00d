package campaign

import (
	"maps"

	"parallax/cmd/internal/program/kinds"
	"parallax/cmd/internal/report"
)

// The files of a finding: what stands in its folder, and how its report is brought up to date.

// Files of a finding.
const (
	inputFile     = "input"
	minimizedFile = "minimized"
	parentFile    = "parent"
	outputsFile   = "outputs.json"
	reportFile    = "report.md"
)

// filesOf are what stands in the finding's folder. b is its bucket, nil when nothing is known of it.
func (f *findings) filesOf(rep *report.Finding, b *bucket) (map[string][]byte, error) {
	shape := rep.Shape
	outputs, err := rep.JSON()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		inputFile: shape.Encode(rep.Input), minimizedFile: shape.Encode(rep.Minimized), outputsFile: outputs,
	}
	if rep.Parent != nil && shape.Check(rep.Parent) == nil {
		files[parentFile] = shape.Encode(rep.Parent)
	}
	page := report.Page{Dir: f.folder.Config().Dir, Built: f.built()}
	if b != nil {
		page.Similar = f.related(b)
	}
	if rep.Repro != nil || rep.Fuzz != nil {
		// A finding counts without its reproducer: the input and the outputs are what cannot be had again.
		text, err := rep.Reproducer()
		var mod []byte
		if err == nil {
			mod, err = rep.GoMod()
		}
		switch {
		case err != nil:
			if f.warn != nil {
				f.warn("no reproducer: " + err.Error())
			}
		default:
			files[report.ReproducerFile], page.Reproducer = text, string(text)
			if mod != nil {
				files["go.mod"], page.GoMod = mod, string(mod)
			}
		}
	}
	if rep.Script != nil {
		script, err := rep.ScriptFiles()
		if err != nil && f.warn != nil {
			f.warn("no reproducer: " + err.Error())
		}
		maps.Copy(files, script)
		page.Script = string(script[report.ScriptFile])
	}
	files[reportFile] = rep.Markdown(page)
	return files, nil
}

// built are the folders in which the campaign's programs were built, as far as it is known.
func (f *findings) built() []string {
	if f.folders == nil {
		f.folders = []string{}
		for _, p := range f.folder.Config().Identity.Programs {
			if k := kinds.Table.Find(p.Kind); k != nil && k.Folders != nil {
				f.folders = append(f.folders, k.Folders(p.Function)...)
			}
		}
	}
	return f.folders
}

// rewrite makes the report of a bucket's smallest input anew. It tells what outputs.json has, so what cannot be written is
// left as it was.
func (f *findings) rewrite(b *bucket) {
	page := f.page(b)
	err := f.folder.UpdateFinding(b.ID, b.bestHash, map[string][]byte{reportFile: b.best.Markdown(page)})
	if err != nil && f.warn != nil {
		f.warn("the report is not up to date: " + err.Error())
	}
}

// page is what the report of a bucket's smallest input shows beyond its record.
func (f *findings) page(b *bucket) report.Page {
	page := report.Page{Dir: f.folder.Config().Dir, Built: f.built(), Similar: f.related(b)}
	read := func(name string) string {
		data, _ := f.folder.ReadFinding(b.ID, b.bestHash, name)
		return string(data)
	}
	page.Reproducer, page.GoMod, page.Script = read(report.ReproducerFile), read("go.mod"), read(report.ScriptFile)
	for _, entry := range b.Findings {
		if other, ok := b.inputs[entry.Hash]; ok && entry.Hash != b.bestHash {
			page.Others = append(page.Others, other)
		}
	}
	return page
}
