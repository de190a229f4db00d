package call

import (
	"fmt"
	"golang.org/x/net/dns/dnsmessage"
)

func Call(in []byte) (string, error) {
	var m dnsmessage.Message
	if err := m.Unpack(in); err != nil {
		return "", err
	}
	return fmt.Sprint(m.GoString()), nil
}
