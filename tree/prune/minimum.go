package prune

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tree"
)

// MinimumError prunes a classification tree to the least expected error when the classes are
// equally likely beforehand (Niblett & Bratko 1986): of n rows with n_k of the majority class k, a
// leaf misclassifies in the future an expected fraction
//
//	(n - n_k + K - 1) / (n + K)
//
// for K classes. From the bottom up, a node becomes a leaf if its expected errors, that fraction
// times its weight, are at most those of what is below.
func MinimumError(t *tree.Tree) (*tree.Tree, error) {
	k := t.Leaf.Width
	return minimumError(t, float64(k), slices.Repeat([]float64{1 / float64(k)}, k))
}

// MinimumErrorM prunes like MinimumError, with the m-probability estimate (Cestnik & Bratko 1991):
// the expected fraction of errors of a leaf is
//
//	min over k of (n - n_k + (1 - p_k) m) / (n + m)
//
// where p_k is the fraction of class k among all rows. m, from 0 up, is the number of rows that
// this prior knowledge counts as. It should be larger for noisier data, and as a rule prunes more
// then. 0 takes the training errors as they are. The estimate decides what is pruned, not what a
// leaf predicts: that is the class of most weight.
func MinimumErrorM(t *tree.Tree, m float64) (*tree.Tree, error) {
	if !(m >= 0) || math.IsInf(m, 0) {
		return nil, fmt.Errorf("m = %v of minimum-error pruning: it must be a number from 0 up", m)
	}
	counts, err := classes(t)
	if err != nil {
		return nil, err
	}
	prior, total := slices.Clone(counts[0]), sum(counts[0])
	for k := range prior {
		prior[k] /= max(total, math.SmallestNonzeroFloat64)
	}
	return minimumError(t, m, prior)
}

func minimumError(t *tree.Tree, m float64, prior []float64) (*tree.Tree, error) {
	counts, err := classes(t)
	if err != nil {
		return nil, err
	}
	leaf, ended := make([]float64, t.Len()), make([]float64, t.Len())
	for i, c := range counts {
		n := sum(c)
		if n == 0 {
			continue
		}
		fraction := math.Inf(1)
		for k, w := range c {
			fraction = min(fraction, (n-w+float64((1-prior[k])*m))/(n+m))
		}
		leaf[i] = float64(n * fraction)
		if rest := stopping(t, counts, int32(i)); rest != nil {
			ended[i] = float64(sum(rest) * fraction)
		}
	}
	return Collapse(t, bottomUp(t, leaf, ended, float64(rounding*sum(counts[0]))))
}
