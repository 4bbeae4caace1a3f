package encode

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model/input"
)

// problem is the training rows with what is to be explained.
type problem struct {
	Options
	frame *data.Frame
	// distinct frame rows of some weight, ascending; slices below are by place in rows
	rows    []int32
	weight  []float64   // their weight, repetitions included
	target  [][]float64 // by output
	output  []int       // the class of each output, where there are classes
	prior   []float64   // by output: the mean target
	time    []int64     // nil: none
	groups  *groups     // nil: none
	columns []int32     // the categorical columns
	levels  []int       // of each, how many categories occur
	seed    uint64
	workers int
}

// tuple is columns whose categories are taken together, ascending.
type tuple []int32

func newProblem(
	f *data.Frame, rows []int32, t *data.Target, o Options, seed uint64, workers int,
) (*problem, error) {
	workers = parallel.Workers(workers)
	p := &problem{Options: o, frame: f, seed: seed, workers: workers}
	p.weigh(rows, t)
	switch {
	case t.Class != nil:
		p.priors(t)
	case t.Y != nil:
		for _, y := range t.Y {
			p.target = append(p.target, pick(y, p.rows))
		}
	default:
		return nil, errNoLabel
	}
	for _, y := range p.target {
		sum, weight := 0.0, 0.0
		for i, w := range p.weight {
			sum += float64(w * y[i])
			weight += w
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
		p.groups = newGroups(pick(t.Group, p.rows), p.weight, p.target)
	}
	p.survey()
	return p, nil
}

// weigh finds the rows and their weights.
func (p *problem) weigh(rows []int32, t *data.Target) {
	rows = p.frame.Chosen(rows)
	times := make([]uint32, p.frame.Rows())
	for _, r := range rows {
		times[r]++
	}
	for r, n := range times {
		if w := float64(n) * t.WeightAt(int32(r)); w > 0 {
			p.rows = append(p.rows, int32(r))
			p.weight = append(p.weight, w)
		}
	}
}

// priors makes the targets of classes: 1 for rows of the class, 0 for others.
func (p *problem) priors(t *data.Target) {
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
			weight[t.Class[r]] += p.weight[i]
		}
		slices.SortStableFunc(classes, func(a, b int) int {
			return cmp.Compare(weight[b], weight[a])
		})
		classes = classes[:p.Classes]
		slices.Sort(classes)
	}
	p.output = classes
	for _, k := range classes {
		y := make([]float64, len(p.rows))
		for i, r := range p.rows {
			if int(t.Class[r]) == k {
				y[i] = 1
			}
		}
		p.target = append(p.target, y)
	}
}

// survey finds the categorical columns and how many categories they have among the rows.
func (p *problem) survey() {
	for c := range p.frame.Columns {
		f := &p.frame.Schema.Fields[c]
		if f.Kind != data.Categorical {
			continue
		}
		seen := make([]bool, len(f.Levels)+1)
		n := 0
		for _, r := range p.rows {
			if d := digit(p.frame.Columns[c].Code(int(r))); d < uint64(len(seen)) && !seen[d] {
				seen[d] = true
				n++
			}
		}
		if n > 1 {
			p.columns, p.levels = append(p.columns, int32(c)), append(p.levels, n)
		}
	}
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
	_, ok := input.Keys(p.frame.Schema.Fields, t)
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

func pick[T any](values []T, rows []int32) []T {
	picked := hugepage.Slice[T](len(rows))
	for i, r := range rows {
		picked[i] = values[r]
	}
	return picked
}
