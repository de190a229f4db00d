package clang

import (
	"os"
	"path/filepath"
	"time"
)

// A kit names compilers and their arguments, which can load plugins and write files: whoever makes variants of a program executes what is
// beside it. Therefore the user's cache knows the kits of the user's own links, and others need consent.

// kitsDir is the folder of the cache with an empty file for each kit, by its digest. What nobody has used for a month is removed.
const kitsDir = "kits"

const kitUnused = 30 * 24 * time.Hour

func kitMark(digest string) (dir, name string, err error) {
	cache, err := cacheDir()
	if err != nil {
		return "", "", err
	}
	dir = filepath.Join(cache, kitsDir)
	return dir, filepath.Join(dir, filepath.Base(digest)), nil
}

// rememberKit notes that a kit is the user's own.
func rememberKit(digest string) error {
	dir, name, err := kitMark(digest)
	if err != nil {
		return err
	}
	if _, err := os.Stat(name); err != nil {
		removeUnused(dir, time.Now().Add(-kitUnused))
	}
	return replace(name, nil, 0o644)
}

// knownKit reports whether a kit is the user's own.
func knownKit(digest string) bool {
	_, name, err := kitMark(digest)
	if err != nil {
		return false
	}
	now := time.Now()
	return os.Chtimes(name, now, now) == nil
}

// Adopt notes that the user trusts who linked the program: its variants are made as the kit beside it says.
func (b *Build) Adopt() error {
	if b.kit == "" {
		return nil
	}
	return rememberKit(b.kit)
}
