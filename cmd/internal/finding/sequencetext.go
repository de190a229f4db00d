package finding

// What follows is the text of reproducers of sequences. The rendering beside them asks for Table, Method, argument and other.

const sequenceTest = `
type program struct {
	name string
	run  func(say *transcript)
}

// The variables of the environment that mark a process as a program's, and name its folder.
const programVariable, folderVariable = "DISCREPANCY_PROGRAM", "DISCREPANCY_FOLDER"

// TestDiscrepancy fails while the programs do not answer alike.
func TestDiscrepancy(t *testing.T) {
	if n, err := strconv.Atoi(os.Getenv(programVariable)); err == nil {
		PREPARE
		programs[n].inProcess()
		return
	}
	var saw [][]string
	for n := range programs {
		saw = append(saw, separately(t, n))
		t.Logf("%s:\n\t%s", programs[n].name, strings.Join(saw[n], "\n\t"))
	}
	for i := 0; i < max(len(saw[0]), len(saw[1])); i++ {
		var said [2]string
		for n := range said {
			if said[n] = "nothing more"; i < len(saw[n]) {
				said[n] = saw[n][i]
			}
		}
		if said[0] != said[1] {
			t.Fatalf("the programs do not agree:\n\t%s: %s\n\t%s: %s", programs[0].name, said[0], programs[1].name, said[1])
		}
	}
}

// separately runs a program in a process of its own, and returns what it said.
func separately(t *testing.T, n int) (lines []string) {
	folder, err := os.MkdirTemp("", "discrepancy")
	if err != nil {
		t.Fatal(err)
	}
	defer remove(folder)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, executable, "-test.run=^TestDiscrepancy$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", programVariable, n), folderVariable+"="+folder)
	cmd.SysProcAttr = box()
	var errors bytes.Buffer
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatalf("%s is not run: %v", programs[n].name, err)
	}
	for _, line := range strings.Split(string(out), "\n") {
		if said, is := strings.CutPrefix(line, said); is {
			text, _ := strconv.Unquote(said)
			lines = append(lines, text)
		}
	}
	switch {
	case ctx.Err() != nil:
		lines = append(lines, "does not return")
	case err != nil:
		t.Logf("%s:\n%.4000s", programs[n].name, errors.String())
		lines = append(lines, "the process ends: "+err.Error())
	}
	return lines
}

// box is how a process is started.
func box() *syscall.SysProcAttr {
	BOX
}

// said is before what a program says.
const said = "discrepancy: "

// inProcess runs a program in this process. A panic is the last thing that it says.
func (p program) inProcess() {
	say := &transcript{}
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(os.Stderr, "%v\n%s", v, debug.Stack())
			say.line("panics")
		}
	}()
	p.run(say)
}

// transcript holds the lines of a program.
type transcript struct{}

func (*transcript) line(text string) { fmt.Printf("\n%s%q\n", said, text) }

// that says what a call returned.
func (t *transcript) that(call string, m *Method, args []argument, results ...result) {
	text := call
	var values []reflect.Value
	for i, r := range results {
		text += map[bool]string{true: " = ", false: ", "}[i == 0]
		if r.object != "" {
			text += r.object
		} else {
			text += rendering.show(m, args, r.value)
		}
		values = append(values, r.value)
	}
	for i := range args {
		text += args[i].after(m, values)
	}
	t.line(text)
}

// result is a value, or an object by its name.
type result struct {
	value  reflect.Value
	object string
}

func plain[T any](v T) result { return result{value: reflect.ValueOf(&v).Elem()} }

func thing(name string, v any) result {
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		name = "nil"
	}
	return result{value: r, object: name}
}

// What the rendering asks about.
type (
	Table    struct{ Sentinels bool }
	Method   struct {
		Name   string
		Filled bool // of the buffer, what is behind the number that it returns does not count
	}
	argument struct {
		value   reflect.Value
		before  []byte
		written *bytes.Buffer
	}
)

func other(v any) string { return show(v) }
`

// enterBox is what a process does whose program acts on the machine.
const enterBox = `
		for _, err := range []error{syscall.Chroot(os.Getenv(folderVariable)), os.Chdir("/"), os.Chmod("/", 0o755)} {
			if err != nil {
				t.Fatalf("there is no box, and nothing that acts on the machine runs outside of one: %v", err)
			}
		}
		syscall.Umask(0)
`

// boxedProcess is a process whose root it may change, and nothing else.
const boxedProcess = `
	const mayChangeRoot = 18 // CAP_SYS_CHROOT
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 1000, HostID: os.Getgid(), Size: 1}},
		AmbientCaps: []uintptr{mayChangeRoot},
		Pdeathsig:   syscall.SIGKILL,
	}
`

// clearBox removes what is left of a box.
const clearBox = `
func remove(folder string) {
	filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	os.RemoveAll(folder)
}

// folder is made for a constructor that takes one.
func folder() string {
	if err := os.Mkdir("/dir", 0o755); err != nil {
		panic(err)
	}
	return "/dir"
}
`

// clearFolder removes what is left of a program.
const clearFolder = `
func remove(folder string) { os.RemoveAll(folder) }
`
