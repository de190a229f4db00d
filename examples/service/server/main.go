// Command server answers the size that the body of a request says, in bytes: 400 if it says none.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"

	quota "examples/service"
)

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(serve)))
}

func serve(w http.ResponseWriter, r *http.Request) {
	// A size needs no more.
	body, err := io.ReadAll(io.LimitReader(r.Body, 16))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	// curl and editors add a line feed.
	text := strings.TrimSpace(string(body))
	if text[0] == '-' {
		http.Error(w, "a size is not negative", http.StatusBadRequest)
		return
	}
	n, err := quota.Parse(text)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	fmt.Fprint(w, n)
}
