package call

import (
	"bytes"
	"golang.org/x/crypto/ssh/agent"
	"io"
)

func Call(in []byte) (string, error) {
	var out bytes.Buffer
	err := agent.ServeAgent(agent.NewKeyring(), struct {
		io.Reader
		io.Writer
	}{bytes.NewReader(in), &out})
	if err == io.EOF {
		err = nil
	}
	return out.String(), err
}
