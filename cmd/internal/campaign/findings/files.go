package findings

import (
	"maps"
	"path/filepath"

	"parallax/cmd/internal/base/spdx"
	"parallax/cmd/internal/finding/report"
	"parallax/cmd/internal/subject/config"
	"parallax/cmd/internal/subject/kinds"
)

// The files of a finding: what stands in its folder, and how its report is brought up to date.

// Files of a finding.
const (
	InputFile     = "input"
	MinimizedFile = "minimized"
	parentFile    = "parent"
	OutputsFile   = "outputs.json"
	ReportFile    = "report.md"
	GeneratedFile = "generated"
)

// filesOf are what stands in the finding's folder. b is its bucket, nil when nothing is known of it.
func (f *Buckets) filesOf(rep *report.Finding, b *Bucket) (map[string][]byte, error) {
	shape := rep.Shape
	outputs, err := rep.JSON()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		InputFile: shape.Encode(rep.Input), MinimizedFile: shape.Encode(rep.Minimized), OutputsFile: outputs,
	}
	if rep.Parent != nil && shape.Check(rep.Parent) == nil {
		files[parentFile] = shape.Encode(rep.Parent)
	}
	given := rep.Given()
	if given != rep {
		files[GeneratedFile] = given.Shape.Encode(given.Minimized)
	}
	page := report.Page{Dir: f.folder.Config().Dir, Built: f.Built(), Trees: f.Trees(), Confirm: f.folder.Config().Options["confirm"]}
	if b != nil {
		page.Similar, page.Seed = f.related(b), b.Extra[seedKey]
	}
	if rep.Repro != nil || rep.Fuzz != nil {
		// A finding counts without its reproducer: the input and the outputs are what cannot be had again.
		source := rep.Taken()
		text, err := source.Reproducer()
		var mod []byte
		if err == nil {
			mod, err = source.GoMod()
		}
		switch {
		case err != nil:
			if f.Warn != nil {
				f.Warn("no reproducer: " + err.Error())
			}
		default:
			text = spdx.Mark(report.ReproducerFile, text)
			files[report.ReproducerFile], page.Reproducer = text, string(text)
			for name, more := range source.ReproducerMore() {
				files[name] = spdx.Mark(name, more)
			}
			if mod != nil {
				mod = spdx.Mark("go.mod", mod)
				files["go.mod"], page.GoMod = mod, string(mod)
			}
		}
	}
	if rep.Script != nil {
		script, err := given.ScriptFiles()
		if err != nil && f.Warn != nil {
			f.Warn("no reproducer: " + err.Error())
		}
		maps.Copy(files, script)
		page.Script = string(script[report.ScriptFile])
	}
	files[ReportFile] = rep.Markdown(page)
	return files, nil
}

// Built are the folders in which the campaign's programs were built, as far as it is known.
func (f *Buckets) Built() []string {
	if f.folders == nil {
		f.folders = []string{}
		cfg := f.folder.Config()
		for _, path := range config.BuiltIn(cfg.Options) { // of these, Function is the path in each version's tree
			f.folders = append(f.folders, kinds.Table.Find("c").Folders(path)...)
		}
		for _, p := range cfg.Identity.Programs {
			if k := kinds.Table.Find(p.Kind); k != nil && k.Folders != nil {
				f.folders = append(f.folders, k.Folders(p.Function)...)
			}
		}
	}
	return f.folders
}

// Trees are the folders of two versions' sources, by program.
func (f *Buckets) Trees() map[string]string {
	dirs, programs := f.versionDirs(), f.folder.Config().Identity.Programs
	if len(dirs) != len(programs) {
		return nil
	}
	trees := map[string]string{}
	for i, p := range programs {
		trees[p.Name] = dirs[i]
	}
	return trees
}

// versionDirs are the folders of versions' sources, in the order of the programs; none where programs are no versions.
func (f *Buckets) versionDirs() (dirs []string) {
	options := f.folder.Config().Options
	for _, key := range []string{"new_dir", "old_dir"} {
		if dir := options[key]; dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return append(dirs, filepath.SplitList(options["version_dirs"])...)
}

// rewrite makes the report of a bucket's smallest input anew. It tells what outputs.json has, so what cannot be written is
// left as it was.
func (f *Buckets) rewrite(b *Bucket) {
	page := f.Page(b)
	err := f.folder.UpdateFinding(b.ID, b.BestHash, map[string][]byte{ReportFile: b.Best.Markdown(page)})
	if err != nil && f.Warn != nil {
		f.Warn("the report is out of date: " + err.Error())
	}
}

// Page is what the report of a bucket's smallest input shows beyond its record.
func (f *Buckets) Page(b *Bucket) report.Page {
	page := report.Page{Dir: f.folder.Config().Dir, Built: f.Built(), Trees: f.Trees(), Similar: f.related(b), Seed: b.Extra[seedKey], Confirm: f.folder.Config().Options["confirm"], Waits: b.Extra[UnfinishedKey] != ""}
	read := func(name string) string {
		data, _ := f.folder.ReadFinding(b.ID, b.BestHash, name)
		return string(data)
	}
	page.Reproducer, page.GoMod, page.Script = read(report.ReproducerFile), read("go.mod"), read(report.ScriptFile)
	e, _ := AcceptedAs(f.Accepted, &b.Bucket)
	for _, entry := range b.Findings {
		if other, ok := b.inputs[entry.Hash]; ok && entry.Hash != b.BestHash {
			other.New = b.came(e, other.Variant, other.Count)
			page.Others = append(page.Others, other)
		}
	}
	return page
}
