package findings

import (
	"maps"
	"path/filepath"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/subject/config"
	"parallax/cmd/internal/subject/kinds"
)

// The files in the folder of a finding.
const (
	InputFile     = "input"
	MinimizedFile = "minimized"
	parentFile    = "parent"
	OutputsFile   = "outputs.json"
	ReportFile    = "report.md"
	GeneratedFile = "generated"
)

// filesOf returns the files of a finding's folder. A nil bucket means that links and seed are
// unknown.
func (f *Buckets) filesOf(rep *finding.Finding, b *Group) (map[string][]byte, error) {
	page := finding.Page{Dir: f.folder.Config().Dir, Built: f.Built(), Trees: f.Trees(), Confirm: f.folder.Config().Options["confirm"], Remark: f.folder.Notes()[rep.Summarize().Quoted].Remark}
	if f.Sources != nil {
		f.Sources(rep, page)
	}
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
	if given := rep.ProgramInput(); given != rep {
		files[GeneratedFile] = given.Shape.Encode(given.Minimized)
	}
	if b != nil {
		page.Similar, page.Seed = f.related(b), b.Extra[seedKey]
	}
	if rep.Reproducer != nil {
		// It is optional: input and outputs cannot be made again, a reproducer can.
		more, err := rep.Reproducer.Files(rep)
		if err != nil && f.Warn != nil {
			f.Warn("no reproducer: " + err.Error())
		}
		maps.Copy(files, more)
		page.Reproducer, page.GoMod, page.Script = string(more[reproducer.TestFile]), string(more["go.mod"]), string(more[reproducer.ScriptFile])
	}
	if f.Describe != nil {
		files[ReportFile] = f.Describe(rep, page)
	}
	return files, nil
}

// Built returns the known folders in which the campaign's programs were built.
func (f *Buckets) Built() []string {
	if f.folders == nil {
		f.folders = []string{}
		cfg := f.folder.Config()
		for _, path := range config.BuiltIn(cfg.Options) { // here, Function is the path in each version's tree
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

// Trees returns the source folders of two versions by program.
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

// versionDirs returns the source folders of versions, in the order of the programs. It returns none
// for other programs.
func (f *Buckets) versionDirs() (dirs []string) {
	options := f.folder.Config().Options
	for _, key := range []string{"new_dir", "old_dir"} {
		if dir := options[key]; dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return append(dirs, filepath.SplitList(options["version_dirs"])...)
}

// rewriteReport writes the report of a bucket's smallest input again. On failure, the old report
// stays: it only repeats outputs.json.
func (f *Buckets) rewriteReport(b *Group) {
	if f.Describe == nil {
		return
	}
	err := f.folder.UpdateFinding(b.ID, b.BestHash, map[string][]byte{ReportFile: f.Describe(b.Best, f.Page(b))})
	if err != nil && f.Warn != nil {
		f.Warn("the report is out of date: " + err.Error())
	}
}

// Page returns the parts of a report that the record of the smallest input does not hold.
func (f *Buckets) Page(b *Group) finding.Page {
	page := finding.Page{Dir: f.folder.Config().Dir, Built: f.Built(), Trees: f.Trees(), Similar: f.related(b), Seed: b.Extra[seedKey], Confirm: f.folder.Config().Options["confirm"], Remark: f.folder.Notes()[b.Best.Summarize().Quoted].Remark, Waits: b.Extra[UnfinishedKey] != "", Older: f.older(b)}
	read := func(name string) string {
		data, _ := f.folder.ReadFinding(b.ID, b.BestHash, name)
		return string(data)
	}
	page.Reproducer, page.GoMod, page.Script = read(reproducer.TestFile), read("go.mod"), read(reproducer.ScriptFile)
	e, _ := AcceptedAs(f.Accepted, &b.Bucket)
	for _, hash := range b.OtherInputs() {
		if other, ok := b.inputs[hash]; ok {
			other.New = b.isLater(e, other.Variant, other.Count)
			if page.Older || other.Count <= b.located() { // lines of older sources
				other.Where = make([]string, len(other.Where))
			}
			page.Others = append(page.Others, other)
		}
	}
	return page
}
