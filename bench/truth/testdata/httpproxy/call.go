package call

import (
	"golang.org/x/net/http/httpproxy"
	"net/url"
)

var proxy = (&httpproxy.Config{HTTPProxy: "http://proxy.test:3128", NoProxy: "*.example.com"}).ProxyFunc()

func Call(in []byte) (string, error) {
	u, err := url.Parse(string(in))
	if err != nil {
		return "", err
	}
	p, err := proxy(u)
	if err != nil || p == nil {
		return "direct", err
	}
	return p.String(), nil
}
