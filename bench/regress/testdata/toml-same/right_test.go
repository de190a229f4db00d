package toml

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/BurntSushi/toml"
)

func tell(w io.Writer, data []byte) {
	var document map[string]any
	err := toml.Unmarshal(data, &document)
	fmt.Fprintf(w, "%v %v\n", document, err)
}

// digest of what the package makes of 20,000 documents, mutants of the seeds.
func TestSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	h := sha256.New()
	seeds := []string{
		"a = 1\nb = [1.5, 'x', true]\n",
		"# a comment\n[t.u]\nd = 1979-05-27T07:32:00Z\n\n[[p]]\nn = \"\\u00e9\"\n[[p]]\n",
		"x = {y = '''z''', w = 0xff}\ne = \"\\e\\x41\"\n",
	}
	const letters = "abe0159-+.:TZ_\"'\\[]{}=,#\n\r\t \x00\xc3\xa9xu"
	for range 20000 {
		b := []byte(seeds[r.IntN(len(seeds))])
		for range 1 + r.IntN(4) {
			i := r.IntN(len(b))
			switch r.IntN(3) {
			case 0:
				b[i] = letters[r.IntN(len(letters))]
			case 1:
				b = append(b[:i:i], append([]byte{letters[r.IntN(len(letters))]}, b[i:]...)...)
			default:
				if len(b) > 1 {
					b = append(b[:i:i], b[i+1:]...)
				}
			}
		}
		tell(h, b)
	}
	t.Logf("SAME %x", h.Sum(nil))
}
