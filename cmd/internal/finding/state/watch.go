package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parallax/cmd/internal/finding"
)

// Reading a folder again and again while its campaign runs, as the live page does. A stamp is a
// text that changes with the files that it covers.

// BucketIDs returns the ids of the buckets on disk.
func (f *Folder) BucketIDs() ([]string, error) { return f.folders(f.path(findingsDir)) }

// BucketStamp returns the stamp of a bucket. A new finding and a new bucket.json change the time of
// the bucket's folder.
func (f *Folder) BucketStamp(id string) string {
	return f.stamp(f.path(findingsDir, id)) + f.stamp(f.path(findingsDir, id, historyFile))
}

// ReadBucket returns a bucket with its findings, or nil for an empty folder. problem reports a
// damaged bucket.json.
func (f *Folder) ReadBucket(id string) (b *finding.Bucket, problem string, err error) {
	if err := checkName(id); err != nil {
		return nil, "", fmt.Errorf("bucket: %w", err)
	}
	return f.readBucket(id)
}

// Stamp returns the stamp of the folder without its buckets.
func (f *Folder) Stamp() string {
	var b strings.Builder
	for _, name := range []string{configFile, statsFile, summaryFile, findingsDir, pendingDir} {
		b.WriteString(f.stamp(f.path(name)))
	}
	return b.String()
}

func (f *Folder) stamp(path string) string {
	info, err := f.fs.Stat(path)
	if err != nil {
		return "-;"
	}
	return fmt.Sprintf("%x.%x;", info.ModTime().UnixNano(), info.Size())
}

// Waiting returns the number of candidates that wait for triage.
func (f *Folder) Waiting() int {
	entries, err := f.fs.ReadDir(f.path(pendingDir))
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range entries {
		if checkName(e.Name()) == nil && filepath.Ext(e.Name()) == ".json" {
			n++
		}
	}
	return n
}

// sampleGap is longer than the time between two samples of a campaign that runs.
const sampleGap = 30 * time.Second

// Running reports whether a process runs the campaign. It asks for no lock, since a campaign that
// starts at this moment would find the folder taken. A process of another machine or container is
// known by its recent writes.
func (f *Folder) Running(now time.Time) bool {
	path := f.path(lockFile)
	data, err := f.fs.ReadFile(path)
	pid, bad := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || bad != nil || pid <= 0 { // the process has ended by itself
		return false
	}
	if now.Sub(f.Written()) < sampleGap {
		return true
	}
	// The number may belong to a later process, whose folder in /proc is younger than the lock.
	lock, err := f.fs.Stat(path)
	proc, procErr := os.Stat("/proc/" + strconv.Itoa(pid))
	return err == nil && procErr == nil && !proc.ModTime().After(lock.ModTime().Add(time.Second))
}

// Exists reports whether the folder still holds a campaign.
func (f *Folder) Exists() bool {
	_, err := f.fs.Stat(f.path(configFile))
	return !errors.Is(err, fs.ErrNotExist)
}
