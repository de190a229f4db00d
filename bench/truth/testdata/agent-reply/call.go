package call

import (
	"bytes"
	"fmt"
	"golang.org/x/crypto/ssh/agent"
	"io"
)

func Call(in []byte) (string, error) {
	keys, err := agent.NewClient(struct {
		io.Reader
		io.Writer
	}{bytes.NewReader(in), io.Discard}).List()
	return fmt.Sprint(keys), err
}
