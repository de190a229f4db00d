package corpus

import (
	"crypto/sha256"
	"encoding/hex"
)

// IsHash reports whether a text has the form of a hash.
func IsHash(text string) bool { return isHash(text) }

// Hash returns the name of an input: the first 16 hex digits of the SHA-256 of its file form.
func Hash(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:8])
}
