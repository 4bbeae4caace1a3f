package quality

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/rng"
)

// The limits of the check of the order of time.
const (
	timedRows   = 6000
	timedValues = 300_000 // rows x columns, by which the cost goes
	leastTimed  = 500     // rows
	lateRows    = 0.3     // the fraction of the rows that are late
	earlierEnd  = 0.7     // what must show at the end must show, less clearly, at this part too
	leastGap    = 0.1     // of the squared error
	timedZ      = 3       // standard errors of the gap at the end
	earlierZ    = 2
	timedBlocks = 20 // of test rows that follow each other, by which the error is estimated
)

// timeOrder finds rows in an order of time whose later ones are predicted worse. A split by chance
// gives a model rows from the same days as those it is tested on, which it does not have of days to
// come.
//
// Two small models are compared by a half of the latest 30 % of the rows. One is trained on the
// rows before them, the other on as many rows of all times. The second one must be better by more
// than chance, and so it must be if the table ended earlier.
func timeOrder(t *inspected) []Warning {
	column, value := t.timeOrder()
	if column < 0 {
		return nil
	}
	name := t.name(column)
	return []Warning{{Columns: []string{name}, Value: value,
		Message: fmt.Sprintf("rows of a later %q are predicted worse than shuffled ones: a quick "+
			"estimate has %.0f %% more squared error", name, 100*value),
		Advice: option.Expand("if new rows are later, use {time} ") + name}}
}

// timeOrder looks once for the column that orders the rows, -1 if there is none whose later rows
// are worse. The value is by what part the squared error is larger.
func (t *inspected) timeOrder() (column int, value float64) {
	t.orderOnce.Do(func() { t.order, t.gap = t.findTimeOrder() })
	return t.order, t.gap
}

func (t *inspected) findTimeOrder() (column int, value float64) {
	rows := evenly(t.sample, min(timedRows, timedValues/max(1, len(t.columns))))
	if len(rows) < leastTimed || !t.ascend || t.Target.Time != nil || t.Target.Group != nil ||
		split.TimeColumn(t.Frame, evenly(rows, leastTimed)) < 0 { // few rows, for most tables
		return -1, 0
	}
	targets := timedTargets(t, rows)
	if column = split.TimeColumn(t.Frame, rows); column < 0 || targets == nil {
		return -1, 0
	}
	times := numbers(&t.Columns[column], rows)
	if testRowsAreLater(t, column, times) {
		return -1, 0
	}
	order := data.AllRows(len(rows))
	order = slices.DeleteFunc(order, func(i int32) bool { return math.IsNaN(times[i]) })
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(times[a], times[b]) })
	m := &boosted{targets: targets}
	for i := range t.columns {
		if c := &t.Columns[i]; !t.columns[i].constant && t.columns[i].identifier != named {
			m.columns = append(m.columns, binsOf(c, rows))
		}
	}
	value, clear := m.gap(order, timedZ)
	if !clear {
		return -1, 0
	}
	if _, clear = m.gap(order[:int(earlierEnd*float64(len(order)))], earlierZ); !clear {
		return -1, 0
	}
	return column, value
}

// testRowsAreLater reports whether the test rows are later than nearly all those of training: then
// they show what new rows will be like.
func testRowsAreLater(t *inspected, column int, times []float64) bool {
	if len(t.testSeen) == 0 {
		return false
	}
	earliest := math.Inf(1)
	for _, v := range numbers(&t.Columns[column], t.testSeen) {
		if v < earliest {
			earliest = v
		}
	}
	after := 0
	for _, v := range times {
		if v > earliest {
			after++
		}
	}
	return after < len(times)/100
}

// timedClasses is the number of classes, the most frequent ones, whose indicators are predicted.
const timedClasses = 3

// timedTargets returns what the models predict of some rows: the label, in units of its standard
// deviation, or whether it is a class.
func timedTargets(t *inspected, rows []int32) [][]float64 {
	switch target := &t.Target; {
	case target.Class != nil:
		counts := make([]int, len(target.Classes))
		for _, row := range rows {
			counts[target.Class[row]]++
		}
		classes := data.AllRows(len(counts))
		slices.SortStableFunc(classes, func(a, b int32) int { return counts[b] - counts[a] })
		if len(classes) == 2 {
			classes = classes[:1]
		}
		var all [][]float64
		for _, class := range classes[:min(len(classes), timedClasses)] {
			is := make([]float64, len(rows))
			for i, row := range rows {
				if target.Class[row] == uint32(class) {
					is[i] = 1
				}
			}
			all = append(all, is)
		}
		return all
	case len(target.Y) == 1 && target.Event == nil && target.Upper == nil:
		return [][]float64{data.Pick(target.Y[0], rows)}
	}
	return nil
}

// gap returns by what part the squared error on late rows is larger of a model of the rows before
// than of one of rows of all times, and whether that is clear by so many standard errors. Rows are
// in the order of time.
func (m *boosted) gap(order []int32, errors float64) (gap float64, clear bool) {
	at := len(order) - int(lateRows*float64(len(order)))
	early, late := order[:at], order[at:]
	random := rng.New(0x74696d65)
	var test, others []int32
	for i, k := range random.Perm(len(late)) { // test rows stay in the order of time
		if k < int32(len(late)/2) {
			test = append(test, late[i])
		} else {
			others = append(others, late[i])
		}
	}
	if len(others) >= len(early) || len(test) < timedBlocks {
		return 0, false
	}
	mixed := data.Pick(early, random.Perm(len(early))[len(others):])
	mixed = append(mixed, others...)
	slices.Sort(mixed)
	first, second := m.errors(early, test), m.errors(mixed, test)
	var differences []float64 // of blocks
	sum, base := 0.0, 0.0
	for b := range timedBlocks {
		from, to := b*len(test)/timedBlocks, (b+1)*len(test)/timedBlocks
		d := 0.0
		for i := from; i < to; i++ {
			d += first[i] - second[i]
			base += second[i]
		}
		sum += d
		differences = append(differences, d/float64(to-from))
	}
	mean, squares := sum/float64(len(test)), 0.0
	for _, d := range differences {
		squares += float64((d - mean) * (d - mean))
	}
	deviation := math.Sqrt(squares / (timedBlocks - 1) / timedBlocks)
	gap = sum / base
	return gap, gap >= leastGap && mean >= float64(errors*deviation) // NaN is neither
}
