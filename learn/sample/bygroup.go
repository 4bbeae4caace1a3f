package sample

import (
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// ByGroup grows each tree on all rows of some groups, sampled without replacement: queries of a
// ranking, patients of a study.
type ByGroup struct {
	Fraction float64 // of the groups, rounded, at least one group
}

// Params declares fraction.
func (w *ByGroup) Params() param.Set {
	return param.Set{fractionParam(&w.Fraction,
		"fraction of the groups that each tree is grown on")}
}

// Bind needs groups. They are numbered in the order in which they first appear.
func (w *ByGroup) Bind(rows int, group []int64) (GradientSampler, error) {
	if err := checkGradient(w, rows, group); err != nil {
		return nil, err
	}
	if group == nil {
		return nil, errNoGroups
	}
	u, err := unitsOf(&Settings{Grouped: true}, &Rows{N: rows, Group: group})
	if err != nil {
		return nil, err
	}
	take := max(1, portion(w.Fraction, u.n))
	if take == u.n {
		return allOnce{}, nil
	}
	return &byGroup{of: u.of, take: take, in: make([]bool, u.n)}, nil
}

type byGroup struct {
	of       []int32 // group of each row
	take     int
	in       []bool // by group: whether it is sampled
	sampling []int32
}

func (d *byGroup) Sample(dst *Sampled, _, _ []float64, seed uint64) {
	s := rng.FromSeed(seed)
	clear(d.in)
	d.sampling = s.Some(d.sampling[:0], len(d.in), d.take)
	for _, k := range d.sampling {
		d.in[k] = true
	}
	rows := dst.Rows[:0]
	for i, k := range d.of {
		if d.in[k] {
			rows = append(rows, int32(i))
		}
	}
	*dst = Sampled{Rows: rows}
}
