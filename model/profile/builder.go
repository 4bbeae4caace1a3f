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

// Limits of what a Builder does. Memory is at most 64 MiB for the sample and 96 MiB for the sets of
// different numbers, whatever the table.
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
	rows    int     // all rows to come
	sample  []int32 // positions among the rows, ascending; nil: all
	columns []*column
	next    int       // position of the next row
	used    int       // positions of sample before next
	memory  []scratch // by worker
}

// New begins the profile of a table with the given fields, whose dates and texts are expanded, and
// of a number of rows.
func New(fields []data.Field, rows int, o Options) *Builder {
	b := &Builder{Options: o, rows: rows}
	b.memory = make([]scratch, parallel.Workers(o.Workers))
	all := Sources(fields)
	n := max(1, len(all))
	for _, s := range all {
		b.columns = append(b.columns, &column{source: s, countsOnly: n > mostColumns,
			distinct: distinct{most: min(mostDistinct, allDistinct/n)}})
	}
	if rows > exactRows || rows > sampleCells/n {
		b.sample = leastHashes(rows, min(sampleRows, sampleCells/n))
	}
	return b
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
	picked := rows
	if b.sample != nil {
		picked = nil
		for ; b.used < len(b.sample) && int(b.sample[b.used]) < b.next+len(rows); b.used++ {
			picked = append(picked, rows[int(b.sample[b.used])-b.next])
		}
	}
	parallel.Each(len(b.memory), len(b.columns), func(worker, i int) {
		c := b.columns[i]
		c.add(&f.Columns[c.source.Field], rows, picked, &b.memory[worker])
	})
	b.next += len(rows)
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
	p.Columns = make([]model.ColumnProfile, len(b.columns))
	parallel.Each(len(b.memory), len(b.columns), func(_, i int) {
		p.Columns[i] = b.columns[i].profile(b.NoExtremes)
		b.columns[i] = nil
	})
	for _, l := range label(t) {
		c := &column{source: Source{Name: l.field.Name, Kind: l.field.Kind, Of: &l.field},
			distinct: distinct{most: mostDistinct}}
		picked := rows
		if b.sample != nil {
			picked = data.Pick(rows, b.sample)
		}
		c.add(&l.values, rows, picked, &b.memory[0])
		p.Label = append(p.Label, c.profile(b.NoExtremes))
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
	for k, name := range names {
		one := make([]float64, len(rows))
		for i := range one {
			one[i] = predictions[i*width+k]
		}
		field, values := data.Field{Name: name}, data.Numbers(one)
		c := &column{source: Source{Name: name, Of: &field}, distinct: distinct{most: mostDistinct}}
		c.add(&values, rows, rows, &scratch{})
		p.Predictions = append(p.Predictions, c.profile(p.NoExtremes))
	}
	if !fits(p) { // of very many classes
		p.Predictions, p.PredictionRows = nil, 0
	}
}
