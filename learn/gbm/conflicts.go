package gbm

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/param"
)

// conflicts reports which parameters exclude each other.
func (l *Learner) conflicts() error {
	var faults []error
	if o := l.Boosting.Ordered; o != nil && l.Encode.Permutations != 1 &&
		l.Encode.Permutations != o.Permutations {
		faults = append(faults, fmt.Errorf("ts_permutations=%d does not go with boosting=ordered, "+
			"which uses its own orders: use boosting.permutations", l.Encode.Permutations))
	}
	if l.Subsample > 0 && l.Subsample < 1 && l.Sampling.name() != allRows {
		faults = append(faults, fmt.Errorf("subsample=%g does not go with sampling=%s, which has "+
			"parameters of its own: use those, and leave subsample at 0", l.Subsample,
			l.Sampling.name()))
	}
	if l.Growth == GrowthSymmetric && l.Leaves > 0 && l.Leaves != usualLeaves {
		faults = append(faults, fmt.Errorf("leaves=%d does not go with growth=symmetric, whose "+
			"trees have full levels: use depth", l.Leaves))
	}
	if l.Growth == GrowthSymmetric && l.Depth > mostSymmetric {
		faults = append(faults, fmt.Errorf("depth=%d does not go with growth=symmetric, whose "+
			"trees have 2^depth leaves: use up to %d, or growth=depth", l.Depth, mostSymmetric))
	}
	if l.Growth == GrowthSymmetric && l.GammaPrune == GammaPruneBottom {
		faults = append(faults, errors.New("gamma_prune=bottom does not go with growth=symmetric, "+
			"where all nodes of a level have one split and no branch can be removed alone: use "+
			"gamma_prune=top, or growth=depth"))
	}
	faults = append(append(faults, l.exactConflicts()...), l.levelConflicts()...)
	faults = append(faults, l.sketchConflicts()...)
	return joinFaults(append(faults, l.stepConflict(), l.multiOutputConflict()))
}

// levelConflicts reports what goes with symmetric trees alone.
func (l *Learner) levelConflicts() (faults []error) {
	cosine := l.SplitScore == SplitScoreCosine
	for _, c := range []struct {
		wrong bool
		text  string
	}{
		{cosine && l.Growth != GrowthSymmetric, "split_score=cosine goes with growth=symmetric " +
			"alone, since it is of a level: use that, or split_score=l2"},
		{cosine && l.Gamma > 0, fmt.Sprintf("gamma=%g does not go with split_score=cosine, which "+
			"is no gain: use split_score=l2", l.Gamma)},
		{l.RandomStrength > 0 && l.Growth != GrowthSymmetric, fmt.Sprintf("random_strength=%g "+
			"goes with growth=symmetric alone: use that, or sampling", l.RandomStrength)},
	} {
		if c.wrong {
			faults = append(faults, errors.New(c.text))
		}
	}
	return faults
}

// stepConflict reports what trees of several outputs and linear leaves do not go with.
func (l *Learner) stepConflict() error {
	with, use := "multi_output=true", "multi_output=false"
	switch {
	case l.MultiOutput:
	case l.LinearTree:
		with, use = "linear_tree=true", "linear_tree=false"
	default:
		return nil
	}
	for _, c := range []struct {
		wrong bool
		what  string
	}{
		{l.Boosting.Ordered != nil, "boosting=ordered"},
		{l.SplitScore != SplitScoreNewton, "split_score=" + l.SplitScore.String()},
		{l.RandomStrength > 0, fmt.Sprintf("random_strength=%g", l.RandomStrength)},
		{l.LeafMethod != LeafMethodNewton, "leaf_method=" + l.LeafMethod.String()},
		{l.LeafSteps > 1, fmt.Sprintf("leaf_steps=%d", l.LeafSteps)},
	} {
		if c.wrong {
			return fmt.Errorf("%s does not go with %s, whose leaves are computed in another way: "+
				"use %s", c.what, with, use)
		}
	}
	return nil
}

// exactConflicts reports what does not go with compat=xgboost-exact, whose bins hold one value
// each.
func (l *Learner) exactConflicts() (faults []error) {
	if l.Compat != CompatXGBoostExact {
		return nil
	}
	for _, c := range []struct {
		wrong     bool
		what, use string
	}{
		{l.MinBin > 1, fmt.Sprintf("min_bin=%d, which joins values", l.MinBin), "min_bin=1"},
		{l.Categories != CategoriesNative && l.Categories != CategoriesOrdinal,
			"categories=" + l.Categories.String(), "categories=native or ordinal"},
		{l.MultiOutput, "multi_output=true", "multi_output=false"},
		{l.ExtraTrees, "extra_trees=true, which tries one split point", "extra_trees=false"},
		{l.Growth == GrowthSymmetric, "growth=symmetric", "growth=depth"},
	} {
		if c.wrong {
			faults = append(faults, fmt.Errorf("compat=%s does not go with %s: use %s",
				xgboostExact, c.what, c.use))
		}
	}
	return faults
}

// sketchConflicts reports what proposed split points do not go with.
func (l *Learner) sketchConflicts() (faults []error) {
	if l.SplitPoints == SplitPointsExact {
		return nil
	}
	local := l.SplitPoints == SplitPointsLocal
	for _, c := range []struct {
		wrong     bool
		what, use string
	}{
		{l.Bins != 255, fmt.Sprintf("bins=%d", l.Bins), "sketch_eps in its place"},
		{l.MinBin > 1, fmt.Sprintf("min_bin=%d", l.MinBin), "min_bin=1"},
		{l.Compat != CompatNone && l.Compat != CompatXGBoost, "compat=" + l.Compat.String(),
			"compat=none or xgboost"},
		{local && l.Categories != CategoriesNative && l.Categories != CategoriesOrdinal,
			"categories=" + l.Categories.String() + ", which may add columns",
			"categories=native or ordinal"},
		{local && l.MultiOutput, "multi_output=true", "multi_output=false"},
		{local && l.Boosting.Ordered != nil, "boosting=ordered", "boosting=plain"},
	} {
		if c.wrong {
			faults = append(faults, fmt.Errorf("split_points=%v does not go with %s: use %s",
				l.SplitPoints, c.what, c.use))
		}
	}
	return faults
}

// multiOutputConflict reports what does not go with trees of several outputs.
func (l *Learner) multiOutputConflict() error {
	if !l.MultiOutput {
		return nil
	}
	switch {
	case l.Monotone != nil:
		return errors.New("multi_output=true does not go with monotone: a split may keep the " +
			"order for one output and break it for another: use multi_output=false")
	case l.LinearTree:
		return errors.New("multi_output=true does not go with linear_tree, whose leaves have an " +
			"equation for one output: use multi_output=false")
	}
	return nil
}

// joinFaults returns faults as one error of one line, nil if there are none. Nil faults are left
// out.
func joinFaults(faults []error) error {
	var all param.Faults
	for _, err := range faults {
		if err != nil {
			all = append(all, &param.Fault{Message: err.Error()})
		}
	}
	if all == nil {
		return nil
	}
	return all
}
