// Package check compares a table with what a model stores of its training rows, before or after the
// model predicts it. It finds columns that are missing or of another kind, new categories, missing
// and impossible values, and columns whose distribution drifted. It reads a table once, in blocks,
// in memory that does not depend on the rows.
//
//	r, err := check.Run(ctx, m, table, check.Options{})
//	if r.Drifted > 0 { ... }
//
// A model of coppice.Train has the profile that this needs (model.Profile). Without one the schema
// is checked, missing values are counted, and categories that training had not.
package check

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// Options are the choices of a check. The zero value checks everything on all processors.
type Options struct {
	// Options of the predictions: goroutines, memory, the rounds of a boosted model.
	model.Options
	// Label is the column of labels that predictions are compared with; "" = that of the model, if
	// the table has it.
	Label string
	// NoLabel leaves labels alone, and ColumnsOnly predictions too.
	NoLabel, ColumnsOnly bool
	// Roles returns the roles of the columns of a block; nil: those of model.Spec.RolesFor.
	Roles func(f *data.Frame) (data.Roles, error)
	// Unread are columns that the table has and that a reader could not read as the model needs
	// them, and why.
	Unread map[string]string
	// Scratch is the folder for the files of metrics of long tables: see eval.SetOptions.
	Scratch string
}

// Checker checks a table whose rows come in blocks. It is not safe for concurrent use.
type Checker struct {
	m       model.Model
	options Options
	profile *model.Profile // of no rows and columns where the model has none
	schema  *data.Schema
	sources []profile.Source
	columns []*counter
	kinds   []KindChange

	rows        int
	matched     bool     // the columns are found
	absent      []string // columns of the model that the table does not have
	label       *counter
	evaluation  *eval.Running
	unevaluated string // why there are no metrics; "": there are some, or there is no label

	predictor   model.Predictor
	predictions []*counter
	uncompared  string // why predictions are not compared
}

// New begins the check of a table for a model. Close ends it.
func New(m model.Model, o Options) *Checker {
	s := m.Spec()
	c := &Checker{m: m, options: o, profile: s.Profile, schema: &s.Schema,
		sources: profile.Sources(s.Schema.Fields)}
	if c.profile == nil {
		c.profile = &model.Profile{}
	}
	for _, from := range c.sources {
		p := c.profile.Column(from.Name)
		if p == nil {
			p = &model.ColumnProfile{Name: from.Name, Kind: from.Kind}
		}
		c.columns = append(c.columns, newCounter(p, from.Of))
	}
	switch {
	case o.ColumnsOnly:
		c.options.NoLabel, c.uncompared = true, "columns only are checked"
	case c.profile.Predictions == nil:
		c.uncompared = "the model stores no predictions for rows that it was not trained on"
	}
	return c
}

// Run checks a table: a frame, or one that is read in blocks. Errors are those of Add and Report.
func Run(ctx context.Context, m model.Model, table data.RowSource, o Options) (*Report, error) {
	c := New(m, o)
	for b, err := range table.Blocks(ctx) {
		if err == nil {
			err = c.Add(ctx, b.Frame)
		}
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	r, err := c.Report(ctx)
	return r, errors.Join(err, c.Close())
}

// Add checks the next rows of the table, as they were read: dates and texts may be columns of their
// own kinds. A column that the model does not have is passed over. Errors are those of the
// context, of predictions and of scratch files.
func (c *Checker) Add(ctx context.Context, f *data.Frame) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.rows += f.Rows()
	expanded := data.ExpandLike(f, c.schema)
	if !c.matched {
		c.matched = true
		c.match(&expanded.Schema)
	}
	places := make([]int, len(c.columns))
	for i := range places {
		places[i] = expanded.Schema.Index(c.schema.Fields[c.sources[i].Field].Name)
	}
	parallel.Each(parallel.Workers(c.options.Workers), len(c.columns), func(_, i int) {
		if at := places[i]; at >= 0 && c.compares(&expanded.Schema.Fields[at], i) {
			c.columns[i].add(&expanded.Schema.Fields[at], &expanded.Columns[at], f.Rows())
		}
	})
	if len(c.absent)+len(c.kinds) > 0 { // nothing can be predicted
		return nil
	}
	if err := c.addPredictions(ctx, expanded); err != nil {
		return err
	}
	return c.evaluate(ctx, expanded)
}

// compares reports whether a column of a table is of the kind of the model's.
func (c *Checker) compares(got *data.Field, i int) bool {
	return got.Kind == c.schema.Fields[c.sources[i].Field].Kind
}

// match finds the columns that are missing or of another kind.
func (c *Checker) match(table *data.Schema) {
	places := make(map[string]int, len(table.Fields))
	for p := len(table.Fields) - 1; p >= 0; p-- { // of equal names the first
		places[table.Fields[p].Name] = p
	}
	for i, from := range c.sources {
		own := []data.Field{c.schema.Fields[from.Field]}
		place, named := places[own[0].Name]
		if !named {
			place, named = places[own[0].Source()]
		}
		at := []int{place} // a right guess saves Find a search through the table
		why, unread := c.options.Unread[from.Name]
		switch {
		case unread:
			c.kinds = append(c.kinds, KindChange{from.Name, from.Kind, why})
		case !named && own[0].From == nil, table.Find(own, at) != nil:
			c.absent = append(c.absent, from.Name)
		case !c.compares(&table.Fields[at[0]], i):
			got := table.Fields[at[0]].Kind
			if bare := own[0].CodeIndex() != nil && got == data.Numeric; !bare {
				c.kinds = append(c.kinds, KindChange{from.Name, from.Kind,
					fmt.Sprintf("the table has a %s column", got)})
			}
		}
	}
	if len(c.absent)+len(c.kinds) > 0 {
		c.uncompared = "columns are missing or of another kind"
	}
}

// addPredictions predicts rows where the model stores predictions to compare with.
func (c *Checker) addPredictions(ctx context.Context, f *data.Frame) error {
	if c.uncompared != "" {
		return nil
	}
	if c.predictor == nil {
		o := c.options.Options
		o.Output = model.Response
		p, err := c.m.Bind(&f.Schema, o)
		if err != nil {
			return err
		}
		if !c.beginPredictions(p.Width()) {
			c.uncompared = "the model stores other predictions than it makes"
			return nil
		}
		c.predictor = p
	}
	width := c.predictor.Width()
	all := make([]float64, min(f.Rows(), predictedAtOnce)*width)
	for rows := range slices.Chunk(data.AllRows(f.Rows()), predictedAtOnce) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.predictor.Predict(all, f, rows); refused(err, &c.uncompared) {
			c.predictions = nil
			return nil
		} else if err != nil {
			return err
		}
		c.countPredictions(all[:len(rows)*width])
	}
	return nil
}

// beginPredictions prepares to count predictions of a width; false: the model stores others.
func (c *Checker) beginPredictions(width int) bool {
	stored := c.profile.Predictions
	if width != len(stored) || slices.ContainsFunc(stored, func(p model.ColumnProfile) bool {
		return p.Kind != data.Numeric
	}) {
		return false
	}
	for i := range stored {
		c.predictions = append(c.predictions, newCounter(&stored[i], &data.Field{Name: stored[i].Name}))
	}
	return true
}

// countPredictions counts predictions, row after row.
func (c *Checker) countPredictions(all []float64) {
	width := len(c.predictions)
	one := make([]float64, len(all)/width)
	for k, p := range c.predictions {
		for i := range one {
			one[i] = all[i*width+k]
		}
		p.rows += len(one)
		p.addNumbers(one, 1)
	}
}

// AddPredicted compares predictions that were made elsewhere with those that the model stores, in
// place of those that Add makes: it is for Options.ColumnsOnly. The values are those of
// model.Predictor, row after row. It does nothing where the model stores no such predictions.
func (c *Checker) AddPredicted(values []float64) {
	if c.options.ColumnsOnly && len(values) > 0 &&
		(c.predictions != nil || c.beginPredictions(c.m.Outputs())) {
		c.countPredictions(values)
	}
}

// predictedAtOnce is how many rows are predicted between two looks at the context.
const predictedAtOnce = 1 << 14

// evaluate compares predictions with the labels that rows have.
func (c *Checker) evaluate(ctx context.Context, f *data.Frame) error {
	label := c.options.Label
	if label == "" {
		label = c.m.Spec().Label
	}
	at := f.Schema.Index(label)
	if c.options.NoLabel || label == "" || at < 0 || c.unevaluated != "" || !labeled(&f.Columns[at]) {
		return nil
	}
	spec := c.m.Spec()
	if spec.Task == data.Anomaly && len(spec.Classes) == 0 {
		c.unevaluated = "the model has no names for anomalies and others, and the command evaluate " +
			"gives them some"
		return nil
	}
	if unknown := unknownLabel(&f.Schema.Fields[at], &f.Columns[at], spec.Classes); unknown != "" {
		c.unevaluated = unknown
		return nil
	}
	of := c.options.Roles
	if of == nil {
		of = func(f *data.Frame) (data.Roles, error) { return spec.RolesFor(&f.Schema) }
	}
	roles, err := of(f)
	if err != nil {
		c.unevaluated = err.Error()
		return nil
	}
	roles.Label, roles.DropUnlabeled = label, true
	ds, err := roles.Apply(f)
	if err != nil {
		c.unevaluated = err.Error()
		return nil
	}
	c.countLabels(&ds.Target, ds.Rows())
	nameGroups(&ds.Target, &f.Schema)
	if c.evaluation == nil {
		c.evaluation, err = eval.NewRunning(c.m, ds, eval.SetOptions{Options: c.options.Options,
			Scratch: c.options.Scratch})
		if err != nil {
			c.unevaluated = err.Error()
			return nil
		}
	}
	if err := c.evaluation.Add(ctx, ds); !refused(err, &c.unevaluated) {
		return err
	}
	return nil
}

// nameGroups gives groups with names the hashes of these as numbers, since the codes of a block are
// its own.
func nameGroups(t *data.Target, table *data.Schema) {
	at := table.Index(t.Roles.Group)
	if t.Group == nil || at < 0 || !table.Fields[at].Kind.HasLevels() {
		return
	}
	var numbers []int64
	for _, name := range table.Fields[at].Levels {
		h := fnv.New64a()
		h.Write([]byte(name)) // never fails
		numbers = append(numbers, int64(h.Sum64()))
	}
	for row, code := range t.Group {
		t.Group[row] = numbers[code]
	}
}

// refused reports an error of a value that the model refuses to predict, and notes it as a reason.
func refused(err error, why *string) bool {
	value := (*model.ValueError)(nil)
	if !errors.As(err, &value) {
		return false
	}
	*why = fmt.Sprintf("column %q has a value that the model refuses: %s", value.Column, value.What)
	return true
}

// unknownLabel describes a label that is no class of the model, which a reader found, and what to
// do; "" if there is none.
func unknownLabel(field *data.Field, c *data.Column, classes []string) string {
	if !slices.Contains(c.Codes(), data.UnseenCode) {
		return ""
	}
	text := fmt.Sprintf("the label %q has a value that is no class of the model", field.Name)
	texts := []string(nil)
	if example := c.UnseenTexts(); example != nil && example.Most() != "" {
		text += fmt.Sprintf(": %q", example.Most())
		texts = example.Texts()
	}
	return text + "; " + data.Renaming(texts, classes)
}

// labeled reports whether a row of a column has a value.
func labeled(c *data.Column) bool {
	if codes := c.Codes(); codes != nil {
		return slices.ContainsFunc(codes, func(c uint32) bool { return c != data.MissingCode })
	}
	return slices.ContainsFunc(c.Numbers(), func(v float64) bool { return v == v })
}

// countLabels counts the labels of rows, where the profile has their distribution.
func (c *Checker) countLabels(t *data.Target, rows int) {
	if len(c.profile.Label) == 0 || len(t.Y) > 1 {
		return
	}
	p := &c.profile.Label[0]
	field := &data.Field{Name: p.Name, Kind: p.Kind, Levels: c.m.Spec().Classes}
	got, column := field, data.Column{}
	switch {
	case t.Class != nil && p.Kind == data.Categorical:
		got, column = &data.Field{Levels: t.Classes}, data.Codes(t.Class)
	case t.Class == nil && p.Kind == data.Numeric:
		column = data.Numbers(t.Y[0])
	default:
		return
	}
	if c.label == nil {
		c.label = newCounter(p, field)
	}
	c.label.add(got, &column, rows)
}

// Close removes the scratch file of the metrics, if there is one.
func (c *Checker) Close() error {
	if c.evaluation == nil {
		return nil
	}
	return c.evaluation.Close()
}
