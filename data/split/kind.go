package split

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/enum"
)

// Kind is the rule that assigns rows to folds or sets.
type Kind uint8

// The kinds of plans. In the pictures each column is a row of the table and * marks the test set of
// one fold.
const (
	// Auto is what DefaultKind finds for the target.
	Auto Kind = iota
	// Random assigns all rows in the same way.
	Random
	// Stratified keeps the fractions of the classes. Without classes (regression) it is
	// Random.
	//
	//	class  a a a a b b b c c
	//	fold 0 * . . * . . * . .
	//	fold 1 . * . . * . . * .
	//	fold 2 . . * . . * . . *
	Stratified
	// Grouped keeps the rows of a group together, and the fractions of the classes as well as
	// whole groups can. Any other plan does so too where the target has groups.
	//
	//	group  7 7 7 8 8 9 9 9 9
	//	fold 0 . . . . . * * * *
	//	fold 1 * * * . . . . . .
	//	fold 2 . . . * * . . . .
	Grouped
	// ByTime tests on rows that are all later than those trained on ("-" is a row in neither
	// set). Rows of the same time stay together. Earlier rows of a group that is in the test set
	// are in neither set.
	//
	//	time   1 2 3 4 5 6 7 8
	//	fold 0 . . * * - - - -
	//	fold 1 . . . . * * - -
	//	fold 2 . . . . . . * *
	ByTime
	// LeaveOneOut tests each row by itself, or each group where the target has groups. The
	// folds are in the order of rows or groups. Nothing of it is random, and it ignores Plan.K.
	//
	//	fold 0 * . . .        group  7 7 8 9
	//	fold 1 . * . .        fold 0 * * . .
	//	fold 2 . . * .        fold 1 . . * .
	//	fold 3 . . . *        fold 2 . . . *
	LeaveOneOut
)

var planNames = enum.Names[Kind]{"auto", "random", "stratified", "grouped", "time", "leave-one-out"}

// String returns auto, random, stratified, grouped, time or leave-one-out.
func (k Kind) String() string { return planNames.Name("plan", k) }

// MarshalText writes the kind by its name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (k *Kind) UnmarshalText(text []byte) error { return planNames.Read(k, "plan", text) }

// DefaultKind returns the kind of plan that suits a target: by time where it has times, grouped
// where it has groups, stratified for classes, else random.
func DefaultKind(t *data.Target) Kind {
	switch {
	case t.Time != nil:
		return ByTime
	case t.Group != nil:
		return Grouped
	case t.Class != nil:
		return Stratified
	}
	return Random
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
func (k Kind) settle(t *data.Target) Kind {
	switch {
	case k == Auto, k == Grouped && t.Group != nil && t.Time != nil:
		return DefaultKind(t)
	case t.Time != nil:
		return k
	case t.Group != nil && (k == Random || k == Stratified):
		return Grouped
	case k == Stratified && t.Class == nil:
		return Random
	}
	return k
}

// resolve returns the kind to carry out on a target after checking that the target has what it
// needs for rows up to the last one given, and no role that it contradicts.
func (k Kind) resolve(t *data.Target, last int32) (Kind, error) {
	k = k.settle(t)
	if k > LeaveOneOut {
		return k, fmt.Errorf("unknown plan kind %d", k)
	}
	length := int(last) + 1
	switch {
	case k == Grouped && t.Group == nil:
		return k, fmt.Errorf("a grouped plan needs groups: name a group column")
	case k == ByTime && t.Time == nil:
		return k, fmt.Errorf("a plan by time needs times: name a time column")
	case k != ByTime && t.Time != nil:
		return k, fmt.Errorf("a %s plan does not keep the order of time: use plan time, or name no "+
			"time column", k)
	case k == Stratified:
		length = len(t.Class)
	case k == ByTime:
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
