package findings

import "maps"

// UnfinishedKey is the entry of a bucket's extra data that says that the run ended before its triage was done: it has the hash of
// the candidate, which stays on disk. The bucket has the name that it would have by what was known then.
const UnfinishedKey = "unfinished"

// Withdraw removes the bucket that was filed for a candidate before its triage was done, since that has put its input into another
// bucket, or nil where it has found that the input shows nothing each time.
func (f *Buckets) Withdraw(candidate string, in *Bucket) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.withdraw(candidate, in)
}

func (f *Buckets) withdraw(candidate string, in *Bucket) error {
	for id, b := range f.buckets {
		if b.Extra[UnfinishedKey] != candidate || in != nil && id == in.ID {
			continue
		}
		if in == nil { // it was announced
			next := *b
			next.setExtra(UnfinishedKey, "")
			next.setExtra(FlakyKey, "it did not show each time when its triage was completed")
			return f.store(&next, nil)
		}
		if err := f.folder.RemoveBucket(id); err != nil {
			return err
		}
		delete(f.buckets, id)
		maps.DeleteFunc(f.variants, func(_, of string) bool { return of == id })
		maps.DeleteFunc(f.alias, func(_ string, at place) bool { return at.bucket == id })
	}
	return nil
}
