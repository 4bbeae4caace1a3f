package tables

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// Inputs are the columns of a table that a model uses, with their values as texts.
type Inputs struct {
	Columns []InputColumn
	spec    *model.Spec
}

// InputColumn is a column of a table.
type InputColumn struct {
	Name    string
	feature int  // of the model's schema: the first one that is made of the column
	Texts   bool // its values are no numbers
	// read unchanged beside the features: dates, texts and new categories are as in the file
	verbatim bool
}

// NewInputs returns the columns of a model. A category that no tree uses is not read unchanged,
// since tables may lack its column.
func NewInputs(m model.Model) *Inputs {
	in := &Inputs{spec: m.Spec()}
	fields := in.spec.Schema.Fields
	used := func(int) bool { return true }
	if e := m.Describe().Ensemble; e != nil && len(e.Meta.Schema.Fields) == len(fields) {
		uses := e.Uses()
		used = func(i int) bool {
			_, found := slices.BinarySearch(uses, int32(i))
			return found
		}
	}
	known := map[string]bool{}
	for i := range fields {
		f := &fields[i]
		name := f.Source()
		if known[name] {
			continue
		}
		known[name] = true
		texts := f.Derived() || f.Kind == data.Categorical
		in.Columns = append(in.Columns,
			InputColumn{name, i, texts, f.Derived() || texts && used(i)})
	}
	return in
}

// Verbatim returns the columns that have to be read unchanged beside some others.
func (in *Inputs) Verbatim(others []string) []string {
	all := slices.Clone(others)
	for _, c := range in.Columns {
		if c.verbatim && !slices.Contains(others, c.Name) {
			all = append(all, c.Name)
		}
	}
	return all
}

// Of returns a function that returns the value of a column in a row of a block, "" if it is
// missing.
func (in *Inputs) Of(t *data.RowBlock) func(column, row int) string {
	at, verbatim := make([]int, len(in.Columns)), make([]int, len(in.Columns))
	for i, c := range in.Columns {
		at[i] = t.Frame.Schema.Index(in.spec.Schema.Fields[c.feature].Name)
		if verbatim[i] = -1; c.verbatim {
			verbatim[i] = t.Verbatim.Schema.Index(c.Name)
		}
	}
	return func(column, row int) string {
		f := t.Frame
		if at[column] < 0 || f.IsMissing(row, at[column]) {
			return ""
		}
		if v := verbatim[column]; v >= 0 {
			return t.Verbatim.Schema.Fields[v].Levels[t.Verbatim.Columns[v].Code(row)]
		}
		c := &f.Columns[at[column]]
		if c.Codes() == nil {
			return humanize.Exact(c.Number(row))
		}
		if code := int(c.Code(row)); code < len(f.Schema.Fields[at[column]].Levels) {
			return f.Schema.Fields[at[column]].Levels[code]
		}
		return ""
	}
}

// Place returns the place of a column, -1 if there is none of its name.
func (in *Inputs) Place(name string) int {
	return slices.IndexFunc(in.Columns, func(c InputColumn) bool { return c.Name == name })
}
