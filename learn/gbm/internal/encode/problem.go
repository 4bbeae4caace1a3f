package encode

import (
	"cmp"
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// problem is the training rows with what is to be explained.
type problem struct {
	Options
	from Source
	// distinct rows of some weight, ascending; slices below are by place in rows
	rows     []int32
	others   []int32   // all other rows
	measured           // their weights, repetitions included, and targets
	output   []int     // the class of each output, where there are classes
	prior    []float64 // by output: the mean target
	time     []int64   // nil: none
	groups   *groups   // nil: none
	columns  []int32   // the categorical columns
	levels   []int     // of each, how many categories occur
	seed     uint64
	workers  int
}

// tuple is columns whose categories are taken together, ascending.
type tuple []int32

// measured is the weights and targets of rows. It holds little of what is as simple as usual.
type measured struct {
	weight []float64 // nil: all 1
	target []target  // by output
}

// target is an output of all rows: a number of each, or 1 for those of a class and 0 for others.
type target struct {
	number []float64 // nil: class has it
	class  []uint8
}

func (t *target) at(i int) float64 {
	if t.number != nil {
		return t.number[i]
	}
	return float64(t.class[i])
}

func (m *measured) weightAt(i int) float64 {
	if m.weight != nil {
		return m.weight[i]
	}
	return 1
}

// moment returns the weight of a row times its target.
func (m *measured) moment(output, i int) float64 {
	return float64(m.weightAt(i) * m.target[output].at(i))
}

func newProblem(
	ctx context.Context, from Source, rows []int32, t *data.Target, o Options, seed uint64,
	workers int,
) (*problem, error) {
	workers = parallel.Workers(workers)
	p := &problem{Options: o, from: from, seed: seed, workers: workers}
	p.weigh(rows, t)
	switch {
	case t.Class != nil:
		p.classes(t)
	case t.Y != nil:
		for _, y := range t.Y {
			p.target = append(p.target, target{number: p.pick(y)})
		}
	default:
		return nil, errNoLabel
	}
	for k := range p.target {
		sum, weight := 0.0, 0.0
		for i := range p.rows {
			sum += p.moment(k, i)
			weight += p.weightAt(i)
		}
		if weight > 0 {
			sum /= weight
		}
		p.prior = append(p.prior, sum)
	}
	if t.Time != nil {
		p.time = pick(t.Time, p.rows)
	}
	if t.Group != nil {
		p.groups = newGroups(pick(t.Group, p.rows), &p.measured)
	}
	return p, p.survey(ctx)
}

// weigh finds the rows and their weights.
func (p *problem) weigh(rows []int32, t *data.Target) {
	all := p.from.Rows()
	if rows == nil {
		rows = data.AllRows(all)
	}
	if distinct(rows) {
		p.rows = rows
	} else {
		p.rows = data.Distinct(rows)
		p.weight = make([]float64, len(p.rows))
		for _, r := range rows {
			at, _ := slices.BinarySearch(p.rows, r)
			p.weight[at]++
		}
	}
	if t.Weight != nil {
		p.weighBy(t.Weight)
	}
	if p.weight != nil && !slices.ContainsFunc(p.weight, func(w float64) bool { return w != 1 }) {
		p.weight = nil
	}
	switch {
	case p.Options.Others != nil:
		p.others = slices.DeleteFunc(data.Distinct(p.Options.Others), func(r int32) bool {
			_, trained := slices.BinarySearch(p.rows, r)
			return trained
		})
	case len(p.rows) < all:
		p.others = otherRows(p.rows, all)
	}
}

// weighBy multiplies the weights by those of the table's rows, and leaves rows without weight out.
func (p *problem) weighBy(weight []float64) {
	if p.weight == nil && !slices.ContainsFunc(p.rows, func(r int32) bool {
		return !(weight[r] > 0)
	}) {
		p.weight = p.pick(weight)
		return
	}
	var rows []int32
	var own []float64
	for i, r := range p.rows {
		if w := p.weightAt(i) * weight[r]; w > 0 {
			rows, own = append(rows, r), append(own, w)
		}
	}
	p.rows, p.weight = rows, own
}

// distinct reports whether rows ascend, each once.
func distinct(rows []int32) bool {
	for i := 1; i < len(rows); i++ {
		if rows[i] <= rows[i-1] {
			return false
		}
	}
	return true
}

// otherRows returns the rows of a table that are not among some.
func otherRows(rows []int32, all int) []int32 {
	others := make([]int32, 0, all-len(rows))
	for r := range int32(all) {
		if len(rows) > 0 && rows[0] == r {
			rows = rows[1:]
			continue
		}
		others = append(others, r)
	}
	return others
}

// classes makes the targets of classes.
func (p *problem) classes(t *data.Target) {
	classes := make([]int, len(t.Classes))
	for k := range classes {
		classes[k] = k
	}
	if len(classes) == 2 {
		classes = classes[1:]
	}
	if len(classes) > p.Classes {
		weight := make([]float64, len(classes))
		for i, r := range p.rows {
			weight[t.Class[r]] += p.weightAt(i)
		}
		slices.SortStableFunc(classes, func(a, b int) int {
			return cmp.Compare(weight[b], weight[a])
		})
		classes = classes[:p.Classes]
		slices.Sort(classes)
	}
	p.output = classes
	for _, k := range classes {
		y := make([]uint8, len(p.rows))
		for i, r := range p.rows {
			if int(t.Class[r]) == k {
				y[i] = 1
			}
		}
		p.target = append(p.target, target{class: y})
	}
}

// survey finds the categorical columns and how many categories they have among the rows.
func (p *problem) survey(ctx context.Context) error {
	for c, f := range p.from.Fields() {
		if f.Kind != data.Categorical {
			continue
		}
		_, n, err := occurring(ctx, p.from, int32(c), p.rows)
		if err != nil {
			return err
		}
		if n > 1 {
			p.columns, p.levels = append(p.columns, int32(c)), append(p.levels, n)
		}
	}
	return nil
}

// singles returns the columns that have statistics of their own.
func (p *problem) singles() []tuple {
	var all []tuple
	for i, c := range p.columns {
		if p.levels[i] >= p.Levels && p.countable(tuple{c}) {
			all = append(all, tuple{c})
		}
	}
	return all
}

// countable reports whether the combinations of some columns can be numbered.
func (p *problem) countable(t tuple) bool {
	_, ok := input.Keys(p.from.Fields(), t)
	return ok
}

// byTime sorts places by time; those of one time stay in their order.
func byTime(order []int32, times []int64) {
	if times != nil {
		slices.SortStableFunc(order, func(a, b int32) int {
			return cmp.Compare(times[a], times[b])
		})
	}
}

// pick returns the values of the training rows, which are those that are given where all rows are.
func (p *problem) pick(values []float64) []float64 {
	if len(p.rows) == len(values) {
		return values
	}
	return pick(values, p.rows)
}

func pick[T any](values []T, rows []int32) []T {
	picked := hugepage.Slice[T](len(rows))
	for i, r := range rows {
		picked[i] = values[r]
	}
	return picked
}
