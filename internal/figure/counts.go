package figure

// The points of a history that tables list: those of the first few numbers of members or rounds,
// then so many for each time that the number doubles.
const (
	listedFirst  = 4
	listedOctave = 4
)

// Listed reports whether tables list the point of n members or rounds. They list the last one, too.
func Listed(n int) bool {
	step := 1
	for n/step >= 2*listedOctave {
		step *= 2
	}
	return n <= listedFirst || n%step == 0
}

// LogFrom is the number of rounds or members above which they are placed by their logarithm.
const LogFrom = 40

// Counts returns the axis of so many rounds or members.
func Counts(label string, most int) Scale { return Scale{Label: label, Log: most > LogFrom} }

// Places returns counts as the places of a Curve.
func Places(counts []int) []float64 {
	x := make([]float64, len(counts))
	for i, n := range counts {
		x[i] = float64(n)
	}
	return x
}

// UpTo returns 1, 2, ..., n.
func UpTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}
