package call

import (
	"encoding/hex"
	"github.com/Azure/go-ntlmssp"
)

func Call(in []byte) (string, error) {
	out, err := ntlmssp.ProcessChallenge(in, "user", "password", false)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(out[:12]), nil
}
