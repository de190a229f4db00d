package call

import (
	"archive/zip"
	"bytes"
	"strings"
)

func Call(in []byte) (string, error) {
	r, err := zip.NewReader(bytes.NewReader(in), int64(len(in)))
	if err != nil {
		return "", err
	}
	var names []string
	for _, f := range r.File {
		names = append(names, f.Name)
	}
	return strings.Join(names, "\n"), nil
}
