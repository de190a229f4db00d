package ui

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"parallax/cmd/internal/base/escape"
	"parallax/cmd/internal/finding/sample"
)

// tick is the time between two drawings of the full screen: short enough for a spinner, long enough
// not to slow the fuzzing.
const tick = 125 * time.Millisecond

// patience is the time that Close waits for a terminal that takes no output, such as a hanging
// connection.
const patience = 3 * time.Second

// fullUI owns the terminal from the first Step or Update until Close. The screen reads the state
// when it is drawn, so callers do not wait for a slow terminal.
type fullUI struct {
	interrupt func()
	now       func() time.Time
	line      *lineUI // takes over if the screen cannot be opened or is lost

	mu       sync.Mutex
	state    state
	sampled  time.Time // of the last rate
	program  *tea.Program
	done     chan struct{} // closed when the program has ended
	finished bool          // the screen has ended and line writes
	messages []string      // all, to print after the screen

	closing sync.Once
	options []tea.ProgramOption
}

func newFull(w io.Writer, t terminal, interrupt func(), now func() time.Time) *fullUI {
	return &fullUI{
		interrupt: interrupt, now: now, line: newLine(w, t, now),
		options: []tea.ProgramOption{tea.WithOutput(w), tea.WithoutSignalHandler(), tea.WithEnvironment(os.Environ())},
	}
}

func (f *fullUI) Step(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.finished {
		f.line.Step(text)
		return
	}
	f.state.begin(escape.Text(text), f.now())
	f.start()
}

func (f *fullUI) Update(s sample.Status) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.finished {
		f.line.Update(s)
		return
	}
	f.state.begin("", f.now())
	f.state.status, f.state.running = s, true
	if now := f.now(); now.Sub(f.sampled) >= time.Second {
		f.sampled = now
		f.state.rates = append(f.state.rates, s.Rate)
		if over := len(f.state.rates) - maxRates; over > 0 {
			f.state.rates = f.state.rates[over:]
		}
	}
	f.start()
}

func (f *fullUI) Message(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.finished || f.program == nil {
		f.line.Message(text)
		return
	}
	f.messages = append(f.messages, text)
	f.state.messages = append(f.state.messages, escape.Text(text))
	if over := len(f.state.messages) - maxMessages; over > 0 {
		f.state.messages = f.state.messages[over:]
	}
}

// start opens the screen. f.mu is held.
func (f *fullUI) start() {
	if f.program != nil {
		return
	}
	f.done = make(chan struct{})
	f.program = tea.NewProgram(screen{f}, f.options...)
	go func() {
		defer close(f.done)
		_, err := f.program.Run()
		f.end(err)
	}()
}

// end hands over to the line mode, with all messages of the screen.
func (f *fullUI) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.finished = true
	if err != nil {
		f.line.Message(fmt.Sprintf("the full-screen status has ended (%v); the status continues line by line, as with --ui line", err))
	}
	for _, m := range f.messages {
		f.line.Message(m)
	}
	f.messages = nil
	switch {
	case err == nil:
	case f.state.step != "":
		f.line.Step(f.state.step)
	case f.state.running:
		f.line.Update(f.state.status)
	}
}

func (f *fullUI) Close() {
	f.closing.Do(func() {
		f.mu.Lock()
		program, done := f.program, f.done
		if program == nil {
			f.finished = true
		}
		f.mu.Unlock()
		if program != nil {
			go program.Quit() // blocks as long as the terminal does
			select {
			case <-done:
			case <-time.After(patience):
			}
		}
		f.line.Close()
	})
}

// screen is the Bubble Tea model, a view of the shared state.
type screen struct{ f *fullUI }

type tickMsg struct{}

func nextTick() tea.Cmd { return tea.Tick(tick, func(time.Time) tea.Msg { return tickMsg{} }) }

func (s screen) Init() tea.Cmd { return nextTick() }

func (s screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.f.state.width, s.f.state.height = msg.Width, msg.Height
	case tickMsg:
		s.f.state.ticks++
		return s, nextTick()
	case tea.KeyPressMsg:
		switch msg.String() {
		case "ctrl+c", "q":
			s.f.state.interrupts++
			if s.f.interrupt != nil {
				go s.f.interrupt() // it may call Close, which waits for this loop
			}
		case "ctrl+z":
			return s, tea.Suspend
		}
	}
	return s, nil
}

func (s screen) View() tea.View {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	v := tea.NewView(s.f.state.frame(s.f.now()))
	v.AltScreen = true
	return v
}
