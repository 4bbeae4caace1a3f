package split

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Plan describes how rows are assigned to the folds of cross-validation. It is a value: the same
// plan, target and rows give the same folds, in whatever order the rows come. Pruning, stacking and
// calibration need predictions for rows that a model was not trained on. All of them use one plan,
// so that no label reaches its own row.
type Plan struct {
	Kind Kind   `json:"kind"`
	K    int    `json:"k"` // number of folds, at least 2; 0 leaves it to For
	Seed uint64 `json:"seed"`
	// Assign, if set, gives the fold of each frame row instead of Kind and Seed: 0 ... K-1. A row
	// with -1 is in every training set and is never tested. K may then be 0, which is the largest
	// number in Assign plus 1, or 1. Groups and times have no effect on it: the caller decides.
	Assign []int32 `json:"assign,omitempty"`
}

// Fold is one round of cross-validation: frame rows to train on and frame rows to test on, both
// ascending. A row that was repeated is repeated here.
type Fold struct {
	Train, Test []int32
	// LeftOut counts the earlier rows that are not in Train because their groups are in Test, of a
	// plan by time.
	LeftOut int
}

// Folds assigns rows to K folds, counted in distinct rows. The rows are frame rows in any order,
// and all copies of a row stay on one side. Rows of weight 0 count as absent: they are in no fold.
// Groups of the target stay whole and its times in order, whatever the kind:
//
//   - random: the sizes of the test sets differ by at most 1.
//   - stratified: as random, and the numbers of rows of a class differ by at most 1 as well. A
//     class with fewer rows than folds is absent from some test sets. A class with a single row is
//     absent from one training set.
//   - grouped: each group, the largest first, goes to the smallest fold so far; where there are
//     classes, to the fold that has the least of its classes so far. Errors: no groups, or fewer
//     than K.
//   - leave one out: a fold for each row, or for each group. Errors: fewer than two of them.
//   - by time: rows in order of time make K+1 blocks of about the same size. Fold i tests on block
//     i+1 and trains on all blocks before it, so the first block is never tested. Errors: no times,
//     or fewer than K+1 different ones. Where there are groups, training sets lack those of the
//     test set; a training set without rows is an error.
//
// A random, stratified or leave-one-out plan of a target with times is an error, since it trains on
// later rows than it tests on. It is an error if K is below 2, if there are more folds than
// distinct rows, or if Assign leaves a training or test set empty. The target may be nil for a
// random plan.
func (p *Plan) Folds(t *data.Target, rows []int32) ([]Fold, error) {
	if t == nil {
		t = &data.Target{}
	}
	s, err := newRowSet(t, rows)
	if err != nil {
		return nil, err
	}
	if p.Assign != nil {
		return p.assigned(s)
	}
	if p.Kind == LeaveOneOut {
		return leaveOneOut(t, s)
	}
	if p.K < 2 {
		return nil, fmt.Errorf("%d folds: at least 2 are needed", p.K)
	}
	if p.K > len(s.distinct) {
		return nil, fmt.Errorf("%d folds are more than the %d rows", p.K, len(s.distinct))
	}
	kind, err := p.Kind.resolve(t, s.last())
	if err != nil {
		return nil, err
	}
	var fold []int32
	random := rng.New(p.Seed, foldStream)
	switch kind {
	case ByTime:
		want := make([]int, p.K)
		for b := range want {
			want[b] = (b + 1) * len(s.distinct) / (p.K + 1)
		}
		if fold, err = blocksInTime(t.Time, s.distinct, want); err != nil {
			return nil, err
		}
		folds := chain(s.all, s.spread(fold), p.K)
		return folds, leaveGroupsOut(folds, t.Group)
	case Grouped:
		if fold, err = assignGroups(t, groups(t, s.distinct, random), s.distinct,
			p.K); err != nil {
			return nil, err
		}
	default:
		fold = make([]int32, len(s.distinct))
		for i, place := range shuffled(kind, t, s.distinct, random) {
			fold[place] = int32(i % p.K)
		}
	}
	return rotate(s.all, s.spread(fold), p.K), nil
}

// MaxFolds returns the largest K that a plan of this kind can make of rows: the number of distinct
// rows, of groups, or of times less one. It is 0 or less where not even two folds are possible.
func (k Kind) MaxFolds(t *data.Target, rows []int32) int {
	k = k.settle(t)
	distinct := map[int64]bool{}
	for _, row := range t.WithWeight(rows) {
		switch {
		case (k == Grouped || k == LeaveOneOut) && t.Group != nil:
			distinct[t.Group[row]] = true
		case k == ByTime && t.Time != nil:
			distinct[t.Time[row]] = true
		default:
			distinct[int64(row)] = true
		}
	}
	if k == ByTime {
		return len(distinct) - 1
	}
	return len(distinct)
}

// leaveOneOut makes a fold for each row, or for each group.
func leaveOneOut(t *data.Target, s rowSet) ([]Fold, error) {
	if _, err := LeaveOneOut.resolve(t, s.last()); err != nil {
		return nil, err
	}
	fold, folds, what := data.AllRows(len(s.distinct)), len(s.distinct), "row"
	if t.Group != nil {
		what = "group"
		places, ends := runs(t.Group, s.distinct)
		folds = len(ends)
		start := 0
		for g, end := range ends {
			for _, place := range places[start:end] {
				fold[place] = int32(g)
			}
			start = end
		}
	}
	if folds < 2 {
		return nil, fmt.Errorf("leave-one-out needs at least 2 %ss, there is %d", what, folds)
	}
	return rotate(s.all, s.spread(fold), folds), nil
}

// assignGroups gives each group to the smallest fold so far, the largest group first: the number of
// the fold for each row. Of groups of one size the order given counts, of folds of one size the
// first. Where there are classes, each of them is spread like that.
func assignGroups(t *data.Target, groups [][]int32, rows []int32, k int) ([]int32, error) {
	if len(groups) < k {
		return nil, fmt.Errorf("%d folds are more than the %d groups", k, len(groups))
	}
	if t.Class != nil {
		b := balance(t.Class, rows, groups)
		b.largestFirst()
		return b.assign(slices.Repeat([]int{1}, k)), nil
	}
	slices.SortStableFunc(groups, func(a, b []int32) int { return cmp.Compare(len(b), len(a)) })
	fold := make([]int32, len(rows))
	size := make([]int, k)
	for _, group := range groups {
		smallest := 0
		for fold := range size {
			if size[fold] < size[smallest] {
				smallest = fold
			}
		}
		size[smallest] += len(group)
		for _, place := range group {
			fold[place] = int32(smallest)
		}
	}
	return fold, nil
}

// assigned makes the folds that Assign gives.
func (p *Plan) assigned(s rowSet) ([]Fold, error) {
	if err := p.CheckAssign(s.all); err != nil {
		return nil, err
	}
	k := p.assignedFolds()
	if k < 1 {
		return nil, fmt.Errorf("the plan assigns no row to a fold")
	}
	if k > len(s.distinct) {
		return nil, fmt.Errorf("%d folds are more than the %d rows", k, len(s.distinct))
	}
	folds := rotate(s.all, data.Pick(p.Assign, s.all), k)
	for i := range folds {
		if len(folds[i].Train) == 0 || len(folds[i].Test) == 0 {
			return nil, fmt.Errorf("the plan assigns %d training and %d test rows to fold %d: "+
				"each needs at least one",
				len(folds[i].Train), len(folds[i].Test), i)
		}
	}
	return folds, nil
}

// assignedFolds returns the number of folds under Assign.
func (p *Plan) assignedFolds() int {
	if p.K == 0 && len(p.Assign) > 0 {
		return int(slices.Max(p.Assign)) + 1
	}
	return p.K
}

// CheckAssign returns an error that names the first of some rows to which Assign gives no fold: it
// is too short, or what it gives is neither -1 nor one of the folds. A plan without Assign has no
// such error.
func (p *Plan) CheckAssign(rows []int32) error {
	if p.Assign == nil {
		return nil
	}
	k := p.assignedFolds()
	for _, r := range rows {
		if uint64(uint32(r)) >= uint64(len(p.Assign)) {
			return fmt.Errorf("row %d has no fold: the plan assigns %d rows", r, len(p.Assign))
		}
		if fold := p.Assign[r]; fold < -1 || fold >= 0 && int(fold) >= k {
			return fmt.Errorf("row %d is assigned to fold %d of %d", r, fold, k)
		}
	}
	return nil
}

// rotate makes k folds. Fold i tests on the rows with number i and trains on all others.
func rotate(rows, fold []int32, k int) []Fold {
	folds := make([]Fold, k)
	for i := range folds {
		folds[i] = makeFold(rows, func(at int) (train, test bool) {
			return fold[at] != int32(i), fold[at] == int32(i)
		})
	}
	return folds
}

// chain makes k folds of k+1 blocks, of which fold i tests on block i+1 and trains on all before
// it.
func chain(rows, block []int32, k int) []Fold {
	folds := make([]Fold, k)
	for i := range folds {
		folds[i] = makeFold(rows, func(at int) (train, test bool) {
			return block[at] <= int32(i), block[at] == int32(i+1)
		})
	}
	return folds
}

func makeFold(rows []int32, side func(at int) (train, test bool)) Fold {
	trains, tests := 0, 0
	for i := range rows {
		train, test := side(i)
		if train {
			trains++
		} else if test {
			tests++
		}
	}
	f := Fold{Train: make([]int32, 0, trains), Test: make([]int32, 0, tests)}
	for i, row := range rows {
		train, test := side(i)
		if train {
			f.Train = append(f.Train, row)
		} else if test {
			f.Test = append(f.Test, row)
		}
	}
	return f
}
