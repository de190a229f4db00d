package wire

// Words by which the supervisor tells a worker something while programs run, and the worker's sign of life. Programs can write over them, too:
// each word that the supervisor writes holds a checksum of itself, so that what a program leaves there is no request.

const (
	stopSoon = 1       // after the input in flight
	mostMail = 1 << 20 // messages of mail that a worker has not read, far above what a supervisor sends
)

// sealed is a number below 1<<32 with its checksum.
func sealed(n uint64) uint64 { return n<<32 | (n+1)*0x9e3779b97f4a7c15>>32 }

// unsealed is the number; zero is a word in which nothing has been written yet.
func unsealed(word uint64) (n uint64, ok bool) {
	n = word >> 32
	return n, word == 0 || word == sealed(n)
}

// RequestStop asks the worker to stop after the input in flight, or to go on. The supervisor calls it.
func (m *Memory) RequestStop(on bool) {
	word := uint64(0)
	if on {
		word = sealed(stopSoon)
	}
	m.word(offStop).Store(word)
}

// StopRequested reports whether the worker is to stop.
func (m *Memory) StopRequested() bool { return m.word(offStop).Load() == sealed(stopSoon) }

// AnnounceMail tells the worker that one more message of mail comes. The supervisor calls it.
func (m *Memory) AnnounceMail() {
	m.mails++
	m.word(offMail).Store(sealed(m.mails & (1<<32 - 1)))
}

// Announced is how many messages of mail have been announced.
func (m *Memory) Announced() uint64 {
	if n, ok := unsealed(m.word(offMail).Load()); ok && n-m.mailed < mostMail {
		m.mailed = n
	}
	return m.mailed
}

// Beat tells the supervisor that something new has begun: it answers the supervisor's latest ping.
func (m *Memory) Beat() {
	if ping := m.word(offPing).Load(); ping != m.own[(offPong-offOwn)/8] {
		m.put(offPong, ping)
	}
}

// Beaten reports whether the worker has answered since the last call. No program does by accident, since each ping is another number.
func (m *Memory) Beaten() bool {
	beaten := m.word(offPong).Load() == m.ping
	if beaten {
		m.nextPing()
	}
	m.word(offPing).Store(m.ping) // also where a program has written over it
	return beaten
}

// nextPing makes the next ping, by the multiplier and increment of Knuth's MMIX.
func (m *Memory) nextPing() {
	m.ping = m.ping*6364136223846793005 + 1442695040888963407
	m.word(offPing).Store(m.ping)
}
