package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/internal/atomicfile"
)

const bucketFile = "bucket.json"

// WriteFinding creates findings/<bucket>/<hash>/ with all files at once. Names of files may have
// slashes. added is false if the finding exists, which then stays unchanged.
func (f *Folder) WriteFinding(bucket, hash string, files map[string][]byte) (added bool, err error) {
	if err := f.checkFinding(bucket, hash, files); err != nil {
		return false, err
	}
	dir := f.findingDir(bucket, hash)
	if info, err := f.fs.Stat(dir); err == nil && info.IsDir() {
		return false, nil
	}
	parent := filepath.Dir(dir)
	if err := f.fs.MkdirAll(parent, 0o755); err != nil {
		return false, infra("create", parent, err)
	}
	temp := atomicfile.TempName(f.path(findingsDir))
	if err := f.fill(temp, dir, files); err != nil {
		_ = f.fs.RemoveAll(temp)
		return false, err
	}
	if err := f.fs.Rename(temp, dir); err != nil {
		_ = f.fs.RemoveAll(temp)
		return false, infra("create", dir, err)
	}
	return true, nil
}

// fill writes the files of the finding dir into temp.
func (f *Folder) fill(temp, dir string, files map[string][]byte) error {
	if err := f.fs.MkdirAll(temp, 0o755); err != nil {
		return infra("create", dir, err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := f.put(temp, dir, name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

// put writes one file of a finding into root; errors name it in shown.
func (f *Folder) put(root, shown, name string, data []byte) error {
	target := filepath.Join(root, filepath.FromSlash(name))
	err := f.fs.MkdirAll(filepath.Dir(target), 0o755)
	if err == nil {
		err = atomicfile.Write(f.fs, target, data)
	}
	if err == nil {
		return nil
	}
	var e *atomicfile.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	return infra("write", filepath.Join(shown, filepath.FromSlash(name)), err)
}

// recordFile is the record of a finding. The other files show parts of it.
const recordFile = "outputs.json"

// UpdateFinding adds or replaces files of a finding, each one atomically, in the order of their
// names, and the record last. If it is interrupted, the old record makes the next attempt write all
// of them again.
func (f *Folder) UpdateFinding(bucket, hash string, files map[string][]byte) error {
	if err := f.checkFinding(bucket, hash, files); err != nil {
		return err
	}
	dir := f.findingDir(bucket, hash)
	if _, err := f.fs.Stat(dir); err != nil {
		return infra("update", dir, err)
	}
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		switch {
		case a == recordFile && b != recordFile:
			return 1
		case b == recordFile && a != recordFile:
			return -1
		}
		return strings.Compare(a, b)
	})
	for _, name := range names {
		if err := f.put(dir, dir, name, files[name]); err != nil {
			return err
		}
	}
	return nil
}

func (f *Folder) checkFinding(bucket, hash string, files map[string][]byte) error {
	if err := f.writable(); err != nil {
		return err
	}
	if err := errors.Join(checkName(bucket), checkName(hash)); err != nil {
		return fmt.Errorf("finding: %w", err)
	}
	if hash == bucketFile || hash == historyFile {
		return fmt.Errorf("finding: %q is a file of the bucket itself", hash)
	}
	for name := range files {
		if !filepath.IsLocal(name) || name != path.Clean(name) || name == "." {
			return fmt.Errorf("finding %s/%s: %q is not a file name", bucket, hash, name)
		}
	}
	return nil
}

// WriteBucket replaces the bucket's bucket.json.
func (f *Folder) WriteBucket(b finding.Bucket) error {
	if err := f.writable(); err != nil {
		return err
	}
	if err := checkName(b.ID); err != nil {
		return fmt.Errorf("bucket: %w", err)
	}
	dir := f.path(findingsDir, b.ID)
	if err := f.fs.MkdirAll(dir, 0o755); err != nil {
		return infra("create", dir, err)
	}
	return f.write(filepath.Join(dir, bucketFile), encodeBucket(b))
}

// SyncBucket makes a new bucket survive a power failure: its files, its folders, and the folders
// above them in the campaign. A power failure can lose later writes to the bucket, and nothing
// else.
func (f *Folder) SyncBucket(id string) error {
	if err := errors.Join(f.writable(), checkName(id)); err != nil {
		return fmt.Errorf("bucket: %w", err)
	}
	if err := f.syncTree(f.path(findingsDir, id)); err != nil {
		return err
	}
	return f.sync(f.path(findingsDir))
}

// syncTree syncs a folder and its content, the folder last.
func (f *Folder) syncTree(dir string) error {
	entries, err := f.fs.ReadDir(dir)
	if err != nil {
		return infra("read", dir, err)
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			err = f.syncTree(path)
		case e.Type().IsRegular() && !atomicfile.IsTemp(e.Name()):
			err = f.sync(path)
		}
		if err != nil {
			return err
		}
	}
	return f.sync(dir)
}

func (f *Folder) sync(path string) error {
	return infra("sync", path, atomicfile.Sync(f.fs, path))
}

// RemoveBucket removes a bucket with all its findings. Readers see it whole or not at all.
func (f *Folder) RemoveBucket(id string) error {
	if err := checkName(id); err != nil {
		return fmt.Errorf("bucket: %w", err)
	}
	return f.remove(f.path(findingsDir, id))
}

// remove removes a folder atomically.
func (f *Folder) remove(dir string) error {
	if err := f.writable(); err != nil {
		return err
	}
	temp := atomicfile.TempName(f.path(findingsDir))
	if err := f.fs.Rename(dir, temp); err != nil {
		return infra("remove", dir, err)
	}
	return infra("remove", dir, f.fs.RemoveAll(temp))
}

// RemoveFinding removes a finding of a bucket atomically.
func (f *Folder) RemoveFinding(bucket, hash string) error {
	for _, name := range []string{bucket, hash} {
		if err := checkName(name); err != nil {
			return fmt.Errorf("finding: %w", err)
		}
	}
	return f.remove(f.findingDir(bucket, hash))
}

func encodeBucket(b finding.Bucket) []byte {
	b.Version = finding.BucketVersion
	data, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		panic(err) // strings and integers always marshal
	}
	return append(data, '\n')
}

func parseBucket(data []byte) (finding.Bucket, error) {
	var b finding.Bucket
	if err := json.Unmarshal(data, &b); err != nil {
		return finding.Bucket{}, err
	}
	if b.Kind != "" && !word(b.Kind) {
		return finding.Bucket{}, fmt.Errorf("%q is no kind of finding", b.Kind)
	}
	return b, nil
}

// word reports whether a text is one word of lower-case letters, like the kinds of findings.
func word(s string) bool { return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == "" }

// FindingPath returns the path of a file of a finding, which need not exist.
func (f *Folder) FindingPath(bucket, hash, name string) string {
	return filepath.Join(f.findingDir(bucket, hash), filepath.FromSlash(name))
}

// ReadFinding returns a file of a finding, or nil if it is missing.
func (f *Folder) ReadFinding(bucket, hash, name string) ([]byte, error) {
	if err := errors.Join(checkName(bucket), checkName(hash)); err != nil {
		return nil, fmt.Errorf("finding: %w", err)
	}
	return f.read(f.FindingPath(bucket, hash, name))
}

func (f *Folder) findingDir(bucket, hash string) string { return f.path(findingsDir, bucket, hash) }

// ReadFindings returns the buckets by id, with their findings by hash. bucket.json is missing if
// the campaign was killed before writing it; a damaged one is a problem. Such a bucket has only its
// id and the number of its findings. A damaged file is moved aside, unless the folder is read-only.
func (f *Folder) ReadFindings() (buckets []finding.Bucket, problems []string, err error) {
	ids, err := f.folders(f.path(findingsDir))
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		b, problem, err := f.readBucket(id)
		if err != nil {
			return nil, nil, err
		}
		if problem != "" {
			problems = append(problems, problem)
		}
		if b != nil {
			buckets = append(buckets, *b)
		}
	}
	return buckets, problems, nil
}

// readBucket returns nil for an empty folder.
func (f *Folder) readBucket(id string) (b *finding.Bucket, problem string, err error) {
	dir := f.path(findingsDir, id)
	hashes, err := f.folders(dir)
	if err != nil {
		return nil, "", err
	}
	data, err := f.read(filepath.Join(dir, bucketFile))
	if err != nil {
		return nil, "", err
	}
	if data == nil && len(hashes) == 0 {
		return nil, "", nil
	}
	bucket := finding.Bucket{Version: finding.BucketVersion, Count: uint64(len(hashes))}
	if data != nil {
		parsed, err := parseBucket(data)
		if err == nil {
			bucket = parsed
		} else {
			problem = f.keepBroken(filepath.Join(findingsDir, id, bucketFile), err, "the list is made from its findings")
		}
	}
	bucket.ID = id // the file may have another one
	bucket.Hashes = hashes
	return &bucket, problem, nil
}

// folders returns the sorted names of the folders in dir that this package may have made.
func (f *Folder) folders(dir string) ([]string, error) {
	entries, err := f.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, infra("read", dir, err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() && checkName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// cleanFindings removes the remains of dead writers: temporary folders of new findings, temporary
// files in old ones, and buckets without findings.
func (f *Folder) cleanFindings() error {
	top := f.path(findingsDir)
	if err := f.cleanTree(top); err != nil {
		return err
	}
	ids, err := f.folders(top)
	if err != nil {
		return err
	}
	for _, id := range ids {
		dir := filepath.Join(top, id)
		if entries, err := f.fs.ReadDir(dir); err == nil && len(entries) == 0 {
			if err := f.fs.Remove(dir); err != nil {
				return infra("remove", dir, err)
			}
		}
	}
	return nil
}

func (f *Folder) cleanTree(dir string) error {
	if err := atomicfile.Clean(f.fs, dir); err != nil {
		return infra("clean", dir, err)
	}
	entries, err := f.fs.ReadDir(dir)
	if err != nil {
		return infra("read", dir, err)
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := f.cleanTree(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
