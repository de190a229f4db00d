package call

import (
	"github.com/buger/jsonparser"
)

func Call(in []byte) (string, error) {
	return string(jsonparser.Delete(in, "a")), nil
}
