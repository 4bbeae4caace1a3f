package counterfactual

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// search looks for the smallest change of a row.
type search struct {
	goal    *Goal
	columns []choices // those that may change
	base    *data.Frame
	p       model.Predictor // of the response
	reach   *reach          // nil: nothing is known of what the model can reach
	mu      sync.Mutex
	best    *change
}

// change is a change of a row: the places of choices by column, both ascending by column.
type change struct {
	columns []int
	at      []int32
	cost    float64
}

// compare orders changes: fewer columns, lower cost, and then the first columns and values.
func (c *change) compare(d *change) int {
	return cmp.Or(cmp.Compare(len(c.columns), len(d.columns)), cmp.Compare(c.cost, d.cost),
		slices.Compare(c.columns, d.columns), slices.Compare(c.at, d.at))
}

// offer keeps a change if it is the best so far.
func (s *search) offer(c *change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.best == nil || c.compare(s.best) < 0 {
		s.best = &change{slices.Clone(c.columns), slices.Clone(c.at), c.cost}
	}
}

// better reports whether a change is better than the best so far.
func (s *search) better(c *change) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.best == nil || c.compare(s.best) < 0
}

// complete reports whether the choices stand for all possible values.
func (s *search) complete() bool {
	return !slices.ContainsFunc(s.columns, func(c choices) bool { return !c.complete })
}

// newSearch collects the choices of all columns that may change.
func newSearch(t *Task) (*search, error) {
	m := t.Model
	fields := m.Spec().Schema.Fields
	inputs := modelInputs{schema: &m.Spec().Schema}
	e, trees := model.AsTrees(m)
	if trees {
		e = e.First(0)
		inputs = modelInputs{&e.Meta.Schema, &e.Inputs}
	}
	x := testsOf(e, len(fields))
	s := &search{goal: t.Goal, base: joined(t.Frame, t.Row, t.Like)}
	var err error
	if s.p, err = m.Bind(&s.base.Schema, model.Options{Workers: 1}); err != nil {
		return nil, err
	}
	for i := range fields {
		field := &fields[i]
		if field.Derived() || t.Fixed[i] {
			continue
		}
		c := choices{name: field.Name, feature: int32(i), at: s.base.Schema.Index(field.Name),
			levels: field.Kind == data.Categorical, own: math.NaN()}
		if err := c.fill(s, inputs, x, field, t.Like); err != nil {
			return nil, err
		}
		if c.len() > 0 {
			s.columns = append(s.columns, c)
		}
	}
	if trees {
		if s.reach, err = newReach(s, e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// joined returns a table of one row of f, whose dictionaries have the levels of another table too.
func joined(f *data.Frame, row int, like *data.Frame) *data.Frame {
	one := *f.Subset([]int32{int32(row)})
	one.Schema.Fields = slices.Clone(one.Schema.Fields)
	for i := range one.Schema.Fields {
		field := &one.Schema.Fields[i]
		at := like.Schema.Index(field.Name)
		if field.Kind != data.Categorical || at < 0 {
			continue
		}
		has := map[string]bool{}
		for _, level := range field.Levels {
			has[level] = true
		}
		levels := slices.Clone(field.Levels)
		for _, level := range like.Schema.Fields[at].Levels {
			if !has[level] {
				levels = append(levels, level)
			}
		}
		field.Levels = levels
	}
	return &one
}

// fill finds the values of a column.
func (c *choices) fill(
	s *search, inputs modelInputs, x *tests, field *data.Field, like *data.Frame,
) error {
	at := like.Schema.Index(field.Name)
	if at < 0 || c.at < 0 {
		return nil
	}
	own, other := &s.base.Columns[c.at], &like.Columns[at]
	missing := false
	for row := 0; row < like.Rows() && !missing; row++ {
		missing = like.IsMissing(row, at)
	}
	missing = missing && field.Missing != data.Refuse && !s.base.IsMissing(0, c.at)
	if own.Codes() != nil && other.Codes() != nil {
		return c.newLevels(s, inputs, x, &like.Schema.Fields[at], other, missing)
	}
	if own.Codes() != nil || other.Codes() != nil {
		return nil // one of the tables has codes as numbers
	}
	c.own = own.Number(0)
	if !math.IsNaN(c.own) {
		c.from = c.own
	}
	if c.levels {
		c.newCodes(other, missing)
		return c.know(s, inputs)
	}
	c.newNumbers(x, other, missing)
	return nil
}

// run searches all combinations of one column, of two, and so on, until one has a change. It
// reports whether it ended before the context.
func (s *search) run(ctx context.Context, workers int) (ended bool, err error) {
	pool := make([]*worker, workers)
	for k := 1; k <= len(s.columns); k++ {
		if s.best != nil && k > len(s.best.columns) {
			return true, nil
		}
		next := newCombinations(len(s.columns), k)
		for {
			some := next.take(64 * workers)
			if len(some) == 0 {
				break
			}
			err := parallel.Try(ctx, workers, len(some), func(w, i int) error {
				if pool[w] == nil {
					pool[w] = newWorker(s)
				}
				return pool[w].search(ctx, some[i])
			})
			if ctx.Err() != nil {
				return false, nil
			}
			if err != nil {
				return false, err
			}
		}
		if k == 1 && s.best == nil && !s.reachable() {
			return true, nil
		}
	}
	return true, nil
}

// reachable reports whether some columns together might have a change. Each may keep the row's own
// value, too.
func (s *search) reachable() bool {
	if s.reach == nil {
		return true
	}
	own := &search{goal: s.goal, base: s.base, p: s.p, reach: s.reach}
	all := make([]int, len(s.columns))
	for i := range all {
		all[i] = i
		own.columns = append(own.columns, s.columns[i].withOwn())
	}
	w := newWorker(own)
	w.begin(all)
	return w.reaches.possible(w.low, w.high)
}
