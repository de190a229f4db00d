package finding

// JSON is a document of another command than diff and fuzz: indented, with nothing in it that a terminal would act on.
func JSON(v any) ([]byte, error) { return encode(v) }
