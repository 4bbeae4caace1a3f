// Package encode turns categories into numbers before boosting: into target statistics. The
// statistic of a row is the mean target of the training rows that have its category, or its
// combination of categories in up to four columns (Micci-Barreca 2001).
//
// The statistic of a training row must not include the row's own label, or trees would overrate it.
// So it is ordered (Prokhorenkova et al. 2018, section 3.2): rows stand in a random order, and the
// statistic of each counts those before it only,
//
//	order           2    0    3    1           rows of one category, labels y0 ... y3
//	statistic of    2    a p / a
//	                     0    (y2 + a p) / (1 + a)
//	                          3    (y2 + y0 + a p) / (2 + a)
//	                               1    (y2 + y0 + y3 + a p) / (3 + a)
//
// with the mean label p of all rows, worth a of them. Rows to be predicted, those of a validation
// set too, count all training rows. The tables of an input.Set are for that; they go into the
// model.
//
// Where rows are in groups that are predicted as a whole, the rows of a group leak each other's
// labels. Then each row counts those before it of other groups only.
//
// A learner calls Begin with its training rows, once for each Fit of its own, and then
// Draft.Derive. Derive passes the numbers of one column after the other, to be put into bins, so
// that they are never in memory together. It stores the Set as the Inputs of the model: the trees'
// features from the number of the frame's columns on are the derived ones. With several
// permutations there are numbers by each of them; trees take these in turns, so that no order is
// memorised.
//
// A model that predicts the rows it was trained on takes the tables too, which include their
// labels. It looks better there than it is, by more than other models. Only hold-out rows show its
// real error.
//
// Which combinations are worth a column is found by a greedy search before boosting: see search.
package encode

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Options describe which columns are derived, and how.
type Options struct {
	// least number of categories, among the training rows, of a column with statistics of its own
	Levels       int
	Combine      int     // most columns whose categories are combined; 1 = none are
	Combinations int     // most combinations that are kept
	PriorWeight  float64 // rows that the prior is worth, above 0
	Counts       bool    // a column too of how often each category, or combination, occurs
	// keys that no training row has get the count and statistics of a usual row, where few training
	// rows are alone with theirs; else the count 0 and the prior
	UsualValues  bool
	Permutations int // orders of the rows, at least 1
	Classes      int // of more than two classes, how many have a statistic: the most frequent

	// sets of columns of the frame; those that are combined all lie in one of them; nil = any
	Together [][]int32
	// rows that get numbers besides the training rows, in any order; nil = all others
	Others []int32
}

// check refuses options out of range.
func (o *Options) check() error {
	switch {
	case o.Levels < 1, o.Combine < 1, o.Combine > input.MaxSources, o.Combinations < 0,
		!(o.PriorWeight > 0), o.Permutations < 1, o.Classes < 1:
		return fmt.Errorf("target statistics: options out of range: %+v", *o)
	}
	return nil
}

// Encoded is the derived columns of a table with their numbers.
type Encoded struct {
	Set input.Set // of all training rows

	// Columns[p][c][r] is derived column c of frame row r by permutation p. Rows that are not
	// training rows have the numbers of Set, in every permutation. Columns that do not depend on
	// the permutation are shared.
	Columns [][][]float64
	Outputs []int // the class of each output, nil of numbers
}

// Draft is the derived columns of a table before they are made.
type Draft struct {
	p      *problem
	tuples []planned
}

// planned is a tuple that gets columns.
type planned struct {
	tuple
	count bool // whether counts are one of them
}

// Begin finds which columns are to be derived of a table from the labels of some rows, nil = all; a
// repeated row has so often its weight. Classes give a column for the fraction of the second of
// two, or for those of each of the most frequent of more; numbers give their means.
//
// The order of the rows is sampled from the stream of seed. Where the target has times, rows count
// those of earlier times, and only those of one time stand in a random order. Where the target has
// groups, no row counts rows of its own group. A learner whose fold plan does not keep groups
// together removes them first (split.Plan.KeepsGroups).
//
// The result is the same for any number of workers, 0 = one per processor. Where the frame has no
// column to encode, there are none to be derived. On a cancelled context it returns ctx.Err().
func Begin(
	ctx context.Context, from Source, rows []int32, t *data.Target, o Options, seed uint64,
	workers int,
) (*Draft, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	p, err := newProblem(ctx, from, rows, t, o, seed, workers)
	if err != nil {
		return nil, err
	}
	tuples := p.singles()
	s, err := p.newSearch(ctx)
	if err != nil {
		return nil, err
	}
	if o.Combine > 1 && o.Combinations > 0 {
		found, err := s.search(ctx)
		if err != nil {
			return nil, err
		}
		tuples = append(tuples, found...)
	}
	planned, err := s.plan(ctx, tuples)
	return &Draft{p, planned}, err
}

// Columns returns the columns that are to be derived, in their order.
func (d *Draft) Columns() []input.Column {
	var all []input.Column
	for i, t := range d.tuples {
		for k := range d.p.target {
			all = append(all, input.Column{Table: int32(i), Output: int32(k), Prior: d.p.prior[k],
				Weight: d.p.PriorWeight})
		}
		if t.count {
			all = append(all, input.Column{Kind: input.Count, Table: int32(i)})
		}
	}
	return all
}

// Outputs returns the class of each output, nil of numbers.
func (d *Draft) Outputs() []int { return d.p.output }

// Sources returns the columns of the frame that each table is made of.
func (d *Draft) Sources() [][]int32 {
	all := make([][]int32, len(d.tuples))
	for i, t := range d.tuples {
		all[i] = t.tuple
	}
	return all
}

// Derive makes the tables, and all columns for take: the numbers of a column by frame row, and the
// permutations by which it has these; the numbers of a Set of rows that are not training rows. Rows
// that get none have any number. The numbers are take's until it returns; workers call it at the
// same time, for one column after the other of a table.
func (d *Draft) Derive(
	ctx context.Context, take func(column int, permutations []int, values []float64),
) (input.Set, error) {
	p := d.p
	s := input.Set{Tables: make([]input.Table, len(d.tuples)), Columns: d.Columns()}
	lines := make([]*line, p.Permutations)
	for i := range lines {
		lines[i] = newLine(p.order(i), p.rows, &p.measured)
	}
	ends := make([]int, len(d.tuples)) // behind the columns of each tuple
	for i, c := range s.Columns {
		ends[c.Table] = i + 1
	}
	pads := make([]scratchpad, p.workers)
	err := parallel.Try(ctx, p.workers, len(d.tuples), func(worker, i int) error {
		r, tuple, first := &pads[worker], d.tuples[i].tuple, 0
		if i > 0 {
			first = ends[i-1]
		}
		id, keys, err := group(ctx, p.from, tuple, p.rows, r)
		if err != nil {
			return err
		}
		s.Tables[i] = p.table(tuple, id, keys)
		return p.derive(ctx, &s, first, ends[i], id, lines, r, take)
	})
	if err != nil {
		return input.Set{}, err
	}
	if err := s.Validate(p.from.Fields()); err != nil {
		return input.Set{},
			fmt.Errorf("target statistics: %w: the labels or weights are too large", err)
	}
	return s, nil
}

// Predictions returns the predictions of rows by target statistics of single columns in the first
// order, as means over the columns: width class probabilities, or numbers, for each row. It is nil
// where there are no such columns. The prediction of a training row does not use the row's own
// label. Combinations are left out, because they are chosen by their predictions.
func (e *Encoded) Predictions(rows []int32, classes int) (width int, values []float64) {
	columns := 0
	width = 1
	for _, c := range e.Set.Columns {
		if c.Kind == input.Target && len(e.Set.Tables[c.Table].Source) == 1 {
			columns++
			width = max(width, int(c.Output)+1)
		}
	}
	if columns == 0 {
		return 0, nil
	}
	fraction := float64(width) / float64(columns)
	if classes > 0 {
		width = classes
	}
	values = make([]float64, width*len(rows))
	for at, c := range e.Set.Columns {
		if c.Kind != input.Target || len(e.Set.Tables[c.Table].Source) > 1 {
			continue
		}
		to := int(c.Output)
		if classes > 0 {
			to = e.Outputs[c.Output]
		}
		for i, r := range rows {
			values[i*width+to] += float64(fraction * e.Columns[0][at][r])
		}
	}
	for i := range rows {
		if classes == 2 {
			values[2*i] = 1 - values[2*i+1]
		}
	}
	return width, values
}

// Schema returns the schema of a frame with the columns of a set after its own. Their names are
// those of input.Set.Name, with a number where a column is called so.
func Schema(of *data.Schema, set *input.Set, classes []string) data.Schema {
	s := of.Like(slices.Clone(of.Fields))
	for i := range set.Columns {
		name := set.Name(i, of.Fields, classes)
		for n := 2; s.Index(name) >= 0; n++ {
			name = fmt.Sprintf("%s %d", set.Name(i, of.Fields, classes), n)
		}
		s.Fields = append(s.Fields, data.Field{Name: name})
	}
	return s
}

// Frame returns a frame of a Schema: with derived columns after those of f.
func Frame(f *data.Frame, s *data.Schema, derived [][]float64) (*data.Frame, error) {
	columns := slices.Clone(f.Columns)
	for _, c := range derived {
		columns = append(columns, data.Numbers(c))
	}
	g, err := data.NewFrame(*s, columns)
	if err != nil {
		return nil, err
	}
	g.Origin = f.Origin
	return g, nil
}

var errNoLabel = errors.New("target statistics need a label")

// order returns a random order of the places of the training rows, by time where there are times.
func (p *problem) order(permutation int) []int32 {
	return Order(len(p.rows), p.time, p.seed, permutation)
}

// Order returns the order of the places of some training rows by which one of the permutations of
// Begin, from the same seed, counts rows before others: those of positive weight, ascending. times
// are by place, nil = there are none.
func Order(rows int, times []int64, seed uint64, permutation int) []int32 {
	order := rng.New(seed, uint64(permutation)).Perm(rows)
	byTime(order, times)
	return order
}
