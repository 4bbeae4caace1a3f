//go:build amd64 && !purego

package kernel

// wordsAtOnce is how many words the assembly takes in a turn.
const wordsAtOnce = 16

// subtractInVectors subtracts all words but the last few, and returns how many it did.
func subtractInVectors(a, b []int64) int {
	turns := len(a) / wordsAtOnce
	if turns == 0 || !hasAVX2 {
		return 0
	}
	subtractWords(&a[0], &b[0], turns)
	return turns * wordsAtOnce
}

// addInVectors adds all words but the last few, and returns how many it did.
func addInVectors(a, b []int64) int {
	turns := len(a) / wordsAtOnce
	if turns == 0 || !hasAVX2 {
		return 0
	}
	sumWords(&a[0], &b[0], turns)
	return turns * wordsAtOnce
}

//go:noescape
func subtractWords(a, b *int64, turns int)

//go:noescape
func sumWords(a, b *int64, turns int)
