package clang

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// SameBlocks reports whether two programs number the same blocks, judged by their tables: the same
// number of functions, and of counted blocks in each. The table of one then holds for the other. It
// reads a few kilobytes.
//
// Builds of one source with other flags may differ. Sanitizers add branches. From -O2 on, the
// control flow of callers of memcmp and strcmp changes if these are not built in.
func SameBlocks(a, b string) (bool, error) {
	x, err := entryPoints(a)
	if err != nil {
		return false, err
	}
	y, err := entryPoints(b)
	return err == nil && x == y, err
}

// entryPoints returns which entries of the table of counted blocks begin functions.
func entryPoints(path string) (string, error) {
	f, err := openProgram(path)
	if err != nil {
		return "", fmt.Errorf("reading the coverage tables of %s: %w", path, err)
	}
	defer f.Close()
	s := f.Section(pointSection)
	if s == nil || s.Type == elf.SHT_NOBITS {
		return "", fmt.Errorf("reading the coverage tables of %s: %w", path, errNoCoverage)
	}
	data, err := s.Data()
	if err != nil {
		return "", fmt.Errorf("reading the coverage tables of %s: %w", path, err)
	}
	flags := make([]byte, 0, len(data)/16)
	for ; len(data) >= 16; data = data[16:] {
		flags = append(flags, byte(binary.LittleEndian.Uint64(data[8:])&entryPointFlag))
	}
	return string(flags), nil
}
