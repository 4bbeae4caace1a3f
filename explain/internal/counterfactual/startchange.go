package counterfactual

import (
	"context"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

// Rows of the reference that a search starts from: those that are looked at, and those whose
// changes are made smaller.
const (
	startRows = 2048
	startBest = 8
)

// start finds a first change, so that the search has a cost to stay below: rows of the reference
// that have the wanted prediction, with as many of their columns as possible put back to the row's
// own values (Brughmans, Leyman & Martens 2023, "NICE: an algorithm for nearest instance
// counterfactual explanations").
func (s *search) start(ctx context.Context, like *data.Frame) error {
	var found []*change
	v := newVariants(s, startBlock)
	step := (like.Rows() + startRows - 1) / startRows
	var some []*change
	flush := func() error {
		good, err := s.wanted(v, some)
		found, some = append(found, good...), some[:0]
		return err
	}
	for row := 0; row < like.Rows() && ctx.Err() == nil; row += step {
		if c := s.toward(like, row); len(c.columns) > 0 {
			some = append(some, c)
		}
		if len(some) == startBlock {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	slices.SortStableFunc(found, (*change).compare)
	for _, c := range found[:min(startBest, len(found))] {
		if err := s.shrink(ctx, v, c); err != nil {
			return err
		}
		s.offer(c)
	}
	return nil
}

// startBlock is the number of rows that are predicted at a time.
const startBlock = 256

// wanted returns those of some changes, no more than a block, that lead to the goal.
func (s *search) wanted(v *variants, some []*change) ([]*change, error) {
	if len(some) == 0 {
		return nil, nil
	}
	v.clear()
	for r, c := range some {
		v.set(r, c.columns, c.at)
	}
	out, err := v.predict(len(some))
	if err != nil {
		return nil, err
	}
	var good []*change
	width := s.p.Width()
	for r, c := range some {
		if s.goal.Reached(out[r*width:][:width]) {
			good = append(good, c)
		}
	}
	return good, nil
}

// toward returns the change of all columns to the choices nearest to the values of a row.
func (s *search) toward(like *data.Frame, row int) *change {
	c := &change{}
	for i := range s.columns {
		x := &s.columns[i]
		at := like.Schema.Index(x.name)
		to := int32(-1)
		switch other := &like.Columns[at]; {
		case like.IsMissing(row, at):
			to = x.nearest(math.NaN())
		case x.code == nil:
			to = x.nearest(other.Number(row))
		default:
			if code := other.Code(row); int(code) < len(x.like) {
				to = x.like[code]
			}
		}
		if to >= 0 {
			c.columns, c.at = append(c.columns, i), append(c.at, to)
		}
	}
	c.cost = s.cost(c.columns, c.at)
	return c
}

// cost adds the costs of a change in the order of its columns, as bounds do, so that no bound is
// above the cost.
func (s *search) cost(columns []int, at []int32) float64 {
	sum := 0.0
	for i, c := range columns {
		sum += s.columns[c].cost[at[i]]
	}
	return sum
}

// shrink puts columns of a change back as long as it leads to the goal: half of them, then fewer
// together, down to one.
func (s *search) shrink(ctx context.Context, v *variants, c *change) error {
	for size := (len(c.columns) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(c.columns) && len(c.columns) > size; {
			if ctx.Err() != nil {
				return nil
			}
			to := min(from+size, len(c.columns))
			less := &change{columns: slices.Delete(slices.Clone(c.columns), from, to),
				at: slices.Delete(slices.Clone(c.at), from, to)}
			good, err := s.wanted(v, []*change{less})
			if err != nil {
				return err
			}
			if len(good) > 0 {
				*c = *less
			} else {
				from = to
			}
		}
	}
	c.cost = s.cost(c.columns, c.at)
	return nil
}
