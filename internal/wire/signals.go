package wire

// Words with the supervisor's requests while programs run, and the worker's sign of life. Programs
// can overwrite them. So each word of the supervisor carries its own checksum, and other values are
// not requests.

const (
	stopSoon = 1       // after the input in flight
	mostMail = 1 << 20 // unread messages of mail, far above what a supervisor sends
)

// withChecksum returns a number below 1<<32 with its checksum.
func withChecksum(n uint64) uint64 { return n<<32 | (n+1)*0x9e3779b97f4a7c15>>32 }

// checkedNumber returns the number of a word. Zero is an unwritten word.
func checkedNumber(word uint64) (n uint64, ok bool) {
	n = word >> 32
	return n, word == 0 || word == withChecksum(n)
}

// RequestStop asks the worker to stop after the input in flight, or withdraws the request. The
// supervisor calls it.
func (m *Memory) RequestStop(on bool) {
	word := uint64(0)
	if on {
		word = withChecksum(stopSoon)
	}
	m.word(offStop).Store(word)
}

// StopRequested reports whether the worker is to stop.
func (m *Memory) StopRequested() bool { return m.word(offStop).Load() == withChecksum(stopSoon) }

// AnnounceMail announces one more message of mail to the worker. The supervisor calls it.
func (m *Memory) AnnounceMail() {
	m.mails++
	m.word(offMail).Store(withChecksum(m.mails & (1<<32 - 1)))
}

// Announced returns the number of announced messages of mail.
func (m *Memory) Announced() uint64 {
	if n, ok := checkedNumber(m.word(offMail).Load()); ok && n-m.mailed < mostMail {
		m.mailed = n
	}
	return m.mailed
}

// Beat reports to the supervisor that a new step has begun, by answering its latest ping.
func (m *Memory) Beat() {
	if ping := m.word(offPing).Load(); ping != m.own[(offPong-offOwn)/8] {
		m.put(offPong, ping)
	}
}

// Beaten reports whether the worker has answered since the last call. No program does so by
// accident, since each ping is another number.
func (m *Memory) Beaten() bool {
	beaten := m.word(offPong).Load() == m.ping
	if beaten {
		m.nextPing()
	}
	m.word(offPing).Store(m.ping) // also if a program has overwritten it
	return beaten
}

// nextPing makes the next ping, with the multiplier and increment of Knuth's MMIX.
func (m *Memory) nextPing() {
	m.ping = m.ping*6364136223846793005 + 1442695040888963407
	m.word(offPing).Store(m.ping)
}
