package oob

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Permuter measures the importance of features by permutation (Breiman 2001, section 10): for one member after the other,
// how much worse it predicts its out-of-bag rows when the values of a feature are dealt out anew among these rows.
//
// A unit is what is permuted at once: unit f < features is feature f alone, unit features + g is group g of columns,
// whose values stay together.
//
// A Permuter holds memory for one goroutine; others make their own.
type Permuter struct {
	truth   *Truth
	columns []data.Column // those of the frame, but for the ones that are exchanged for permuted
	rows    []int32       // frame row of each position
	units   [][]int32     // unit -> features
	within  [][]int32     // feature -> units
	spare   []data.Column // as long as the frame's, for permuted values; entry i stands in for the i-th feature of a unit
	order   []int32       // the permutation
	walker  walker
}

// NewPermuter makes a Permuter for members that are trained on the given frame rows, each once, in the order of the
// positions. groups are sets of columns that are also permuted jointly.
func NewPermuter(truth *Truth, columns []data.Column, rows []int32, groups [][]int32) *Permuter {
	p := &Permuter{truth: truth, columns: slices.Clone(columns), rows: rows}
	p.within = make([][]int32, len(columns))
	add := func(features []int32) {
		for _, f := range features {
			p.within[f] = append(p.within[f], int32(len(p.units)))
		}
		p.units = append(p.units, features)
	}
	for f := range columns {
		add([]int32{int32(f)})
	}
	for _, g := range groups {
		g = slices.Clone(g)
		slices.Sort(g)
		add(slices.Compact(g))
	}
	return p
}

// Units returns the number of units: features and then groups.
func (p *Permuter) Units() int { return len(p.units) }

// permute deals out the values of a unit among the out-of-bag rows and puts them in the place of the columns, until restore
// is called. A value stays a value of its column; values of other rows are left undefined.
func (p *Permuter) permute(unit int, out []int32, stream *rng.Stream) (restore func()) {
	p.order = append(p.order[:0], out...)
	stream.Shuffle(len(out), func(i, j int) { p.order[i], p.order[j] = p.order[j], p.order[i] })
	features := p.units[unit]
	for len(p.spare) < len(features) {
		p.spare = append(p.spare, data.Column{})
	}
	kept := make([]data.Column, len(features))
	for i, f := range features {
		column, spare := &p.columns[f], &p.spare[i]
		kept[i] = *column
		if column.Code != nil {
			if spare.Code == nil {
				spare.Code = make([]uint32, len(column.Code))
			}
			for k, to := range out {
				spare.Code[p.rows[to]] = column.Code[p.rows[p.order[k]]]
			}
			*column = data.Column{Code: spare.Code}
			continue
		}
		if spare.Num == nil {
			spare.Num = make([]float64, len(column.Num))
		}
		for k, to := range out {
			spare.Num[p.rows[to]] = column.Num[p.rows[p.order[k]]]
		}
		*column = data.Column{Num: spare.Num}
	}
	return func() {
		for i, f := range features {
			p.columns[f] = kept[i]
		}
	}
}

// loss is what a prediction costs: 1 for a wrong class, or the squared error.
func (p *Permuter) loss(prediction []float64, position int32) float64 {
	if p.truth.Class != nil {
		return p.lossOf(float64(best(prediction)), position)
	}
	return p.lossOf(prediction[0], position)
}

// lossOf is the loss of an answer: the predicted number, or the number of the predicted class.
func (p *Permuter) lossOf(answer float64, position int32) float64 {
	if p.truth.Class != nil {
		if answer == float64(p.truth.Class[position]) {
			return 0
		}
		return 1
	}
	d := p.truth.Y[position] - answer
	return float64(d * d)
}

// Predict predicts frame rows of a table: Truth.Width values for each of rows into dst.
type Predict func(dst []float64, columns []data.Column, rows []int32) error

// Member returns the importances of one member, by unit: the increase of its mean loss (share of wrong classes, or
// squared error; by weight) over its out-of-bag positions when the unit is permuted, negative where that helps. used
// lists the features that predictions depend on, nil = all; units without them have exactly 0. stream gives the stream
// of a unit's permutation. Without out-of-bag rows of positive weight it returns nil.
func (p *Permuter) Member(predict Predict, used, out []int32, stream func(unit int) *rng.Stream) ([]float64, error) {
	total := p.weigh(out)
	if total == 0 {
		return nil, nil
	}
	rows := make([]int32, len(out))
	for i, position := range out {
		rows[i] = p.rows[position]
	}
	w := p.truth.Width()
	predictions := make([]float64, len(out)*w)
	if err := predict(predictions, p.columns, rows); err != nil {
		return nil, err
	}
	before := make([]float64, len(out))
	for i, position := range out {
		before[i] = p.loss(predictions[i*w:(i+1)*w], position)
	}
	result := make([]float64, len(p.units))
	for unit, seen := range p.touched(used) {
		if !seen {
			continue
		}
		restore := p.permute(unit, out, stream(unit))
		err := predict(predictions, p.columns, rows)
		restore()
		if err != nil {
			return nil, err
		}
		sum := 0.0
		for i, position := range out {
			sum += p.change(position, p.loss(predictions[i*w:(i+1)*w], position), before[i])
		}
		result[unit] = sum / total
	}
	return result, nil
}

// change is what one row adds to the increase of the loss.
func (p *Permuter) change(position int32, now, before float64) float64 {
	return float64(p.truth.weight(position) * (now - before))
}

// touched tells which units hold features that are used.
func (p *Permuter) touched(used []int32) []bool {
	seen := make([]bool, len(p.units))
	if used == nil {
		for u := range seen {
			seen[u] = len(p.units[u]) > 0
		}
	}
	for _, f := range used {
		for _, u := range p.within[f] {
			seen[u] = true
		}
	}
	return seen
}

func (p *Permuter) weigh(out []int32) float64 {
	total := 0.0
	for _, position := range out {
		total += p.truth.weight(position)
	}
	return total
}

// same reports whether a row has the values of a unit that it had before the permutation.
func (p *Permuter) same(features []int32, original []data.Column, row int32) bool {
	for _, f := range features {
		now, old := &p.columns[f], &original[f]
		if now.Code != nil && now.Code[row] != old.Code[row] ||
			now.Num != nil && math.Float64bits(now.Num[row]) != math.Float64bits(old.Num[row]) {
			return false
		}
	}
	return true
}
