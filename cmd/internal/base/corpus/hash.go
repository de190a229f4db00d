package corpus

import (
	"crypto/sha256"
	"encoding/hex"
)

// Hash returns the name of an input: the first 16 hex digits of the SHA-256 of its file form.
func Hash(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:8])
}
