package split

import "github.com/coppice-ml/coppice/data"

// For returns the plan of an inner cross-validation of about k folds, for learners that prune, stop
// early or combine models by out-of-fold rows. p is the learner's plan, nil for none.
//
//   - no plan: DefaultKind of the target, with this seed.
//   - a plan without a number of folds: of its kind, with this seed.
//   - any other plan: that one. Its K is less where there are too few rows, groups or times for it,
//     but under Assign.
//
// Where not even two folds are possible, it returns nil: no row can be left out.
func (p *Plan) For(t *data.Target, rows []int32, k int, seed uint64) *Plan {
	if p != nil && p.Assign != nil {
		return p
	}
	own := Plan{Kind: Auto, K: k, Seed: seed}
	if p != nil {
		own.Kind = p.Kind
		if p.K > 0 {
			own.K, own.Seed = p.K, p.Seed
		}
	}
	own.Kind = own.Kind.settle(t)
	if own.K = min(own.K, own.Kind.MaxFolds(t, rows)); own.Kind == LeaveOneOut {
		own.K = own.Kind.MaxFolds(t, rows)
	}
	if own.Kind == ByTime && t.Group != nil && t.Time != nil {
		for own.K >= 2 && !own.possible(t, rows) {
			own.K--
		}
	}
	if own.K < 2 {
		return nil
	}
	return &own
}

// possible reports whether all folds of a plan have rows to train on.
func (p *Plan) possible(t *data.Target, rows []int32) bool {
	_, err := p.Folds(t, rows)
	return err == nil
}

// Short returns the number of folds that For was called with, of the plan p or else k, where the
// plan that it made has fewer: there are too few rows, groups or times for them. It is 0 where they
// are as many, and where their number is that of the rows or comes with them.
func (p *Plan) Short(made *Plan, k int) int {
	if p != nil && p.K > 0 {
		k = p.K
	}
	if made == nil || made.Kind == LeaveOneOut || made.Assign != nil || made.K >= k {
		return 0
	}
	return k
}

// Within returns the plan for cross-validation inside the training set of a fold, for a learner
// that needs validation rows of its own. It keeps together, or in the order of time, what p does.
// It leaves the number of folds and the seed to the learner (see For). The folds that Assign makes
// stay what they are, without that fold; -1 is a fit on all rows.
//
//	Assign            0 1 2 0 1 2 -1
//	within fold 1     0 . 1 0 . 1 -1     (. are not trained on)
//
// A fold that leaves one row out has folds of several rows within, and so has one where Assign
// leaves too few others. A nil plan is that of DefaultKind, within too.
func (p *Plan) Within(fold int) *Plan {
	switch {
	case p == nil:
		return nil
	case p.Assign != nil:
		return p.assignedWithin(fold)
	case p.Kind == LeaveOneOut:
		return &Plan{Kind: Auto}
	}
	return &Plan{Kind: p.Kind}
}

func (p *Plan) assignedWithin(fold int) *Plan {
	k := p.assignedFolds()
	if fold < 0 {
		if k < 2 {
			return nil
		}
		return p
	}
	if k < 3 {
		return nil
	}
	own := &Plan{K: k - 1, Seed: p.Seed, Assign: make([]int32, len(p.Assign))}
	for row, f := range p.Assign {
		switch {
		case int(f) > fold:
			f--
		case int(f) == fold:
			f = -1
		}
		own.Assign[row] = f
	}
	return own
}

// KindFor returns the kind by which a plan is carried out on a target, where p may be nil or leave
// it to the target: of one with groups and times a grouped plan is one by time. An assigned plan
// has none: it is Random.
func (p *Plan) KindFor(t *data.Target) Kind {
	switch {
	case p == nil:
		return DefaultKind(t)
	case p.Assign != nil:
		return Random
	}
	return p.Kind.settle(t)
}

// HoldOutFor returns how a fraction of the rows is split off for validation under a plan, as
// KindFor does. Under an assigned plan, which has no kind, that keeps the target's groups and
// times.
func (p *Plan) HoldOutFor(t *data.Target, seed uint64, fraction float64) HoldOut {
	kind := p.KindFor(t)
	if p != nil && p.Assign != nil && (t.Group != nil || t.Time != nil) {
		kind = DefaultKind(t)
	}
	return HoldOut{Kind: kind, Seed: seed, Valid: fraction}
}

// KeepsGroups reports whether a plan, nil = that of DefaultKind, keeps the rows of a target's
// groups in one fold. Then no row leaks information about the others of its group. All plans do but
// assigned ones.
func (p *Plan) KeepsGroups(t *data.Target) bool {
	return t.Group != nil && (p == nil || p.Assign == nil)
}
