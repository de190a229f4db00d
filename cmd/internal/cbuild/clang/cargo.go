package clang

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
)

// Names of the sections of instrumented object files.
const (
	objectSection   = ".parallax.object" // objectNote as JSON, one a line
	variantSections = ".parallax."       // and the variant's name: see pack
)

// An objectNote lists the contents of an object file. An object that ld -r made from several has a
// note for each of them.
type objectNote struct {
	Version int       `json:"version"`
	Carries []Variant `json:"carries,omitempty"`
	// variants that could not be compiled, with the compiler's reason
	Missing map[Variant]string `json:"missing,omitempty"`
}

const objectVersion = 1

// packMagic begins every packed object, so that `ld -r`, which joins sections of one name, leaves
// something readable.
const packMagic = "plxobj1\n"

// pack makes the content of a variant's section from its object.
func pack(object []byte) []byte {
	out := append(make([]byte, 0, len(packMagic)+8+len(object)), packMagic...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(object)))
	return append(out, object...)
}

var errPacked = errors.New("damaged: build it again")

func unpack(data []byte) (objects [][]byte, err error) {
	for len(data) > 0 {
		rest, ok := bytes.CutPrefix(data, []byte(packMagic))
		if !ok || len(rest) < 8 {
			return nil, errPacked
		}
		n := binary.LittleEndian.Uint64(rest)
		if rest = rest[8:]; n > uint64(len(rest)) {
			return nil, errPacked
		}
		objects, data = append(objects, rest[:n]), rest[n:]
	}
	return objects, nil
}

// carrying puts the objects of variants, or tickets, into an object file, with the recipe that
// these name, if there is one. It replaces the sections that the linker has joined.
func carrying(object []byte, carried map[Variant][]byte, missing map[Variant]string, recipe []byte) ([]byte, error) {
	note := objectNote{Version: objectVersion, Missing: missing}
	f, err := parseELF(object)
	if err != nil {
		return nil, err
	}
	var add []section
	for _, v := range Variants {
		if data, ok := carried[v]; ok {
			note.Carries = append(note.Carries, v)
			add = append(add, section{variantSections + string(v), pack(data)})
		} else if f.find(variantSections+string(v)) > 0 {
			add = append(add, section{variantSections + string(v), nil})
		}
	}
	if recipe != nil {
		add = append(add, section{sourceSection, pack(recipe)})
	} else if f.find(sourceSection) > 0 {
		add = append(add, section{sourceSection, nil})
	}
	line, err := json.Marshal(note)
	if err != nil {
		return nil, err
	}
	return withSections(object, excluded, append(add, section{objectSection, append(line, '\n')}))
}

// A cargo is the extra contents of an object file.
type cargo struct {
	instrumented bool // it was compiled by parallax
	counted      bool // it has counters, from any compiler
	missing      map[Variant]string
	// the objects of a variant, or tickets for them, several after ld -r
	objects map[Variant][][]byte
	recipes [][]byte
}

// readCargo reads the extra contents of an object file. Other files have none.
func readCargo(object []byte) (cargo, error) {
	f, err := parseELF(object)
	if err != nil {
		return cargo{}, nil
	}
	c := cargo{counted: f.find("__sancov_pcs") > 0}
	notes, ok := f.read(objectSection)
	if !ok {
		return c, nil
	}
	c.instrumented, c.missing, c.objects = true, map[Variant]string{}, map[Variant][][]byte{}
	for line := range bytes.Lines(notes) {
		var note objectNote
		if err := json.Unmarshal(line, &note); err != nil || note.Version != objectVersion {
			return c, errPacked
		}
		maps.Copy(c.missing, note.Missing)
	}
	for _, v := range Variants {
		if data, ok := f.read(variantSections + string(v)); ok {
			if c.objects[v], err = unpack(data); err != nil {
				return c, err
			}
		}
	}
	if data, ok := f.read(sourceSection); ok {
		c.recipes, err = unpack(data)
	}
	return c, err
}
