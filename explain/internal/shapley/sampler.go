package shapley

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// sampler predicts rows of mixed values: some of a row, and all others of a row of the background.
type sampler struct {
	options   SampleOptions
	rows      []int32   // of the table
	predicted []float64 // for them, row after row
	baseline  []float64 // predictions for the background
	bias      []float64 // their means by output
	outputs   int
	players   []player
	schema    data.Schema     // of mixed rows
	own       []data.Column   // of the table
	other     []data.Column   // of the background, in the same codes
	mixed     model.Predictor // of mixed rows
}

// player is the columns that become those of the row at once.
type player struct {
	columns  []int32 // in mixed rows
	features []int32 // in the model's schema
}

// newSampler predicts both tables, and brings their columns into one schema.
func newSampler(
	m model.Model, f *data.Frame, rows []int32, o SampleOptions,
) (*sampler, error) {
	s := &sampler{options: o, rows: rows}
	var err error
	if s.predicted, err = s.predictTable(m, f, rows); err != nil {
		return nil, err
	}
	if s.baseline, err = s.predictTable(m, o.Background, nil); err != nil {
		return nil, fmt.Errorf("background table: %w", err)
	}
	s.bias = make([]float64, s.outputs)
	for i, x := range s.baseline {
		s.bias[i%s.outputs] += x
	}
	for k := range s.bias {
		s.bias[k] /= float64(o.Background.Rows())
	}
	if err := s.join(m, f); err != nil {
		return nil, err
	}
	s.mixed, err = m.Bind(&s.schema, model.Options{Output: o.Output, Rounds: o.Rounds, Workers: 1})
	return s, err
}

// predictTable returns the predictions for rows of a table, nil = all.
func (s *sampler) predictTable(m model.Model, f *data.Frame, rows []int32) ([]float64, error) {
	o := s.options
	p, err := m.Bind(&f.Schema,
		model.Options{Output: o.Output, Rounds: o.Rounds, Workers: o.Workers})
	if err != nil {
		return nil, err
	}
	s.outputs = p.Width()
	rows = f.Chosen(rows)
	dst := make([]float64, len(rows)*s.outputs)
	if err := p.Predict(dst, f, rows); err != nil {
		return nil, err
	}
	return dst, finite(dst)
}

// finite returns ErrNotFinite if some prediction has no differences to others.
func finite(values []float64) error {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return ErrNotFinite
		}
	}
	return nil
}

// join finds the model's columns in both tables, and the players that they make up.
func (s *sampler) join(m model.Model, f *data.Frame) error {
	fields := m.Spec().Schema.Fields
	own, other := make([]int, len(fields)), make([]int, len(fields))
	f.Schema.Find(fields, own) // Bind has found all
	s.options.Background.Schema.Find(fields, other)
	unit := map[string]int{} // by source that is used
	for _, i := range uses(m) {
		source := fields[i].Source()
		at, known := unit[source]
		if !known {
			at = len(s.players)
			unit[source], s.players = at, append(s.players, player{})
		}
		s.players[at].features = append(s.players[at].features, i)
	}
	joined := map[int]bool{}
	for i := range fields {
		if joined[own[i]] { // a date, of which the model makes several parts
			continue
		}
		joined[own[i]] = true
		if at, used := unit[fields[i].Source()]; used {
			s.players[at].columns = append(s.players[at].columns, int32(len(s.own)))
		}
		if err := s.joinColumn(f, own[i], other[i]); err != nil {
			return err
		}
	}
	return nil
}

// uses returns the features that predictions may depend on.
func uses(m model.Model) []int32 {
	if e, ok := m.(*model.Ensemble); ok {
		return e.Uses()
	}
	return data.AllRows(len(m.Spec().Schema.Fields))
}

// joinColumn adds a column of the table and that of the background.
func (s *sampler) joinColumn(f *data.Frame, own, other int) error {
	b := s.options.Background
	field, theirs := f.Schema.Fields[own], &b.Schema.Fields[other]
	column := b.Columns[other]
	switch {
	case field.Kind != theirs.Kind:
		return fmt.Errorf("background table: column %q is %s, that of the rows is %s", theirs.Name,
			theirs.Kind, field.Kind)
	case !field.MadeAs(theirs):
		return fmt.Errorf("background table: column %q is made of other dates or texts than that of the "+
			"rows", theirs.Name)
	case field.Kind == data.Categorical && !slices.Equal(field.Levels, theirs.Levels):
		var to []uint32
		field.Levels, to = joinLevels(field.Levels, theirs.Levels)
		codes := slices.Clone(column.Codes())
		for i, c := range codes {
			if int(c) < len(to) { // neither missing nor unseen
				codes[i] = to[c]
			}
		}
		column = data.Codes(codes)
	}
	s.schema.Fields = append(s.schema.Fields, field)
	s.own, s.other = append(s.own, f.Columns[own]), append(s.other, column)
	return nil
}

// joinLevels returns a dictionary with the levels of two, and by code of the second the new code.
// Codes of the first stay.
func joinLevels(levels, others []string) (all []string, to []uint32) {
	all = slices.Clone(levels)
	code := make(map[string]uint32, len(levels))
	for c, level := range levels {
		code[level] = uint32(c)
	}
	for _, level := range others {
		c, known := code[level]
		if !known {
			c = uint32(len(all))
			all = append(all, level)
		}
		to = append(to, c)
	}
	return all, to
}
