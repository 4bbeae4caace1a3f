package data

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/rng"
)

// Split says how rows are parted once into rows for training, validation and test. Like a Plan it
// is a value.
type Split struct {
	Kind  PlanKind `json:"kind"`
	Seed  uint64   `json:"seed"`
	Valid float64  `json:"valid"` // fraction of the rows for pruning, stopping and tuning; 0 = none
	Test  float64  `json:"test"`  // fraction of the rows held back for the last word; 0 = none
}

// TooFewError says that there is less to part than there are parts to be.
type TooFewError struct {
	What        string // row, group or different time
	Have, Parts int
}

func (e *TooFewError) Error() string {
	what, how := e.What+"s", "be split into %d parts"
	if e.Have == 1 {
		what = e.What
	}
	if e.What == differentTime {
		how = "make %d parts that follow each other"
	}
	return fmt.Sprintf("%d %s cannot "+how, e.Have, what, e.Parts)
}

const differentTime = "different time"

// The numbers of the parts.
const (
	trainPart int32 = iota
	validPart
	testPart
)

// Parts deals rows (frame rows in any order; a repeated row stays on one side) to the three parts,
// each in ascending order. Counted in distinct rows, a part gets its fraction rounded to the
// nearest whole number, but at least one row if the fraction is not 0, and training gets the rest,
// at least one row:
//
//   - random: exactly that.
//   - stratified: exactly that, and of each class to within 2 rows its share.
//   - grouped: whole groups, in random order, each to the part that lacks most of its share; sizes
//     are near the fractions where groups are small. Errors: no groups, or fewer than parts.
//   - by time: training rows are before validation rows and these before test rows; the ends are
//     moved to the nearest change of time. Errors: no times, or fewer different ones than parts.
//
// Where there is too little to part the error is a *TooFewError.
//
// The kind leave-one-out parts as grouped does where there are groups, else as stratified.
//
// Fractions that are negative or NaN or leave nothing for training, and fewer rows than parts, are
// errors. So is a choice of no rows, nil or empty: unlike elsewhere nil does not stand for all
// rows, because a split does not hold their number. Dataset.Split splits all rows. The target may
// be nil for a random split.
func (s *Split) Parts(t *Target, rows []int32) (train, valid, test []int32, err error) {
	if t == nil {
		t = &Target{}
	}
	if !(s.Valid >= 0 && s.Test >= 0 && s.Valid+s.Test < 1) {
		return nil, nil, nil, fmt.Errorf("fractions %v for validation and %v for test: want numbers from 0 up that leave some rows for training", s.Valid, s.Test)
	}
	set, err := newRowSet(rows)
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
	var part []int32
	if kind == LeaveOneOutPlan {
		if kind = StratifiedPlan; t.Group != nil {
			kind = GroupedPlan
		}
		if kind, err = kind.resolve(t, set.last()); err != nil {
			return nil, nil, nil, err
		}
	}
	random := rng.New(s.Seed, splitStream)
	switch kind {
	case TimePlan:
		part, err = partsInTime(t.Time, set.distinct, size)
	case GroupedPlan:
		part, err = partGroups(groups(t, set.distinct, random), size)
	default:
		part = partEvenly(shuffled(kind, t, set.distinct, random), size, random)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	for i, p := range set.spread(part) {
		switch p {
		case trainPart:
			train = append(train, set.all[i])
		case validPart:
			valid = append(valid, set.all[i])
		case testPart:
			test = append(test, set.all[i])
		}
	}
	return train, valid, test, nil
}

// partSizes are the numbers of distinct rows wanted in the parts, by part number.
type partSizes [3]int

func (size *partSizes) total() int { return size[trainPart] + size[validPart] + size[testPart] }

// parts counts the parts that are wanted at all.
func (size *partSizes) parts() (n int) {
	for _, rows := range size {
		if rows > 0 {
			n++
		}
	}
	return n
}

func (s *Split) sizes(rows int) (size partSizes, err error) {
	whole := func(fraction float64) int {
		if fraction == 0 {
			return 0
		}
		return max(1, int(math.Round(fraction*float64(rows))))
	}
	size[validPart], size[testPart] = whole(s.Valid), whole(s.Test)
	for size[validPart]+size[testPart] >= rows {
		larger := validPart
		if size[testPart] > size[validPart] {
			larger = testPart
		}
		if size[larger] < 2 {
			return size, &TooFewError{What: "row", Have: rows, Parts: size.parts() + 1}
		}
		size[larger]--
	}
	size[trainPart] = rows - size[validPart] - size[testPart]
	return size, nil
}

// partEvenly deals places at even distances to test, and of the places left at even distances to
// validation. Where the places come class by class, each class is dealt in proportion.
func partEvenly(places []int32, size partSizes, random *rng.Stream) []int32 {
	part := make([]int32, len(places))
	left := make([]int32, 0, len(places))
	take := evenly(size[testPart], len(places), random)
	for i, place := range places {
		if take(i) {
			part[place] = testPart
		} else {
			left = append(left, place)
		}
	}
	take = evenly(size[validPart], len(left), random)
	for i, place := range left {
		if take(i) {
			part[place] = validPart
		}
	}
	return part
}

// evenly returns which of n items in a row to take so that exactly m are taken and any stretch of L
// items holds L*m/n of them, rounded up or down: item i is taken where (i*m + start) / n steps to
// the next whole number. The random start gives every item the same chance.
func evenly(m, n int, random *rng.Stream) func(i int) bool {
	start := random.Intn(n)
	return func(i int) bool {
		before := int64(i)*int64(m) + int64(start)
		return before/int64(n) != (before+int64(m))/int64(n)
	}
}

// partGroups gives each group, in the order given, to the part that lacks most of its share. As an
// empty part lacks all of it, every part gets a group.
func partGroups(groups [][]int32, size partSizes) ([]int32, error) {
	if len(groups) < size.parts() {
		return nil, &TooFewError{What: "group", Have: len(groups), Parts: size.parts()}
	}
	part := make([]int32, size.total())
	var have partSizes
	for _, group := range groups {
		// have/size is compared as a cross product, in whole numbers.
		least := trainPart
		for p := validPart; p <= testPart; p++ {
			if size[p] > 0 && have[p]*size[least] < have[least]*size[p] {
				least = p
			}
		}
		have[least] += len(group)
		for _, place := range group {
			part[place] = least
		}
	}
	return part, nil
}

func partsInTime(times []int64, rows []int32, size partSizes) ([]int32, error) {
	var want []int
	var order []int32 // the part of each block
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
