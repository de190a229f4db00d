package causes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// BucketID is the short name of what parts say together: 12 hexadecimal
// digits. Each part is hashed with its length, so ("ab", "c") and ("a", "bc")
// differ.
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
