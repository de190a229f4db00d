// The path lies below parallax/cmd so that drive may use the tool's packages. The module is not part of go.work: what
// is compared here must not decide which versions the tool is built with.
module parallax/cmd/bench/plain

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/goccy/go-json v0.10.5
	github.com/pelletier/go-toml/v2 v2.4.3
	golang.org/x/sys v0.49.0 // indirect
	parallax v0.0.0
	parallax/cmd v0.0.0
)

require (
	charm.land/bubbletea/v2 v2.0.9 // indirect
	charm.land/lipgloss/v2 v2.0.6 // indirect
	github.com/charmbracelet/colorprofile v0.4.3 // indirect
	github.com/charmbracelet/ultraviolet v0.0.0-20260811164956-006e29f97886 // indirect
	github.com/charmbracelet/x/ansi v0.11.8 // indirect
	github.com/charmbracelet/x/term v0.2.2 // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/glaslos/ssdeep v0.4.0 // indirect
	github.com/ianlancetaylor/demangle v0.0.0-20250417193237-f615e6bd150b // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mattn/go-runewidth v0.0.24 // indirect
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/xo/terminfo v0.0.0-20220910002029-abceb7e1c41e // indirect
	golang.org/x/mod v0.21.0 // indirect
	golang.org/x/sync v0.22.0 // indirect
)

replace (
	parallax => ../../
	parallax/cmd => ../../cmd
)
