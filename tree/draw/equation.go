package draw

import (
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/tree"
)

// equation returns the words of what node n predicts, "" where that is no equation: "0.25 + 2 x1 -
// x2 + (5 more)".
func (v *view) equation(n int32, w wording) string {
	if !v.hasEquation(n) {
		return ""
	}
	constant, features, coefs := v.t.Equation(n)
	var terms []tree.Term
	for i, f := range features {
		terms = append(terms, tree.Term{Feature: f, Coef: coefs[i]})
	}
	sum := v.names.sum(terms, w)
	if constant == 0 {
		return sum
	}
	sign := " + "
	if rest, below := strings.CutPrefix(sum, "-"); below {
		sign, sum = " - ", rest
	}
	return humanize.Number(constant, w.digits) + sign + sum
}
