package prune

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

const (
	// leafBonus is the number of estimated errors that a leaf may have more than the subtree it
	// replaces.
	leafBonus = 0.1
	// alike is the difference up to which two error counts or weights are taken for equal, as by
	// Weka.
	alike = 1e-6
)

// limit estimates errors at one confidence.
type limit struct {
	cf, log, z float64 // the confidence, its logarithm, the normal quantile of 1 - cf
}

func newLimit(cf float64) (limit, error) {
	if !(cf > 0 && cf <= 0.5) {
		return limit{}, fmt.Errorf("confidence %v of pessimistic pruning: it must be above 0 and "+
			"at most 0.5", cf)
	}
	return limit{cf, kernel.Log(cf), -kernel.NormalQuantile(cf)}, nil
}

// AddedErrors returns by how much the upper confidence limit of the errors of a leaf exceeds the
// observed errors: e of total weight n. The chance that the true number is beyond the limit is cf,
// above 0 and at most 0.5. C4.5's default is 0.25; a lower one prunes more. Above 0.5 the result is
// 0.
//
// With z the normal quantile of 1 - cf and f = (e + 1/2) / n, n times
//
//	(f + z^2/2n + z sqrt(f/n - f^2/n + z^2/4n^2)) / (1 + z^2/n)
//
// minus e (Quinlan 1993, chapter 4, as Weka computes it). That approximation fails near the ends.
// There n (1 - cf^(1/n)) is exact for e = 0, and values in between are interpolated up to e = 1. If
// all but half a row are errors, n - e is added.
func AddedErrors(n, e, cf float64) float64 {
	if cf > 0.5 {
		return 0
	}
	l := limit{cf, kernel.Log(cf), -kernel.NormalQuantile(cf)}
	return l.added(n, e)
}

func (l *limit) added(n, e float64) float64 {
	switch {
	case e < 1:
		none := float64(n * (1 - kernel.Exp(l.log/n)))
		if e <= 0 {
			return none
		}
		return none + float64(e*(l.added(n, 1)-none))
	case e+0.5 >= n:
		return max(0, n-e)
	}
	f, z2 := (e+0.5)/n, float64(l.z*l.z)
	root := math.Sqrt(f/n - float64(f*f)/n + z2/float64(float64(4*n)*n))
	upper := (f + z2/float64(2*n) + float64(l.z*root)) / (1 + z2/n)
	return float64(upper*n) - e
}

// estimate returns the errors to expect of a leaf with these class weights, which predicts the
// given class.
func (l *limit) estimate(counts []float64, class int) float64 {
	n := sum(counts)
	if n < alike {
		return 0
	}
	e := n - counts[class]
	return e + l.added(n, e)
}

// largest returns the class of greatest weight, of equal ones the first.
func largest(counts []float64) int {
	best := 0
	for k, w := range counts {
		if w > counts[best] {
			best = k
		}
	}
	return best
}

// Pessimistic prunes a classification tree by upper confidence limits of its training errors
// (error-based pruning of C4.5, Quinlan 1993, chapter 4, without subtree raising): from the bottom
// up, a node becomes a leaf if its estimate, errors + AddedErrors, exceeds the sum of those of the
// leaves below by at most 0.1. cf is the confidence, see AddedErrors.
func Pessimistic(t *tree.Tree, cf float64) (*tree.Tree, error) {
	l, err := newLimit(cf)
	if err != nil {
		return nil, err
	}
	counts, err := classes(t)
	if err != nil {
		return nil, err
	}
	leaf, ended := make([]float64, t.Len()), make([]float64, t.Len())
	for n, c := range counts {
		class := largest(c)
		leaf[n] = l.estimate(c, class)
		if rest := stopping(t, counts, int32(n)); rest != nil {
			ended[n] = l.estimate(rest, class)
		}
	}
	return Collapse(t, bottomUp(t, leaf, ended, leafBonus+alike))
}

// Pessimistic1987 prunes a classification tree by its training errors, corrected for continuity
// (pessimistic-error pruning, Quinlan 1987, "Simplifying decision trees", section 3): from the top
// down, a node becomes a leaf if its errors + 1/2 exceed the corrected errors below by at most
// their standard error
//
//	sqrt(e (n - e) / n),  e = errors of the leaves below + 1/2 for each,  n = weight of the node
//
// Leaves that no training row reached do not count.
func Pessimistic1987(t *tree.Tree) (*tree.Tree, error) {
	counts, err := classes(t)
	if err != nil {
		return nil, err
	}
	stop := make([]bool, t.Len())
	below := make([]float64, t.Len())
	for i := int32(t.Len()) - 1; i >= 0; i-- {
		n, own := sum(counts[i]), 0.0
		if n > 0 {
			own = wrong(counts[i]) + 0.5
		}
		if t.Kind(i) == tree.Leaf {
			below[i] = own
			continue
		}
		for c := t.Child(i); c < t.Child(i)+t.Arity(i); c++ {
			below[i] += below[c]
		}
		if rest := stopping(t, counts, i); rest != nil && sum(rest) > 0 {
			below[i] += sum(rest) - rest[largest(counts[i])] + 0.5
		}
		se := 0.0
		if n > 0 {
			se = math.Sqrt(max(0, float64(below[i]*(n-below[i]))/n))
		}
		stop[i] = own <= below[i]+se+alike // the root makes much of rounding errors near 0
	}
	return Collapse(t, stop)
}
