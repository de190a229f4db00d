package coverage

import (
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

// Block is a block of the coverage tool: "file:line.column,line.column", without the number of its
// statements.
type Block string

// profile reports for each block whether it was executed.
type profile map[Block]bool

// read reads a profile that -coverprofile has written, nil if there is none or it was cut off.
func read(file string) (profile, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parse(string(data))
}

func parse(text string) (profile, error) {
	first, rest, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(first, "mode: ") || !strings.HasSuffix(text, "\n") {
		return nil, nil
	}
	p := profile{}
	for _, line := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
		if line == "" {
			continue // a module without blocks
		}
		// file.go:1.2,3.4 statements count; a file's name may have blanks
		fields := strings.Split(line, " ")
		if len(fields) < 3 {
			return nil, fmt.Errorf("%q is no line of a profile", line)
		}
		count, err := strconv.ParseUint(fields[len(fields)-1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no line of a profile: %w", line, err)
		}
		b := Block(strings.Join(fields[:len(fields)-2], " "))
		p[b] = p[b] || count > 0 // a package with tests in it and its copy for other tests have the same blocks
	}
	return p, nil
}

// blocks lists the blocks in order.
func (p profile) blocks() []Block {
	all := make([]Block, 0, len(p))
	for b := range p {
		all = append(all, b)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	return all
}
