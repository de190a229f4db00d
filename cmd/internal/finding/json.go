package finding

// JSON encodes a document of a command other than diff and fuzz. The result is indented, and
// terminals act on none of its characters.
func JSON(v any) ([]byte, error) { return encode(v) }
