package data

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/internal/enum"
)

// PlanKind is the rule that assigns rows to folds or sets.
type PlanKind uint8

// The kinds of plans. In the pictures each column is a row of the table and * marks the test set of
// one fold.
const (
	// AutoPlan is what DefaultKind finds for the target.
	AutoPlan PlanKind = iota
	// RandomPlan assigns all rows in the same way.
	RandomPlan
	// StratifiedPlan keeps the fractions of the classes. Without classes (regression) it is
	// RandomPlan.
	//
	//	class  a a a a b b b c c
	//	fold 0 * . . * . . * . .
	//	fold 1 . * . . * . . * .
	//	fold 2 . . * . . * . . *
	StratifiedPlan
	// GroupedPlan keeps the rows of a group together, and the fractions of the classes as well as
	// whole groups can. Any other plan does so too where the target has groups.
	//
	//	group  7 7 7 8 8 9 9 9 9
	//	fold 0 . . . . . * * * *
	//	fold 1 * * * . . . . . .
	//	fold 2 . . . * * . . . .
	GroupedPlan
	// TimePlan tests on rows that are all later than those trained on ("-" is a row in neither
	// set). Rows of the same time stay together. Earlier rows of a group that is in the test set
	// are in neither set.
	//
	//	time   1 2 3 4 5 6 7 8
	//	fold 0 . . * * - - - -
	//	fold 1 . . . . * * - -
	//	fold 2 . . . . . . * *
	TimePlan
	// LeaveOneOutPlan tests each row by itself, or each group where the target has groups. The
	// folds are in the order of rows or groups. Nothing of it is random, and it ignores Plan.K.
	//
	//	fold 0 * . . .        group  7 7 8 9
	//	fold 1 . * . .        fold 0 * * . .
	//	fold 2 . . * .        fold 1 . . * .
	//	fold 3 . . . *        fold 2 . . . *
	LeaveOneOutPlan
)

var planNames = enum.Names[PlanKind]{"auto", "random", "stratified", "grouped", "time", "leave-one-out"}

// String returns auto, random, stratified, grouped, time or leave-one-out.
func (k PlanKind) String() string { return planNames.Name("plan", k) }

// MarshalText writes the kind by its name.
func (k PlanKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (k *PlanKind) UnmarshalText(text []byte) error { return planNames.Read(k, "plan", text) }

// DefaultKind returns the kind of plan that suits a target: by time where it has times, grouped
// where it has groups, stratified for classes, else random.
func DefaultKind(t *Target) PlanKind {
	switch {
	case t.Time != nil:
		return TimePlan
	case t.Group != nil:
		return GroupedPlan
	case t.Class != nil:
		return StratifiedPlan
	}
	return RandomPlan
}

// settle returns the kind that a plan is carried out by on a target. Whatever the kind, rows of a
// group stay on one side, and no row is trained on that is later than one tested on:
//
//	             no roles     groups    times    groups and times
//	auto         by classes   grouped   time     time, groups whole
//	random       random       grouped   refused  refused
//	stratified   by classes   grouped   refused  refused
//	grouped      refused      grouped   refused  time, groups whole
//	time         refused      refused   time     time, groups whole
//	leave one    by row       by group  refused  refused
//
// By classes is random where the target has none. What is refused stays as it is: see resolve.
func (k PlanKind) settle(t *Target) PlanKind {
	switch {
	case k == AutoPlan, k == GroupedPlan && t.Group != nil && t.Time != nil:
		return DefaultKind(t)
	case t.Time != nil:
		return k
	case t.Group != nil && (k == RandomPlan || k == StratifiedPlan):
		return GroupedPlan
	case k == StratifiedPlan && t.Class == nil:
		return RandomPlan
	}
	return k
}

// resolve returns the kind to carry out on a target after checking that the target has what it
// needs for rows up to the last one given, and no role that it contradicts.
func (k PlanKind) resolve(t *Target, last int32) (PlanKind, error) {
	k = k.settle(t)
	if k > LeaveOneOutPlan {
		return k, fmt.Errorf("unknown plan kind %d", k)
	}
	length := int(last) + 1
	switch {
	case k == GroupedPlan && t.Group == nil:
		return k, fmt.Errorf("a grouped plan needs groups: name a group column")
	case k == TimePlan && t.Time == nil:
		return k, fmt.Errorf("a plan by time needs times: name a time column")
	case k != TimePlan && t.Time != nil:
		return k, fmt.Errorf("a %s plan does not keep the order of time: use plan time, or name no "+
			"time column", k)
	case k == StratifiedPlan:
		length = len(t.Class)
	case k == TimePlan:
		length = len(t.Time)
	}
	if t.Group != nil {
		length = min(length, len(t.Group))
	}
	if int(last) >= length {
		return k, fmt.Errorf("row %d is outside the target, which has %d rows", last, length)
	}
	return k, nil
}

// rowSet is a choice of rows in ascending order. All copies of a row (its multiplicity, as in a
// bootstrap sample) go to the same side. Copies on both sides of a split would let a model train on
// the rows that it is tested on.
//
//	all       3 5 5 5 8
//	distinct  3 5 8
type rowSet struct {
	all, distinct []int32
}

// newRowSet chooses rows of a target, of which those of weight 0 count as absent.
func newRowSet(t *Target, rows []int32) (rowSet, error) {
	rows = t.WithWeight(rows)
	if len(rows) == 0 {
		return rowSet{}, fmt.Errorf("there are no rows to split")
	}
	s := rowSet{all: rows}
	if !slices.IsSorted(rows) {
		s.all = slices.Clone(rows)
		slices.Sort(s.all)
	}
	if s.all[0] < 0 {
		return rowSet{}, fmt.Errorf("row number %d is negative", s.all[0])
	}
	s.distinct = s.all
	for i := 1; i < len(s.all); i++ {
		if s.all[i] == s.all[i-1] {
			s.distinct = slices.Compact(slices.Clone(s.all))
			break
		}
	}
	return s, nil
}

func (s *rowSet) last() int32 { return s.all[len(s.all)-1] }

// spread gives each of s.all the number of its distinct row.
func (s *rowSet) spread(numbers []int32) []int32 {
	if len(s.all) == len(s.distinct) {
		return numbers
	}
	wide := make([]int32, len(s.all))
	at := 0
	for i, row := range s.all {
		if row != s.distinct[at] {
			at++
		}
		wide[i] = numbers[at]
	}
	return wide
}
