package exchange

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Names of streams and stores. An owner of a cluster may make them with other limits or more
// replicas: members only make those that are missing.
const (
	inputStream  = "PX_INPUT"
	findStream   = "PX_FIND"
	statsStream  = "PX_STATS"
	workStream   = "PX_WORK"
	memberBucket = "PX_MEMBER"
	objectBucket = "PX_OBJECT"
)

const (
	memberLife = 15 * time.Second
	workLife   = 30 * 24 * time.Hour
	statsLife  = time.Hour
	statsEach  = 256 // samples per member
)

// streams holds the streams of a hub.
type streams struct {
	inputs, finds, work jetstream.Stream
	members, leases     jetstream.KeyValue
	objects             jetstream.ObjectStore

	memberLife, leaseLife time.Duration // of keys that are not renewed
}

// streams opens the streams, and makes those that are missing.
func (h *Hub) streams(ctx context.Context) (s streams, err error) {
	// A second announcement of a subject is refused, so that an input is stored once.
	if s.inputs, err = h.stream(ctx, jetstream.StreamConfig{
		Name: inputStream, Subjects: []string{"px.*.input.>"}, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	}); err != nil {
		return s, err
	}
	if s.finds, err = h.stream(ctx, jetstream.StreamConfig{Name: findStream, Subjects: []string{"px.*.find.>"}, MaxMsgsPerSubject: 1}); err != nil {
		return s, err
	}
	if _, err = h.stream(ctx, jetstream.StreamConfig{
		Name: statsStream, Subjects: []string{"px.*.stats.>"}, MaxMsgsPerSubject: statsEach, MaxAge: statsLife, Storage: jetstream.MemoryStorage,
	}); err != nil {
		return s, err
	}
	if s.work, err = h.stream(ctx, jetstream.StreamConfig{
		Name: workStream, Subjects: []string{"px.*.work.>"}, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxAge: workLife,
	}); err != nil {
		return s, err
	}
	if s.members, s.memberLife, err = h.keys(ctx, memberBucket, memberLife); err != nil {
		return s, err
	}
	if s.leases, s.leaseLife, err = h.keys(ctx, leaseBucket, leaseLife); err != nil {
		return s, err
	}
	s.objects, err = h.js.ObjectStore(ctx, objectBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		s.objects, err = h.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectBucket})
		if errors.Is(err, jetstream.ErrBucketExists) {
			s.objects, err = h.js.ObjectStore(ctx, objectBucket)
		}
	}
	return s, err
}

// keys opens a key-value store in memory or makes it. The server's clock ends keys that are not
// renewed for the store's life.
func (h *Hub) keys(ctx context.Context, bucket string, life time.Duration) (jetstream.KeyValue, time.Duration, error) {
	kv, err := h.js.KeyValue(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = h.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucket, TTL: life, Storage: jetstream.MemoryStorage})
		if errors.Is(err, jetstream.ErrBucketExists) {
			kv, err = h.js.KeyValue(ctx, bucket)
		}
	}
	if err != nil {
		return nil, 0, err
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return nil, 0, err
	}
	if theirs := status.TTL(); theirs > 0 {
		life = theirs
	}
	return kv, life, nil
}

// stream opens a stream or makes it. Several members may do so at the same time.
func (h *Hub) stream(ctx context.Context, c jetstream.StreamConfig) (jetstream.Stream, error) {
	for range 2 {
		s, err := h.js.Stream(ctx, c.Name)
		if !errors.Is(err, jetstream.ErrStreamNotFound) {
			return s, err
		}
		if s, err = h.js.CreateStream(ctx, c); !errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) {
			return s, err
		}
	}
	return h.js.Stream(ctx, c.Name)
}
