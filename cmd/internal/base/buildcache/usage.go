package buildcache

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/base/filelock"
	"parallax/cmd/internal/base/tomldoc"
	"parallax/internal/atomicfile"
)

// LimitVariable is the environment variable with the limit of the cache, such as 20GiB. With "off" there is none.
const LimitVariable = "PARALLAX_CACHE_LIMIT"

// DefaultLimit is the limit of the cache where the user says nothing.
const DefaultLimit = 10 << 30

// Unused is how long something is kept after its last use.
const Unused = 30 * 24 * time.Hour

// A sweep reads the sizes of all that the cache holds. Between two, runs add up what they have added: at the limit, and a day
// after the last sweep, the next one is due. It leaves a tenth of the limit free, so that not every run sweeps.
const (
	sweepEvery = 24 * time.Hour
	headroom   = 10
)

const (
	usageFile = "usage"    // what is known of the size
	usageLock = "sweeping" // who changes that
)

// root is parallax's folder in the user's cache.
type root string

func openRoot() (root, error) {
	dir, err := os.UserCacheDir()
	return root(filepath.Join(dir, "parallax")), err
}

// MkdirAll makes a folder, which may be one of the cache. Only the user may look into a cache that it makes: it has copies of sources and
// what programs print. A cache that is there keeps its permissions.
func MkdirAll(dir string) error {
	if r, err := openRoot(); err == nil && r.holds(dir) {
		if err := os.MkdirAll(string(r), 0o700); err != nil {
			return err
		}
	}
	return os.MkdirAll(dir, 0o755)
}

// holds reports whether a path lies in the cache.
func (r root) holds(path string) bool {
	return strings.HasPrefix(path, string(r)+string(filepath.Separator))
}

// usage is what is known of the cache's size.
type usage struct {
	Version int       `json:"version"`
	Bytes   int64     `json:"bytes"`
	Swept   time.Time `json:"swept"`
}

// Limit is the limit of the cache in bytes, 0 if there is none.
func Limit() (int64, error) {
	text := strings.TrimSpace(os.Getenv(LimitVariable))
	switch text {
	case "":
		return DefaultLimit, nil
	case "off":
		return 0, nil
	}
	n, err := ParseSize(text)
	if err != nil || n == 0 {
		return 0, exit.Usage("%s=%s: give a size such as 20GiB, or off", LimitVariable, text)
	}
	return n, nil
}

// ParseSize reads a size such as 500MiB. A number without a unit is none but 0: it would mean bytes, and nobody counts the cache in these.
func ParseSize(text string) (int64, error) {
	n, ok := tomldoc.ParseSize(text)
	if last := text[max(0, len(text)-1):]; !ok || n != 0 && last >= "0" && last <= "9" {
		return 0, strconv.ErrSyntax
	}
	return n, nil
}

// grow notes that a run has added bytes to the cache, and sweeps if that is due. It does what it can: a cache that cannot be
// written grows no more, and what another process notes meanwhile, the next sweep finds.
func (r root) grow(bytes int64, now time.Time) {
	limit, err := Limit()
	if err != nil { // Open says so
		return
	}
	u := r.read()
	due := func() bool {
		return now.Sub(u.Swept) >= sweepEvery || u.Swept.After(now) || limit > 0 && u.Bytes > limit
	}
	if bytes == 0 && !due() {
		return
	}
	l, err := filelock.Try(filepath.Join(string(r), usageLock), filelock.Exclusive)
	if err != nil {
		return
	}
	defer l.Release()
	u = r.read()
	u.Bytes += bytes
	if due() {
		left := clean(r, Request{Older: Unused, To: limit - limit/headroom, Bounded: limit > 0, now: now})
		u = usage{Bytes: left.Left, Swept: now}
	}
	r.write(u)
}

// read reads what is known of the size. Nothing is known where the file is missing or damaged.
func (r root) read() (u usage) {
	data, err := os.ReadFile(filepath.Join(string(r), usageFile))
	if err != nil || json.Unmarshal(data, &u) != nil || u.Version != 1 || u.Bytes < 0 {
		return usage{}
	}
	return u
}

func (r root) write(u usage) {
	u.Version = 1
	if data, err := json.Marshal(u); err == nil {
		atomicfile.Write(atomicfile.OS, filepath.Join(string(r), usageFile), append(data, '\n'))
	}
}
