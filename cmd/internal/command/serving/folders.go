package serving

import (
	"context"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/command/archive"
	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/finding/history"
	"parallax/cmd/internal/serve"
	"parallax/cmd/internal/show/page"
)

// folders reads the campaigns of folders for the live page. It implements serve.Source.
type folders struct {
	dirs []string

	mu   sync.Mutex
	all  map[string]*followed // by folder
	last []*serve.Campaign
	// began means that the folders were read before.
	began bool
}

// followed is a campaign that is read again and again.
type followed struct {
	id       string
	follower *archive.Follower
	view     *archive.View // nil if it could never be read
	problem  string
	shown    *serve.Campaign
}

func newFolders(dirs []string) *folders {
	return &folders{dirs: dirs, all: map[string]*followed{}}
}

// Read implements serve.Source.
func (f *folders) Read(now time.Time) (list []*serve.Campaign, changed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	dirs, err := archive.Folders(f.dirs)
	if err != nil { // a folder that the user named vanished: the others stay
		dirs = f.present()
	}
	next := map[string]*followed{}
	for _, dir := range dirs {
		abs, err := filepath.Abs(dir)
		if err != nil {
			abs = dir
		}
		if next[abs] != nil { // named twice
			continue
		}
		one := f.all[abs]
		if one == nil {
			one = &followed{follower: archive.Follow(dir)}
		}
		next[abs] = one
		one.read(now)
	}
	f.all = next
	f.name()
	for _, abs := range f.sorted() {
		list = append(list, next[abs].campaign())
	}
	changed = !f.began || !slices.Equal(list, f.last)
	f.last, f.began = list, true
	return list, changed
}

// present returns the folders of the last reading.
func (f *folders) present() (dirs []string) {
	for _, dir := range f.dirs {
		if list, err := archive.Folders([]string{dir}); err == nil {
			dirs = append(dirs, list...)
		}
	}
	return dirs
}

func (f *folders) sorted() (list []string) {
	for abs := range f.all {
		list = append(list, abs)
	}
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(f.all[a].id, f.all[b].id) })
	return list
}

// read reads a campaign. If its folder cannot be read, the last view stays, with the reason.
func (c *followed) read(now time.Time) {
	view, err := c.follower.Read(now)
	problem := ""
	if err != nil {
		problem, view = archive.FirstLine(err), c.view
	}
	if view != c.view || problem != c.problem {
		c.view, c.problem, c.shown = view, problem, nil
	}
}

// name gives each campaign an id for addresses: the name of its folder. Of several campaigns in
// folders of one name, each has a part that depends on the whole path.
func (f *folders) name() {
	count := map[string]int{}
	for abs := range f.all {
		count[plain(filepath.Base(abs))]++
	}
	for abs, c := range f.all {
		id := plain(filepath.Base(abs))
		if count[id] > 1 {
			h := fnv.New32a()
			h.Write([]byte(abs))
			id += "-" + strconv.FormatUint(uint64(h.Sum32()), 36)
		}
		if id != c.id {
			c.id, c.shown = id, nil
		}
	}
}

// plain replaces the characters that an address would have to escape.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._+", r) {
			return r
		}
		return '_'
	}, strings.TrimLeft(name, "."))
}

// campaign returns the campaign for the page, the same one until it changes.
func (c *followed) campaign() *serve.Campaign {
	if c.shown != nil {
		return c.shown
	}
	m := page.Member{ID: c.id, Problem: c.problem}
	c.shown = &serve.Campaign{Member: m}
	if v := c.view; v != nil {
		c.shown.Folder, c.shown.Campaign = v.Shown(), v.Page
		c.shown.Running, c.shown.Waiting, c.shown.Workers = v.Running && c.problem == "", v.Waiting, v.Workers()
		c.shown.Finding = func(row *finding.Row) (page.Shown, error) { return v.Finding(row) }
		c.shown.Record, c.shown.Input, c.shown.Lines = v.Record, v.Input, v.Executed
	}
	return c.shown
}

// view returns the view of a campaign for a change.
func (f *folders) view(id string) (*archive.View, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.all {
		if c.id == id && c.view != nil {
			return c.view, nil
		}
	}
	return nil, exit.Usage("there is no campaign %q", id)
}

// Note implements serve.Source.
func (f *folders) Note(ctx context.Context, campaign, bucket string, e history.Entry) error {
	v, err := f.view(campaign)
	if err != nil {
		return err
	}
	return v.Note(ctx, bucket, e)
}

// Accept implements serve.Source.
func (f *folders) Accept(ctx context.Context, campaign, bucket, reason, author string) error {
	v, err := f.view(campaign)
	if err != nil {
		return err
	}
	return v.Accept(ctx, bucket, reason, author)
}
