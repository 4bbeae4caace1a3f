package spelling

import "bytes"

// JSONNumber reports whether a word is a number of JSON (RFC 8259): digits without zeros before
// them, a fraction, an exponent.
func JSONNumber(word []byte) bool {
	word = bytes.TrimPrefix(word, []byte("-"))
	whole := digits(word)
	if whole == 0 || whole > 1 && word[0] == '0' {
		return false
	}
	word = word[whole:]
	if len(word) > 0 && word[0] == '.' {
		fraction := digits(word[1:])
		if fraction == 0 {
			return false
		}
		word = word[1+fraction:]
	}
	if len(word) > 0 && word[0]|0x20 == 'e' {
		word = word[1:]
		if len(word) > 0 && (word[0] == '+' || word[0] == '-') {
			word = word[1:]
		}
		return len(word) > 0 && digits(word) == len(word)
	}
	return len(word) == 0
}

// digits returns how many decimal digits a word begins with.
func digits(word []byte) int {
	n := 0
	for n < len(word) && '0' <= word[n] && word[n] <= '9' {
		n++
	}
	return n
}
