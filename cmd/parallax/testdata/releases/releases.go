package releases

import "errors"

// Strict refuses what Lax takes.
func Strict(s string) error {
	if s != "" {
		return errors.New("something")
	}
	return nil
}

func Lax(s string) error { return nil }

// Parse is changed after the first commit.
func Parse(s string) (int, error) { return len(s), nil }
