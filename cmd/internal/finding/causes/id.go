package causes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// BucketID returns a short name for a list of parts: 12 hexadecimal digits. It hashes each part
// with its length, so ("ab", "c") and ("a", "bc") differ.
func BucketID(parts ...string) string {
	h := sha256.New()
	var size [8]byte
	for _, part := range parts {
		binary.LittleEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:])
		h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}
