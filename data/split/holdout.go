package split

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// HoldOut describes how rows are split once into a training, a validation and a test set. Like a
// Plan it is a value.
type HoldOut struct {
	Kind  Kind    `json:"kind"`
	Seed  uint64  `json:"seed"`
	Valid float64 `json:"valid"` // fraction of the rows for pruning, stopping and tuning; 0 = none
	Test  float64 `json:"test"`  // fraction of the rows for the final evaluation; 0 = none
}

// TooFewError reports that there are fewer rows, groups or times than sets to be made of them, or
// that all earlier rows are of groups in a later set.
type TooFewError struct {
	What       string // row, group or different time
	Have, Sets int
	Set        string // the set that has no rows because of its groups; "" = none
}

func (e *TooFewError) Error() string {
	if e.Set != "" {
		return fmt.Sprintf("the %s has no rows: all earlier rows are of groups in a later set; "+
			"name no time column, or no group column", e.Set)
	}
	what, how := e.What+"s", "be split into %d sets"
	if e.Have == 1 {
		what = e.What
	}
	if e.What == differentTime {
		how = "make %d sets that follow each other"
	}
	return fmt.Sprintf("%d %s cannot "+how, e.Have, what, e.Sets)
}

const differentTime = "different time"

// The numbers of the sets.
const (
	trainingSet int32 = iota
	validationSet
	testSet
)

// Sets splits rows into the three sets, each in ascending order. The rows are frame rows in any
// order, and all copies of a row stay on one side. Sizes are counted in distinct rows. A set gets
// its fraction, rounded to the nearest whole number, but at least one row if the fraction is not 0.
// The training set gets the rest, at least one row:
//
//   - random: exactly that.
//   - stratified: exactly that, and each class within 2 rows of its fraction.
//   - grouped: whole groups, in random order, each to the set that is furthest below its fraction,
//     of the classes where there are any. Sizes are near the fractions where groups are small.
//     Errors: no groups, or fewer than sets.
//   - by time: training rows are before validation rows, and these before test rows. The ends are
//     moved to the nearest change of time. Where there are groups, earlier rows of those in a later
//     set are in no set. Errors: no times, fewer different ones than sets, or a set without rows.
//
// Groups stay whole and times in order whatever the kind, as in Plan.Folds. Rows of weight 0 are in
// no set.
//
// The kind leave-one-out splits as grouped does where there are groups, else as stratified.
//
// Where there are too few rows, groups or times, the error is a *TooFewError. Fractions that are
// negative or NaN, or that leave nothing for training, are errors. So is a choice of no rows, nil
// or empty: a split does not hold the number of rows, so nil cannot stand for all of them. Dataset
// splits all rows. The target may be nil for a random split.
func (s HoldOut) Sets(t *data.Target, rows []int32) (train, valid, test []int32, err error) {
	if t == nil {
		t = &data.Target{}
	}
	if !(s.Valid >= 0 && s.Test >= 0 && s.Valid+s.Test < 1) {
		return nil, nil, nil, fmt.Errorf("fractions %v for validation and %v for test: want "+
			"numbers from 0 up that leave some rows for training", s.Valid, s.Test)
	}
	set, err := newRowSet(t, rows)
	if err != nil {
		return nil, nil, nil, err
	}
	kind, err := s.Kind.resolve(t, set.last())
	if err != nil {
		return nil, nil, nil, err
	}
	size, err := s.sizes(len(set.distinct))
	if err != nil {
		return nil, nil, nil, err
	}
	var setOf []int32
	if kind == LeaveOneOut {
		if kind = Stratified; t.Group != nil {
			kind = Grouped
		}
		if kind, err = kind.resolve(t, set.last()); err != nil {
			return nil, nil, nil, err
		}
	}
	random := rng.New(s.Seed, splitStream)
	switch kind {
	case ByTime:
		if setOf, err = setsInTime(t.Time, set.distinct, size); err == nil && t.Group != nil {
			err = leaveSetsOut(setOf, t.Group, set.distinct, size)
		}
	case Grouped:
		setOf, err = splitGroups(t, groups(t, set.distinct, random), set.distinct, size)
	default:
		setOf = splitEvenly(shuffled(kind, t, set.distinct, random), size, random)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	for i, p := range set.spread(setOf) {
		switch p {
		case trainingSet:
			train = append(train, set.all[i])
		case validationSet:
			valid = append(valid, set.all[i])
		case testSet:
			test = append(test, set.all[i])
		}
	}
	return train, valid, test, nil
}

// Dataset divides all rows of a data set as Sets does, with the fraction of each class in each set,
// or by whole groups, or by time. The target decides which of these (DefaultKind), unless the split
// names another kind. A fraction of 0 makes an empty set. Rows of weight 0, and earlier rows of
// groups that are in a later set, are in none.
//
// The three sets are tables of their own (data.Dataset.Divide), whose rows count from 0. Errors are
// those of Sets, such as *TooFewError.
func (s HoldOut) Dataset(d *data.Dataset) (train, valid, test *data.Dataset, err error) {
	trainRows, validRows, testRows, err := s.Sets(&d.Target, data.AllRows(d.Rows()))
	if err != nil {
		return nil, nil, nil, err
	}
	sets := d.Divide(trainRows, validRows, testRows)
	return sets[0], sets[1], sets[2], nil
}

// setSizes are the numbers of distinct rows of the sets, by their numbers.
type setSizes [3]int

func (size *setSizes) total() int { return size[trainingSet] + size[validationSet] + size[testSet] }

// sets counts the sets that are not empty.
func (size *setSizes) sets() (n int) {
	for _, rows := range size {
		if rows > 0 {
			n++
		}
	}
	return n
}

func (s HoldOut) sizes(rows int) (size setSizes, err error) {
	whole := func(fraction float64) int {
		if fraction == 0 {
			return 0
		}
		return max(1, int(math.Round(fraction*float64(rows))))
	}
	size[validationSet], size[testSet] = whole(s.Valid), whole(s.Test)
	for size[validationSet]+size[testSet] >= rows {
		larger := validationSet
		if size[testSet] > size[validationSet] {
			larger = testSet
		}
		if size[larger] < 2 {
			return size, &TooFewError{What: "row", Have: rows, Sets: size.sets() + 1}
		}
		size[larger]--
	}
	size[trainingSet] = rows - size[validationSet] - size[testSet]
	return size, nil
}

// splitEvenly assigns places at even distances to the test set, and of the places left at even
// distances to the validation set. Where the places come class by class, each class is split in
// proportion.
func splitEvenly(places []int32, size setSizes, random *rng.Stream) []int32 {
	setOf := make([]int32, len(places))
	left := make([]int32, 0, len(places))
	take := evenly(size[testSet], len(places), random)
	for i, place := range places {
		if take(i) {
			setOf[place] = testSet
		} else {
			left = append(left, place)
		}
	}
	take = evenly(size[validationSet], len(left), random)
	for i, place := range left {
		if take(i) {
			setOf[place] = validationSet
		}
	}
	return setOf
}

// evenly returns which of n items in a row to take. Exactly m are taken, and any stretch of L items
// holds L*m/n of them, rounded up or down: item i is taken where (i*m + start) / n steps to the
// next whole number. The random start gives every item the same chance.
func evenly(m, n int, random *rng.Stream) func(i int) bool {
	start := random.Intn(n)
	return func(i int) bool {
		before := int64(i)*int64(m) + int64(start)
		return before/int64(n) != (before+int64(m))/int64(n)
	}
}

// splitGroups gives each group, in the order given, to the set that is furthest below its fraction.
// An empty set is furthest below, so every set gets a group.
func splitGroups(t *data.Target, groups [][]int32, rows []int32, size setSizes) ([]int32, error) {
	if len(groups) < size.sets() {
		return nil, &TooFewError{What: "group", Have: len(groups), Sets: size.sets()}
	}
	if t.Class != nil {
		b := balance(t.Class, rows, groups)
		return b.assign(size[:]), nil
	}
	setOf := make([]int32, size.total())
	var have setSizes
	for _, group := range groups {
		// have/size is compared as a cross product, in whole numbers.
		least := trainingSet
		for p := validationSet; p <= testSet; p++ {
			if size[p] > 0 && have[p]*size[least] < have[least]*size[p] {
				least = p
			}
		}
		have[least] += len(group)
		for _, place := range group {
			setOf[place] = least
		}
	}
	return setOf, nil
}

func setsInTime(times []int64, rows []int32, size setSizes) ([]int32, error) {
	var want []int
	var order []int32 // the set of each block
	end := 0
	for p, n := range size {
		if n > 0 {
			order = append(order, int32(p))
			end += n
			want = append(want, end)
		}
	}
	blocks, err := blocksInTime(times, rows, want[:len(want)-1])
	if err != nil {
		return nil, err
	}
	for i, b := range blocks {
		blocks[i] = order[b]
	}
	return blocks, nil
}
