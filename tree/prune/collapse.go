package prune

import "github.com/coppice-ml/coppice/tree"

// CollapseUseless makes leaves of the inner nodes whose leaves together make as many training
// errors as the node alone, from the top down: what C4.5 does before it prunes, and also if it does
// not (Quinlan 1993). Errors are weights; 0.001 less is as many.
func CollapseUseless(t *tree.Tree) (*tree.Tree, error) {
	const least = 1e-3
	counts, err := classes(t)
	if err != nil {
		return nil, err
	}
	stop, below := make([]bool, t.Len()), make([]float64, t.Len())
	for n := int32(t.Len()) - 1; n >= 0; n-- {
		if t.Kind(n) == tree.Leaf {
			below[n] = wrong(counts[n])
			continue
		}
		for c := t.Child(n); c < t.Child(n)+t.Arity(n); c++ {
			below[n] += below[c]
		}
		if rest := stopping(t, counts, n); rest != nil {
			below[n] += sum(rest) - rest[largest(counts[n])]
		}
		stop[n] = below[n] >= wrong(counts[n])-least
	}
	return Collapse(t, stop)
}
