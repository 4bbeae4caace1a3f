package grow

import (
	"math"

	"github.com/coppice-ml/coppice/param"
)

// settleFrom is the number of members at which errors begin to count. The errors of fewer are of
// few rows, and one that is low by chance would never be reached again.
const settleFrom = 20

// Settle is the rule by which the training of an ensemble stops because its out-of-bag error has
// settled. The zero value never stops it. With e_m the error of the first m members, it has settled
// after m of them if
//
//	min(e_20 ... e_(m-Members)) exists, and
//	min(e_(m-Members+1) ... e_m) >= min(e_20 ... e_(m-Members)) x (1 - Tolerance)
//
// so not before 20 + Members members. It is applied after each member in order, and depends on
// nothing else.
type Settle struct {
	Tolerance float64 // relative improvement that counts, from 0, below 1
	Members   int     // without an improvement; 0 = no early stopping
}

// Params declares both parameters.
func (s *Settle) Params() param.Set {
	return param.Set{
		param.Int(&s.Members, "early_stopping", 0, 1, 1<<20, "training stops once so many "+
			"members in a row have not lowered the out-of-bag error by more than tolerance, "+
			"which counts from the 20th member on", param.Zero("it does not stop")),
		param.Float(&s.Tolerance, "tolerance", 0.01, 0, 1, "fraction of the out-of-bag error by "+
			"which members must lower it to continue, with early_stopping"),
	}
}

// Settled reports whether the error has settled after len(errors) members; errors[m-1] is that of
// the first m. NaN is no error.
func (s Settle) Settled(errors []float64) bool {
	split := len(errors) - s.Members
	if s.Members < 1 || split < settleFrom {
		return false
	}
	before := least(errors[settleFrom-1 : split])
	return !math.IsInf(before, 1) && least(errors[split:]) >= float64(before*(1-s.Tolerance))
}

// least returns the smallest number, +Inf where all are NaN.
func least(x []float64) float64 {
	m := math.Inf(1)
	for _, v := range x {
		if v < m {
			m = v
		}
	}
	return m
}
