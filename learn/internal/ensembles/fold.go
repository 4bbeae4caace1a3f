package ensembles

import "math"

// Importance is how much a feature, or a group of them, matters by permutation.
type Importance struct {
	// mean over the members of the increase in loss: the decrease in accuracy, or the increase of
	// the mean squared error
	Mean float64 `json:"mean"`
	// standard error of Mean: sqrt(sum of (increase - Mean)^2 / B) / sqrt(B) for B members
	Error float64 `json:"error"`
	Z     float64 `json:"z"` // Mean / Error; 0 where Error is 0
}

// Fold returns the importance of each unit over the members, whose results of Permuter.Tree or
// Permuter.Member it gets in the order of the members; nil ones, of members without out-of-bag
// rows, do not count. Without any other it returns nil. The formulas are those of Breiman's
// programs and of R's randomForest, which divides by B, not B - 1: the members have rows in common,
// so Z follows no known distribution and is for comparing features only.
func Fold(members [][]float64) []Importance {
	var fold []Importance
	count := 0.0
	for _, m := range members {
		if m == nil {
			continue
		}
		if fold == nil {
			fold = make([]Importance, len(m))
		}
		for u, x := range m {
			fold[u].Mean += x
		}
		count++
	}
	for u := range fold {
		f := &fold[u]
		f.Mean /= count
		squares := 0.0
		for _, m := range members {
			if m != nil {
				d := m[u] - f.Mean
				squares += float64(d * d)
			}
		}
		f.Error = math.Sqrt(squares/count) / math.Sqrt(count)
		if f.Error > 0 {
			f.Z = f.Mean / f.Error
		}
	}
	return fold
}
