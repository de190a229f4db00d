// Pictures draws the pictures of the documents into docs/pictures:
//
//	make pictures
//
// It draws a terminal from a text file next to the picture, and a diagram from its description
// here. The arrows between the wings of the tool follow from the imports of its packages. Equal
// inputs give equal bytes.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"parallax/cmd/internal/base/wings"
)

func main() {
	dir := flag.String("dir", "../docs/pictures", "the folder of the pictures")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("pictures: ")
	made, err := draw(*dir)
	if err != nil {
		log.Fatal(err)
	}
	for name, data := range made {
		if err := os.WriteFile(filepath.Join(*dir, name), data, 0o666); err != nil {
			log.Fatal(err)
		}
		fmt.Println(name)
	}
}

// draw makes all pictures, by file name.
func draw(dir string) (map[string][]byte, error) {
	packages, err := wings.Packages()
	if err != nil {
		return nil, err
	}
	tool, err := architecture(wings.Reduce(wings.Graph(packages)))
	if err != nil {
		return nil, err
	}
	made := map[string][]byte{"loop.svg": loop(), "regress.svg": versions(), "wings.svg": tool}
	texts, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	for _, name := range texts {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		base := filepath.Base(name)
		made[base[:len(base)-len(".txt")]+".svg"] = terminal(string(text))
	}
	return made, nil
}
