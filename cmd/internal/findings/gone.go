package findings

// GoneKey is the entry of a bucket's extra data that says why it counts no more.
const GoneKey = "gone"

// FlakyKey is the entry of a bucket's extra data that says why it counts no more: it does not always show.
const FlakyKey = "flaky"

// MarkFlaky records that a bucket does not always show.
func (f *Buckets) MarkFlaky(id, why string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	next := *f.buckets[id]
	next.setExtra(FlakyKey, why)
	if err := f.folder.WriteBucket(next.Bucket); err != nil {
		return err
	}
	f.buckets[id] = &next
	return nil
}

// Mark records whether a bucket shows no more.
func (f *Buckets) Mark(id string, gone bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	b := f.buckets[id]
	if (b.Extra[GoneKey] != "") == gone {
		return nil
	}
	next := *b
	next.setGone(gone)
	if err := f.folder.WriteBucket(next.Bucket); err != nil {
		return err
	}
	f.buckets[id] = &next
	return nil
}

func (b *Bucket) setGone(gone bool) {
	why := ""
	if gone {
		why = "it did not show any more when its input was run again"
	}
	b.setExtra(GoneKey, why)
}

// setExtra changes an entry of the bucket's extra data, in a copy; empty removes it.
func (b *Bucket) setExtra(key, value string) {
	extra := map[string]string{}
	for k, v := range b.Extra {
		if k != key {
			extra[k] = v
		}
	}
	if value != "" {
		extra[key] = value
	}
	b.Extra = extra
}
