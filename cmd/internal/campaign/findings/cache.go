package findings

import (
	"maps"
	"slices"

	"parallax/cmd/internal/finding/state"
)

// Cache holds the buckets of a folder that is read again and again. It reads only those that
// changed. The zero value is empty.
type Cache struct {
	buckets map[string]cached
}

type cached struct {
	stamp    string
	bucket   *Group // nil if no finding of it is readable
	problems []string
}

// Stamps returns a text for each bucket of a folder that changes with its files.
func Stamps(folder *state.Folder) (stamps map[string]string, err error) {
	ids, err := folder.BucketIDs()
	if err != nil {
		return nil, err
	}
	stamps = map[string]string{}
	for _, id := range ids {
		stamps[id] = folder.BucketStamp(id)
	}
	return stamps, nil
}

// Changed reports whether the buckets differ from those in the cache.
func (c *Cache) Changed(stamps map[string]string) bool {
	if len(stamps) != len(c.buckets) {
		return true
	}
	for id, stamp := range stamps {
		if c.buckets[id].stamp != stamp {
			return true
		}
	}
	return false
}

// Read returns the buckets as Read does, those with an unchanged stamp from the cache. Callers may
// change the buckets.
func (c *Cache) Read(folder *state.Folder, stamps map[string]string) (list []*Group, problems []string, damaged map[string][]string, err error) {
	next := map[string]cached{}
	damaged = map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(stamps)) {
		entry, known := c.buckets[id]
		if !known || entry.stamp != stamps[id] {
			b, problem, err := folder.ReadBucket(id)
			if err != nil {
				return nil, nil, nil, err
			}
			entry = cached{stamp: stamps[id]}
			if problem != "" {
				entry.problems = append(entry.problems, problem)
			}
			if b != nil {
				loaded, more := loadBucket(folder, *b)
				entry.bucket, entry.problems = loaded, append(entry.problems, more...)
			}
		}
		next[id] = entry
		problems = append(problems, entry.problems...)
		if entry.bucket != nil {
			own := *entry.bucket
			list = append(list, &own)
		} else if len(entry.problems) > 0 {
			damaged[id] = entry.problems
		}
	}
	c.buckets = next
	return list, problems, damaged, nil
}
