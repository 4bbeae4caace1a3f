package kernel

// OutputsAtOnce is the number of outputs whose words AddOutputs adds at once.
const OutputsAtOnce = 4

// OutputCells is the cells of the codes of a byte, each a word of OutputsAtOnce outputs:
//
//	code 0: a b c d   code 1: a b c d   ...
type OutputCells [256 * OutputsAtOnce]int64

// AddOutputs adds the words of rows, those of all outputs of a row together, to the cells of the
// codes that the rows have in two columns. There are as many codes as rows. Without codes of a
// second column, b stays as it is.
func AddOutputs(a, b *OutputCells, first, second []uint8, words []int64) {
	done := 0
	if second == nil {
		done = addOutputsOfOne(a, first, words)
	} else {
		done = addOutputsOfTwo(a, b, first, second[:len(first)], words)
		addOutputs(b, second[done:], words[OutputsAtOnce*done:])
	}
	addOutputs(a, first[done:], words[OutputsAtOnce*done:])
}

// addOutputs is AddOutputs of one column in plain Go.
func addOutputs(cells *OutputCells, codes []uint8, words []int64) {
	for r, code := range codes {
		to := cells[OutputsAtOnce*int(code):][:OutputsAtOnce]
		w := words[OutputsAtOnce*r:][:OutputsAtOnce]
		to[0] += w[0]
		to[1] += w[1]
		to[2] += w[2]
		to[3] += w[3]
	}
}

// TurnOutputs writes words that lie output by output row by row, for AddOutputs. All have as many
// rows as the first.
func TurnOutputs(dst []int64, words *[OutputsAtOnce][]int64) {
	a := words[0]
	b, c, d := words[1][:len(a)], words[2][:len(a)], words[3][:len(a)]
	for r := range a {
		to := dst[OutputsAtOnce*r:][:OutputsAtOnce]
		to[0], to[1], to[2], to[3] = a[r], b[r], c[r], d[r]
	}
}
