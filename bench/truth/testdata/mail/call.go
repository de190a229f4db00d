package call

import (
	"net/mail"
	"strings"
)

func Call(in []byte) (string, error) {
	list, err := mail.ParseAddressList(string(in))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, a := range list {
		b.WriteString(a.Name + " <" + a.Address + ">\n")
	}
	return b.String(), nil
}
