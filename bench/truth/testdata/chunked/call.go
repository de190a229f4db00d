package call

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
)

func Call(in []byte) (string, error) {
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(in)))
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(r.Body)
	return r.Method + " " + r.URL.String() + "\n" + string(body), err
}
