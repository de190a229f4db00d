package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Error describes a failed operation on a file, with advice for the user.
type Error struct {
	Op   string // "write", "create", "remove", ...
	Path string // the final name, never a temporary one
	Err  error
}

func (e *Error) Error() string { return e.Op + " " + e.Path + ": " + advice(e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Explain wraps err, the failure of op on path, in an *Error. It returns nil and an existing *Error
// as they are.
func Explain(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{Op: op, Path: path, Err: err}
}

func advice(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "disk full: free space and run the same command again; nothing announced is lost"
	case errors.Is(err, syscall.EDQUOT):
		return "disk quota exceeded: free space and run the same command again; nothing announced is lost"
	case errors.Is(err, syscall.EFBIG):
		return "file size limit reached: raise it (ulimit -f) and run the same command again; nothing announced is lost"
	case errors.Is(err, syscall.EROFS):
		return "read-only file system: make it writable or choose another folder; nothing announced is lost"
	case errors.Is(err, syscall.EISDIR):
		return "a folder is where a file should be: move it away and run the same command again"
	case errors.Is(err, syscall.ENOTDIR):
		return "a file is where a folder should be: move it away and run the same command again"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied: let this user write there or choose another folder; nothing announced is lost"
	}
	return reason(err).Error()
}

// reason removes the meaningless name of the temporary file from an error of package os.
func reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
