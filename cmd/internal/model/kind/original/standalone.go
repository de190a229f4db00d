package original

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/base/shell"
	"parallax/cmd/internal/finding/reproducer"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/csource"
)

// Alone writes how a user's C function makes a call: a shared library of the preprocessed files,
// and a program that calls it. A model is compiled with sanitizers if available, since its
// undefined behavior counts as a crash in the campaign.
func Alone(w *reproducer.Writer, part *csource.Part, s *call.Signature, c call.Call, by call.Comparator, model bool) error {
	alone, err := part.Alone()
	if err != nil {
		w.Unable(err.Error())
		return nil
	}
	source, err := s.Program(c, by, csource.Called)
	if err != nil {
		w.Unable(err.Error())
		return nil
	}
	folder, checks := "c-original", "''"
	if model {
		folder, checks = "c-model", "'-fsanitize=address,undefined -fno-sanitize-recover=all' ''"
	}
	alone.Files[sourceFile] = source
	for _, name := range slices.Sorted(maps.Keys(alone.Files)) {
		w.File(folder+"/"+name, []byte(alone.Files[name]))
	}
	var flags strings.Builder
	for _, f := range alone.Flags {
		flags.WriteString(" " + shell.Text(f))
	}
	w.Prepare("build", fmt.Sprintf(`cc=${PARALLAX_CLANG:-$(command -v clang-19 || command -v clang)}
for check in %s; do
	$cc $check%s -O0 -g -w -fno-builtin -ffunction-sections -fdata-sections -fPIC -shared -Wl,--gc-sections,-z,lazy,--version-script="$here/%[3]s/symbols" -o function.so "$here/%[3]s/"*.i &&
	$cc $check -w -fno-builtin -rdynamic -o call "$here/%[3]s/"*.c ./function.so -Wl,--allow-shlib-undefined,-z,lazy && break
done
[ -x call ]`, checks, flags.String(), folder))
	w.Run(fmt.Sprintf("ASAN_OPTIONS=detect_leaks=0 timeout -s KILL %d ./call", w.Limit))
	crashed := "*) verdict=crashed"
	if model {
		crashed = `*) verdict=rejected why="the model crashes: exit status $status"`
	}
	w.Status([]string{"0) verdict=accepted", fmt.Sprintf(`%d) verdict=declined why="the function does not have this call"`, csource.DeclinesStatus)}, crashed)
	w.Printf("stable \"$box/out\"\n")
	w.Compare("out")
	return nil
}
