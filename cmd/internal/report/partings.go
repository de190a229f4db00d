package report

// A Parting is a place in which values differ.
type Parting struct {
	Path  string
	Texts []string // of each value
}

// Partings are the first places in which values, as they are rendered in findings, differ below their tops, and how many
// there are. There are none where a value is no tree, or where the values as wholes are unlike.
func Partings(values []string) (list []Parting, n int) {
	var trees []tree
	for _, v := range values {
		t, ok := parseTree(v)
		if !ok {
			return nil, 0
		}
		trees = append(trees, t)
	}
	if len(trees) < 2 {
		return nil, 0
	}
	found, n := partings(trees)
	if len(found) == 0 || found[0].path == "" {
		return nil, 0
	}
	for _, p := range found {
		list = append(list, Parting{p.path, p.texts})
	}
	return list, n
}
