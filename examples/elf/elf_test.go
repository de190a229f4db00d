package elf

import (
	"os"
	"testing"
)

func TestParse(t *testing.T) {
	for name, want := range map[string]string{
		"exec64": `{"class":"ELF64","data":"little","type":"EXEC","abi":"0","entry":"0x401000","programs":"1","sections":"0"}`,
		"mips32": `{"class":"ELF32","data":"big","type":"DYN","abi":"0","entry":"0x1000","programs":"0","sections":"0"}`,
	} {
		file, err := os.ReadFile("seeds/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Parse(file); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, want)
		}
	}
}

func TestReadelf(t *testing.T) {
	for text, want := range map[string]string{
		"ELF Header:\n  Class:          ELF64\n  Data:    2's complement, big endian\n  ABI Version:     7\n  Type:    EXEC (Executable file)\n" +
			"  Entry point address:    0x401000\n  Number of program headers:         1\n  Number of section headers:         0 (5)\n": //
		`{"class":"ELF64","data":"big","type":"EXEC","abi":"7","entry":"0x401000","programs":"1","sections":"5"}`,
		"ELF Header:\n  Class:          ELF32\n  Data:    2's complement, little endian\n  ABI Version:     0\n  Type:      ???\n" +
			"  Entry point address:    0\n  Number of program headers entries: 3\n  Number of section headers entries: 0 ([0] not available)\n": //
		`{"class":"ELF32","data":"little","type":"unknown","abi":"0","entry":"0x0","programs":"3","sections":"0"}`,
	} {
		if got := string(Readelf([]byte(text))); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
