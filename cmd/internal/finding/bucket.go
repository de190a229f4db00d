package finding

import "parallax/cmd/internal/finding/causes"

// BucketVersion is the format of bucket.json.
const BucketVersion = 1

// A Bucket holds findings with one likely cause, as bucket.json in its folder describes it.
type Bucket struct {
	Version   int               `json:"version"`
	ID        string            `json:"id"`
	Kind      string            `json:"kind"`               // discrepancy, crash, timeout, oom, failure, change
	Outcomes  map[string]string `json:"outcomes,omitempty"` // by program
	Classes   map[string]string `json:"classes,omitempty"`  // of errors, by program
	Minority  []string          `json:"minority,omitempty"` // the programs that disagree with all others
	Location  string            `json:"location,omitempty"`
	Count     uint64            `json:"count"`      // inputs that showed it
	FirstSeen uint64            `json:"first_seen"` // number of inputs that the campaign had run
	LastSeen  uint64            `json:"last_seen"`
	FirstTime string            `json:"first_seen_time,omitempty"` // RFC 3339, by the campaign's clock
	LastTime  string            `json:"last_seen_time,omitempty"`
	Similar   []Similar         `json:"similar"` // nearest first
	Accepted  bool              `json:"accepted,omitempty"`
	Variants  []Variant         `json:"variants,omitempty"` // in the order of their discovery
	Extra     map[string]string `json:"extra,omitempty"`    // all else, by key

	Hashes []string `json:"-"` // of the findings on disk, sorted; set when the folder is read
}

// A Variant holds similar findings of a bucket: they disagree at one place with one error.
type Variant struct {
	ID       string           `json:"id"`
	Now      string           `json:"now,omitempty"` // the id that edited programs give it, if that differs
	Count    uint64           `json:"count"`
	Hash     string           `json:"hash,omitempty"`     // of the finding on disk that represents it
	Symptoms *causes.Symptoms `json:"symptoms,omitempty"` // missing if the behavior of the programs is unknown
}

// VariantIDs returns the ids of a bucket's variants.
func (b *Bucket) VariantIDs() (ids []string) {
	for _, v := range b.Variants {
		ids = append(ids, v.ID)
	}
	return ids
}

// A Similar is another bucket that may have the same cause.
type Similar struct {
	ID    string `json:"id"`
	Score int    `json:"score"` // how alike the minimized inputs are, 0 to 100
	Why   string `json:"why"`   // "input", "place", or "input and place"
}
