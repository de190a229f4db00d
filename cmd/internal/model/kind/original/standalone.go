package original

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"parallax/cmd/internal/finding"
	"parallax/cmd/internal/model/call"
	"parallax/cmd/internal/model/csource"
)

// Alone writes how a user's C function makes a call: a shared library of the preprocessed files,
// and a program that calls it. A model is compiled with sanitizers if available, since its
// undefined behavior counts as a crash in the campaign.
func Alone(w *finding.ScriptWriter, part *csource.Part, s *call.Signature, c call.Call, by call.Comparator, model bool) error {
	alone, err := part.Alone()
	if err != nil {
		Unable(w, err.Error())
		return nil
	}
	source, err := s.Program(c, by, csource.Called)
	if err != nil {
		Unable(w, err.Error())
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
		flags.WriteString(" " + finding.ShellText(f))
	}
	w.Prepare("build", fmt.Sprintf(`cc=${PARALLAX_CLANG:-$(command -v clang-19 || command -v clang)}
for check in %s; do
	$cc $check%s -O0 -g -w -fno-builtin -ffunction-sections -fdata-sections -fPIC -shared -Wl,--gc-sections,-z,lazy,--version-script="$here/%[3]s/symbols" -o function.so "$here/%[3]s/"*.i &&
	$cc $check -w -fno-builtin -rdynamic -o call "$here/%[3]s/"*.c ./function.so -Wl,--allow-shlib-undefined,-z,lazy && break
done
[ -x call ]`, checks, flags.String(), folder))
	w.Run(fmt.Sprintf("ASAN_OPTIONS=detect_leaks=0 timeout -s KILL %d ./call", w.Limit))
	crashed := "verdict=crashed"
	if model {
		crashed = `verdict=rejected why="the model crashes: exit status $status"`
	}
	w.Printf("case $status in\n'') ;;\n0) verdict=accepted ;;\n%d) verdict=declined why=\"the function does not have this call\" ;;\n", csource.DeclinesStatus)
	w.Printf("126|127) cannot \"it could not be started: exit status $status\" ;;\n137) verdict=timeout ;;\n*) %s ;;\nesac\n", crashed)
	w.Printf("stable \"$box/out\"\ntold \"exit status $status\" \"$box/out\" \"$box/err\"\n")
	return nil
}
