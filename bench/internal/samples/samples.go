// Package samples owns files of measurements. They have one JSON object per line, which is appended
// at once. So a program that was killed continues with the missing ones. The programs of bench call
// it.
package samples

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Read returns the samples of a file, none when there is no file. A last line without its end, from
// a killed program, is left out; anything else that is no sample is an error.
func Read[T any](file string) ([]T, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []T
	lines := bytes.Split(data[:bytes.LastIndexByte(data, '\n')+1], []byte("\n"))
	for i, line := range lines[:len(lines)-1] {
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields() // of another program, or of another version of this one
		var s T
		if err := decoder.Decode(&s); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// Append adds samples to a file, all or none of them unless the disk fills up on the way. A last
// line without its end is removed first.
func Append[T any](file string, add ...T) error {
	var b []byte
	for _, s := range add {
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		b = append(append(b, line...), '\n')
	}
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if whole := bytes.LastIndexByte(data, '\n') + 1; whole < len(data) {
		if err := os.Truncate(file, int64(whole)); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}
