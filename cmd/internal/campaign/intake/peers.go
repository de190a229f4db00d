package intake

import (
	"context"
	"time"
)

// Peers divide the triage of candidates on shared inputs. So the same work is not done by all. They
// decide nothing: a campaign triages by itself after the end of its fuzzing, or if it has waited
// for too long.
type Peers interface {
	// Turn says who triages a candidate: an aspect of an input, by the queue's key. waited is the
	// time since the first answer Theirs. Several goroutines call it, and it may ask others.
	Turn(ctx context.Context, key string, flat []byte, waited time.Duration) Turn
	// Triaged records that this campaign has handled its verdict. bucket has the finding, which was
	// published before; it is empty if there is none. Triaged does not wait.
	Triaged(key string, flat []byte, bucket string)
}

// Turn says who triages a candidate.
type Turn int

const (
	Mine   Turn = iota // this campaign
	Theirs             // another one does, or is about to: ask again later
	Done               // the campaign that found the input has triaged it, and announced its findings
)
