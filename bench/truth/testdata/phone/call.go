package call

import (
	"github.com/nyaruka/phonenumbers"
)

func Call(in []byte) (string, error) {
	n, err := phonenumbers.Parse(string(in), "US")
	if err != nil {
		return "", err
	}
	return n.String(), nil
}
