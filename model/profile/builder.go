// Package profile computes the model.Profile of the rows that a model is trained on, in one pass
// over blocks of them. The profile is the same for any blocks and any number of workers: counts and
// sums are exact, and the rows of its sample are chosen by their positions.
package profile

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// Options are the choices of New.
type Options struct {
	Workers int // goroutines; 0 = one per processor
	// NoExtremes leaves the least and the largest values out, which are values of single rows.
	NoExtremes bool
}

// Limits of what a Builder does. Memory is at most 64 MiB for the sample and 128 MiB for different
// numbers, whatever the table: see Bytes.
const (
	mostColumns = 2000    // of more columns it counts only
	exactRows   = 200_000 // up to so many, all are in the sample
	sampleRows  = 1 << 16
	sampleCells = 1 << 23 // rows of the sample x columns
	// different numbers of a column that are counted, and of all columns
	mostDistinct, allDistinct = 10_000, 1 << 22
)

// Builder makes a profile of rows that it is given in blocks.
type Builder struct {
	Options
	rows       int // all rows to come
	sampleRows int
	sample     []int32 // positions among the rows, ascending; nil: all
	columns    []*column
	next       int       // position of the next row
	used       int       // positions of sample before next
	memory     []scratch // by worker

	profiles []model.ColumnProfile // of columns that are complete
}

// New begins the profile of a table with the given fields, whose dates and texts are expanded, and
// of a number of rows.
func New(fields []data.Field, rows int, o Options) *Builder {
	b := &Builder{Options: o, rows: rows}
	b.memory = make([]scratch, parallel.Workers(o.Workers))
	all := Sources(fields)
	sample, different := limits(len(all), rows)
	if b.sampleRows = sample; sample < rows {
		b.sample = leastHashes(rows, sample)
	}
	for _, s := range all {
		b.columns = append(b.columns, b.column(s, different))
		b.columns[len(b.columns)-1].countsOnly = len(all) > mostColumns
	}
	b.profiles = make([]model.ColumnProfile, len(b.columns))
	return b
}

// limits returns how many rows of a table are in its sample, and how many different numbers of each
// column are counted.
func limits(columns, rows int) (sample, different int) {
	n := max(1, columns)
	sample, different = rows, min(mostDistinct, allDistinct/n)
	if rows > exactRows || rows > sampleCells/n {
		sample = min(rows, sampleRows, sampleCells/n)
	}
	return sample, different
}

// Bytes returns the most memory that a Builder takes until it has all rows. It is freed then.
func Bytes(fields []data.Field, rows int) int64 {
	all := Sources(fields)
	if len(all) > mostColumns {
		return 0
	}
	sample, different := limits(len(all), rows)
	each, numbers := int64(8*sample+placeBytes*placesFor(min(different, rows))), int64(0)
	for _, s := range all {
		if s.Kind != data.Categorical {
			numbers++
		}
	}
	return each * numbers
}

// column begins the profile of a column, of which so many numbers are counted.
func (b *Builder) column(s Source, distinct int) *column {
	c := &column{source: s, numbers: newNumbers(distinct)}
	c.whole = b.sample == nil
	return c
}

// Source is the column of a table that fields are made of.
type Source struct {
	Name  string
	Kind  data.Kind
	Field int         // that the profile is made of: the column itself, the days, the number of words
	Of    *data.Field // the field; it may be another part of a date whose days are not there
}

// Sources returns the columns that fields are made of, in the order of their first fields.
func Sources(fields []data.Field) []Source {
	var all []Source
	made := map[string]int{} // places in all of columns that Expand made several fields of
	for i := range fields {
		f := &fields[i]
		at, found := made[f.Source()]
		if !f.Derived() || !found {
			at = len(all)
			all = append(all, Source{f.Source(), model.SourceKind(f), i, f})
		}
		if !f.Derived() {
			continue
		}
		if made[f.Source()] = at; f.From != nil && f.From.Part == data.Days ||
			f.Text != nil && f.Text.Bucket == data.WordCount {
			all[at].Field, all[at].Of = i, f
		}
	}
	return all
}

// Add takes the next rows: those of a frame with the fields of New, ascending.
func (b *Builder) Add(f *data.Frame, rows []int32) {
	if len(rows) == 0 {
		return
	}
	picked := rows
	if b.sample != nil {
		picked = nil
		for ; b.used < len(b.sample) && int(b.sample[b.used]) < b.next+len(rows); b.used++ {
			picked = append(picked, rows[int(b.sample[b.used])-b.next])
		}
	}
	first, last := b.next == 0, b.next+len(rows) == b.rows
	parallel.Each(len(b.memory), len(b.columns), func(worker, i int) {
		c, m := b.columns[i], &b.memory[worker]
		if first && last { // columns that are complete leave their memory to others
			c.sample = m.sample[:0]
		}
		if first && c.source.Kind != data.Categorical && !c.countsOnly {
			c.sample = slices.Grow(c.sample, b.sampleRows)
		}
		c.add(&f.Columns[c.source.Field], rows, picked, m)
		if last {
			b.profiles[i], b.columns[i] = c.profile(b.NoExtremes, m), nil
			m.sample = c.sample
		}
	})
	if b.next += len(rows); last {
		b.memory = nil
	}
}

// Profile returns the profile of all rows, nil unless all were added. The label is that of the
// given rows of a target: those that were added, ascending. The builder is of no more use.
func (b *Builder) Profile(t *data.Target, rows []int32) *model.Profile {
	if b.next != b.rows {
		return nil
	}
	p := &model.Profile{Rows: b.rows, NoExtremes: b.NoExtremes}
	if b.sample != nil {
		p.SampleRows, p.RankError = len(b.sample), rankError(len(b.sample))
	}
	p.Columns = b.profiles
	m := &scratch{}
	for i, c := range b.columns {
		if c != nil { // there are no rows
			p.Columns[i] = c.profile(b.NoExtremes, m)
		}
	}
	for _, l := range label(t) {
		c := b.column(Source{Name: l.field.Name, Kind: l.field.Kind, Of: &l.field}, mostDistinct)
		picked := rows
		if b.sample != nil {
			picked = data.Pick(rows, b.sample)
		}
		c.add(&l.values, rows, picked, m)
		p.Label = append(p.Label, c.profile(b.NoExtremes, m))
	}
	fit(p)
	return p
}

// labelColumn is what a target has of a label, as a column.
type labelColumn struct {
	field  data.Field
	values data.Column
}

// label returns the columns of a label: one for each output, and of survival the event too.
func label(t *data.Target) []labelColumn {
	if t.Class != nil {
		return []labelColumn{{data.Field{Name: t.Name, Kind: data.Categorical, Levels: t.Classes},
			data.Codes(t.Class)}}
	}
	var all []labelColumn
	for _, y := range t.Y {
		all = append(all, labelColumn{data.Field{Name: t.Name}, data.Numbers(y)})
	}
	if t.Upper != nil {
		all = append(all, labelColumn{data.Field{Name: t.Roles.Upper}, data.Numbers(t.Upper)})
	}
	if t.Event != nil {
		event := make([]float64, len(t.Event))
		for i, e := range t.Event {
			event[i] = float64(e)
		}
		all = append(all, labelColumn{data.Field{Name: t.Roles.Event}, data.Numbers(event)})
	}
	return all
}

// AddPredictions adds to the profile of a model, if it has one, the distribution of responses for
// rows that it was not trained on: row after row. Anomaly scores are left out.
func AddPredictions(m model.Model, predictions []float64) {
	s := m.Spec()
	p, names, width := s.Profile, s.Classes, m.Outputs()
	if !s.Task.Classes() {
		names = slices.Repeat([]string{s.Label}, width)
	}
	if p == nil || len(predictions) == 0 || len(names) != width || s.Task == data.Anomaly {
		return
	}
	rows := data.AllRows(len(predictions) / width)
	p.Predictions, p.PredictionRows = nil, len(rows)
	b, memory := Builder{}, &scratch{}
	for k, name := range names {
		one := make([]float64, len(rows))
		for i := range one {
			one[i] = predictions[i*width+k]
		}
		field, values := data.Field{Name: name}, data.Numbers(one)
		c := b.column(Source{Name: name, Of: &field}, mostDistinct)
		c.add(&values, rows, rows, memory)
		p.Predictions = append(p.Predictions, c.profile(p.NoExtremes, memory))
	}
	if !fits(p) { // of very many classes
		p.Predictions, p.PredictionRows = nil, 0
	}
}
