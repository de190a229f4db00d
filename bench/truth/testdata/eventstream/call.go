package call

import (
	"bytes"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

func Call(in []byte) (string, error) {
	m, err := eventstream.NewDecoder().Decode(bytes.NewReader(in), nil)
	return fmt.Sprintf("%v %q", m.Headers, m.Payload), err
}
