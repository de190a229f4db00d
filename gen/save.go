package gen

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"parallax/internal/atomicfile"
	"parallax/internal/tape"
)

// Saved inputs are files testdata/gen/NAME/HASH.tape in the test's folder.

const suffix = ".tape"

type savedTape struct {
	path string
	tape *tape.Tape
}

// folder returns the folder of the test's saved inputs.
func (c *checker) folder() string {
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`<>:"\|?* `, r) || r < ' ' {
			return '_'
		}
		return r
	}, c.t.Name())
	parts := strings.Split(name, "/")
	for i, part := range parts {
		if strings.Trim(part, ".") == "" { // it would lead to another folder
			parts[i] = strings.Repeat("_", len(part))
		}
	}
	return filepath.Join("testdata", "gen", filepath.Join(parts...))
}

// saved returns the tapes to try first, sorted by name. An unreadable tape fails the test with its
// path.
func (c *checker) saved() (list []savedTape) {
	c.t.Helper()
	paths, _ := filepath.Glob(filepath.Join(escape(c.folder()), "*"+suffix))
	sort.Strings(paths)
	for _, path := range paths {
		data, err := os.ReadFile(path)
		one := savedTape{path, &tape.Tape{}}
		if err == nil {
			err = one.tape.Decode(data)
		}
		if err != nil {
			c.t.Errorf("gen: %s: %v. It is left out; delete it, or take it from version control again", path, err)
			continue
		}
		list = append(list, one)
	}
	return list
}

// escape quotes the special characters of a path for filepath.Glob.
func escape(path string) string {
	return strings.NewReplacer(`[`, `\[`, `]`, `\]`, `*`, `\*`, `?`, `\?`).Replace(path)
}

// save saves a tape and returns advice on how to use it. A tape that came from a file replaces this
// file.
func (c *checker) save(small *tape.Tape, from string) string {
	why := ""
	switch {
	case Driver != nil: // only parallax export writes testdata
		why = "parallax writes testdata by export only"
	case *noSave:
		why = "-gen.nosave"
	}
	if why != "" {
		if from != "" {
			return ""
		}
		return fmt.Sprintf("It is not saved (%s). The seed is %d (-gen.seed).", why, c.seed)
	}
	if len(small.Choices) == 0 {
		return "" // any run shows it
	}
	data := small.Append(nil)
	h := fnv.New64a()
	h.Write(data)
	path := filepath.Join(c.folder(), fmt.Sprintf("%016x%s", h.Sum64(), suffix))
	if from == path {
		return ""
	}
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = atomicfile.Write(atomicfile.OS, path, data)
	}
	if err != nil {
		return fmt.Sprintf("It could not be saved: %v. The seed is %d (-gen.seed).", err, c.seed)
	}
	if from != "" {
		if os.Remove(from) == nil {
			return fmt.Sprintf("It was made smaller: %s takes the place of %s.", path, from)
		}
	}
	return fmt.Sprintf("Saved as %s, which is tried first from now on.", path)
}
