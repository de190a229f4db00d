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

// LimitVariable names the environment variable with the limit of the cache, such as 20GiB. "off"
// means no limit.
const LimitVariable = "PARALLAX_CACHE_LIMIT"

// DefaultLimit is the limit of the cache in bytes if the variable is not set.
const DefaultLimit = 10 << 30

// Unused is the time after the last use until an item is removed.
const Unused = 30 * 24 * time.Hour

// A sweep reads the sizes of all items. Between sweeps, runs add their growth to the recorded size.
// The next sweep is due at the limit, or a day after the last. It leaves a tenth of the limit free,
// so that not every run sweeps.
const (
	sweepEvery = 24 * time.Hour
	headroom   = 10
)

const (
	usageFile = "usage"    // the recorded size
	usageLock = "sweeping" // held while the size is changed
)

// root is the path of parallax's folder in the user's cache.
type root string

func openRoot() (root, error) {
	dir, err := os.UserCacheDir()
	return root(filepath.Join(dir, "parallax")), err
}

// MkdirAll creates a folder, in the cache or outside. Only the user may read a cache that it
// creates: it has copies of sources and output of programs. An existing cache keeps its
// permissions.
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

// usage records the size of the cache.
type usage struct {
	Version int       `json:"version"`
	Bytes   int64     `json:"bytes"`
	Swept   time.Time `json:"swept"`
}

// Limit returns the limit of the cache in bytes. Zero means no limit.
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

// ParseSize reads a size such as 500MiB. Only 0 needs no unit: a number of bytes is surely a
// mistake here.
func ParseSize(text string) (int64, error) {
	n, ok := tomldoc.ParseSize(text)
	if last := text[max(0, len(text)-1):]; !ok || n != 0 && last >= "0" && last <= "9" {
		return 0, strconv.ErrSyntax
	}
	return n, nil
}

// grow records that a run has added bytes to the cache, and sweeps if a sweep is due. Errors are
// ignored: a cache that cannot be written does not grow. The next sweep finds growth that a
// concurrent process failed to record.
func (r root) grow(bytes int64, now time.Time) {
	limit, err := Limit()
	if err != nil { // Open reports it
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

// read reads the recorded size. It returns the zero usage if the file is missing or damaged.
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
