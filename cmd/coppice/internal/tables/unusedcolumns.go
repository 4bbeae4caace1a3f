package tables

import (
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// spare returns the columns that a table for a model may lack: those that no tree of another tool's
// model uses. A table for one of Coppice's models has all columns of the training table, so that
// one of another name is noticed.
func spare(m model.Model) []string {
	e := m.Describe().Ensemble
	s := &m.Spec().Schema
	if e == nil || e.Origin == nil || len(e.Meta.Schema.Fields) != len(s.Fields) {
		return nil
	}
	var names []string
	used := e.Uses()
	for i := range s.Fields {
		f := &s.Fields[i]
		_, uses := slices.BinarySearch(used, int32(i))
		if !uses && !f.Derived() && (f.Kind == data.Numeric || f.Kind == data.Categorical) {
			names = append(names, f.Name)
		}
	}
	return names
}

// noteSpare notes which columns that a table may lack it does lack.
func noteSpare(c *cli.Console, spare, columns []string) {
	has := make(map[string]bool, len(columns))
	for _, name := range columns {
		has[name] = true
	}
	var lacks []string
	for _, name := range spare {
		if !has[name] {
			lacks = append(lacks, name)
		}
	}
	const few = 3
	switch n := len(lacks); {
	case n == 0:
	case n == 1:
		c.Note("the table has no column %s, which no tree of the model uses",
			humanize.Name(lacks[0]))
	case n <= few:
		c.Note("the table has no columns %s, which no tree of the model uses",
			humanize.And(names(lacks)))
	default:
		c.Note("the table lacks %d columns that no tree of the model uses, such as %s", n,
			humanize.Name(lacks[0]))
	}
}

// notePlaces notes that a CSV file without a header has more columns than another tool's model has
// features: they are matched by their places, and a label before them would shift all.
func (r *Input) notePlaces(c *cli.Console, m model.Model, columns []string) {
	features := m.Spec().Schema.Names()
	if !r.NoHeader || len(columns) <= len(features) ||
		!slices.Equal(columns[:len(features)], features) {
		return
	}
	if e := m.Describe().Ensemble; e == nil || e.Origin == nil {
		return
	}
	c.Note("the table has %d columns and the model %s: they are matched by place, from the first on",
		len(columns), humanize.Count(len(features), "feature", "features"))
}
