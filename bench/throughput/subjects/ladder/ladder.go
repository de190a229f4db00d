// Package ladder does next to nothing, so that the engine's own time per input is measured.
package ladder

// Climb compares one byte after another and returns how many are right.
func Climb(b []byte) int {
	if len(b) < 8 {
		return 0
	}
	if b[0] == 'l' {
		if b[1] == 'a' {
			if b[2] == 'd' {
				if b[3] == 'd' {
					if b[4] == 'e' {
						if b[5] == 'r' {
							if b[6] == '!' {
								if b[7] == '?' {
									return 8
								}
								return 7
							}
							return 6
						}
						return 5
					}
					return 4
				}
				return 3
			}
			return 2
		}
		return 1
	}
	return 0
}
