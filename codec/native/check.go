package native

import (
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// check is model.Ensemble.Validate and, beyond it, what keeps a hostile file from harming those who use its model:
// numbers are finite but cuts, no output lies so far beyond the trees that a few bytes could ask a predictor for
// gigabytes, leaves look at no feature and have no NaN cut either, and sets hold only codes of the dictionary.
func check(e *model.Ensemble) error {
	for i, t := range e.Trees {
		if t == nil {
			return fmt.Errorf("tree %d is nil", i)
		}
	}
	if err := e.Validate(); err != nil {
		return err
	}
	for _, o := range e.Output {
		if o < -1 || int(o) >= max(len(e.Trees), len(e.Bias), len(e.Meta.Classes)) {
			return fmt.Errorf("a tree feeds output %d in a model of %d trees", o, len(e.Trees))
		}
	}
	if !finite(e.Weights) || !finite(e.Bias) {
		return errors.New("a weight or start value is not finite")
	}
	for i, t := range e.Trees {
		if err := checkNodes(t, e.Meta.Schema.Fields); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
		if err := checkNumbers(t); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return nil
}

func checkNodes(t *tree.Tree, fields []data.Field) error {
	for n, kind := range t.Kind {
		switch kind {
		case tree.Leaf:
			if t.Feature[n] != -1 || math.IsNaN(t.Cut[n]) {
				return fmt.Errorf("leaf %d has feature %d and cut %v", n, t.Feature[n], t.Cut[n])
			}
		case tree.SetFirst, tree.SetLast:
			set, levels := t.Set(int32(n)), len(fields[t.Feature[n]].Levels)
			for w, word := range set {
				if top := 64*w + bits.Len64(word); word != 0 && top > levels {
					return fmt.Errorf("node %d: code %d in the set of a dictionary of %d", n, top-1, levels)
				}
			}
		}
	}
	return nil
}

func checkNumbers(t *tree.Tree) error {
	if !finite(t.Leaf.Value) {
		return errors.New("a value is not finite")
	}
	if len(t.Leaf.Value) > math.MaxInt32 {
		return fmt.Errorf("%d numbers in its values", len(t.Leaf.Value))
	}
	if s := t.Stats; s != nil && !(finite(s.Weight) && finite(s.Impurity) && finite(s.Gain)) {
		return errors.New("a weight, impurity or gain is not finite")
	}
	return nil
}

func finite(s []float64) bool {
	for _, x := range s {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}
