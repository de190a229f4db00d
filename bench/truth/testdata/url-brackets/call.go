package call

import (
	"net/url"
)

func Call(in []byte) (string, error) {
	u, err := url.Parse(string(in))
	if err != nil {
		return "", err
	}
	return u.Scheme + "\n" + u.Host + "\n" + u.Path + "\n" + u.RawQuery, nil
}
