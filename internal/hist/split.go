package hist

import "math"

// split is a way to partition the rows of a leaf.
type split struct {
	column     int     // of the matrix; -1: there is none
	bin        int     // numbers: bins up to this one go to the first child
	splitPoint float64 // XGBoostExact: the threshold of numbers
	set        []int32 // categories: these bins go to the first child
	// missing reports whether missing values go to the first child. Of categories those that the
	// set does not hold go last.
	missing bool
	gain    float64
	first   pair // sums of the first child
	rows    int32
}

// none is what is found where no split gains anything.
func none() split { return split{column: -1, gain: math.Inf(-1)} }

// better reports whether a is to be taken rather than b: of equal gains that of the lower column.
func (a *split) better(b *split) bool {
	if a.column < 0 {
		return false
	}
	return b.column < 0 || a.gain > b.gain || a.gain == b.gain && a.column < b.column
}
