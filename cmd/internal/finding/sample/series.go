package sample

// Series holds the counts of each domain over a campaign's samples.
type Series map[string][]int

// Add appends the counts of a sample. A new domain gets zeros for the earlier samples.
func (s *Series) Add(d Diversity) {
	if *s == nil {
		*s = Series{}
	}
	n := s.len()
	for _, c := range d {
		for len((*s)[c.Key]) < n {
			(*s)[c.Key] = append((*s)[c.Key], 0)
		}
		(*s)[c.Key] = append((*s)[c.Key], int(c.N))
	}
	for key, column := range *s { // columns of domains that the sample lacks
		if last := len(column) - 1; last == n-1 && n > 0 {
			(*s)[key] = append(column, column[last])
		}
	}
}

func (s Series) len() (n int) {
	for _, column := range s {
		n = max(n, len(column))
	}
	return n
}

// MarshalJSON writes an object, its keys in the order of the table.
func (s Series) MarshalJSON() ([]byte, error) {
	list := keys(s)
	return object(len(list), func(i int) (string, any) { return list[i], s[list[i]] })
}
