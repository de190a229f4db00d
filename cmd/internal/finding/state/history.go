package state

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// historyFile is the log of a bucket's life (package history).
const historyFile = "history.jsonl"

// maxHistory bounds the log of a bucket.
const maxHistory = 4 << 20

// AppendHistory appends a line to the log of a bucket. Unlike other files, any process may append
// at any time: people comment while the campaign runs. The line is one write, and begins a line of
// its own even if a killed process left a part of one.
func (f *Folder) AppendHistory(bucket string, line []byte) error {
	if err := checkName(bucket); err != nil {
		return fmt.Errorf("bucket: %w", err)
	}
	path := f.path(findingsDir, bucket, historyFile)
	size := int64(0)
	if info, err := f.fs.Stat(path); err == nil {
		size = info.Size()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return infra("write", path, err)
	}
	if size+int64(len(line)) > maxHistory {
		return exit.Usage("%s has %d bytes, and the limit is %d MiB: remove what is no longer needed", path, size, maxHistory>>20)
	}
	whole, err := wholeLines(f.fs, path)
	if err != nil {
		return infra("read", path, err)
	}
	if whole < size {
		line = append([]byte{'\n'}, line...)
	}
	file, err := f.fs.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return infra("open", path, err)
	}
	_, err = file.Write(line)
	if err == nil {
		err = file.Sync()
	}
	return infra("write", path, errors.Join(err, file.Close()))
}

// ReadHistory returns the log of a bucket, or nil if it is missing.
func (f *Folder) ReadHistory(bucket string) ([]byte, error) {
	if err := checkName(bucket); err != nil {
		return nil, fmt.Errorf("bucket: %w", err)
	}
	path := f.path(findingsDir, bucket, historyFile)
	if info, err := f.fs.Stat(path); err == nil && info.Size() > 2*maxHistory {
		return nil, exit.Usage("%s is larger than %d MiB, which no log of a finding is", path, 2*maxHistory>>20)
	}
	return f.read(path)
}

// Revision describes the tested code: the commit of the user's repository, which may be unknown,
// and the versions of programs from modules.
func Revision(commit string, programs []Program) string {
	var parts []string
	if commit != "" {
		parts = append(parts, commit)
	}
	for _, p := range programs {
		if text := p.Name + " " + p.Version; p.Version != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// HistoryPath returns the path of the log of a bucket, which need not exist.
func (f *Folder) HistoryPath(bucket string) string { return f.path(findingsDir, bucket, historyFile) }
