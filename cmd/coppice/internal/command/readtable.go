package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/table"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// tableFlags are the flags about tables that train and cv have.
type tableFlags struct {
	roleFlags
	kindFlags
	textFlags
	// the model that training adds to, whose columns and classes the table's are; nil = none
	from *model.Spec
}

func (o *tableFlags) sections() []section {
	return []section{
		newSection("Columns", o.roleFlags.define, o.kindFlags.define),
		newSection("Reading", o.textFlags.define),
	}
}

// problem is a table with the learning problem that its columns make.
type problem struct {
	*data.Dataset
	table *data.Frame // all columns, roles included; a further file is joined to it
}

// read is load for training: a table from which nothing can be learned is an error.
func (o *tableFlags) read(ctx context.Context, c *console, paths []string, more bool) (*problem, error) {
	p, err := o.load(ctx, c, paths, more)
	if err != nil {
		return nil, err
	}
	trained := *p.Dataset
	if o.capable.Unsupervised {
		trained.Target = data.Target{Name: o.label} // one value of the label is as good as two
	}
	return p, data.CheckTrainable(&trained)
}

// load reads the files and gives the columns their roles. If more files will be joined, notes about
// the roles are left to join, which sees all rows.
func (o *tableFlags) load(ctx context.Context, c *console, paths []string, more bool) (*problem, error) {
	options, err := o.textFlags.options(c)
	if err != nil {
		return nil, err
	}
	o.kindFlags.apply(&options)
	options.Ignore = o.ignore
	if o.from != nil {
		o.readAs(&options)
	}
	c.progress.begin("reading")
	read, err := options.read(ctx, paths...)
	if err != nil {
		return nil, err
	}
	if len(read.Frame.Columns) == 0 {
		return nil, misusef("--ignore leaves no column: leave one out of it")
	}
	if o.from != nil {
		if err := complete(read, options.Schema, paths[0]); err != nil {
			return nil, err
		}
	}
	f := read.Frame
	roles, err := o.roleFlags.roles(c, f)
	if err != nil {
		return nil, err
	}
	if more {
		roles.Log = nil
	}
	if o.from != nil {
		roles.Task, roles.Classes, roles.Like = o.from.Task, o.from.Classes, &o.from.Schema
	}
	ds, err := roles.Apply(f)
	if err != nil {
		return nil, err
	}
	return &problem{ds, f}, nil
}

// readAs makes options read a table by the columns of the model that training adds to.
func (o *tableFlags) readAs(options *input) {
	options.Schema, options.Ignore = &o.from.Schema, nil
	options.Also = append(options.Also, o.columns()...)
	readLabel(options, o.label, o.from)
}

// readLabel makes options read the label column as the one that a model was trained on.
func readLabel(options *input, label string, of *model.Spec) {
	same := label == of.Label
	if of.Labels() && !(same && of.LabelFormat != "") {
		options.Categorical = append(options.Categorical, label)
		return
	}
	options.Numeric = append(options.Numeric, label)
	if same {
		options.Formats = map[string]string{label: of.LabelFormat}
	}
}

// join reads a further file whose rows come behind those of p. Columns have the kinds and
// dictionaries that they have in p, labels must be among its classes.
func (o *tableFlags) join(ctx context.Context, c *console, p *problem, path string) (*problem, error) {
	options, err := o.textFlags.options(c)
	if err != nil {
		return nil, err
	}
	options.Schema, options.Dates, options.Formats = &p.Schema, map[string]data.DateFormat{}, map[string]string{}
	for _, column := range o.columns() {
		options.Also = append(options.Also, column)
		field := &p.table.Schema.Fields[p.table.Schema.Index(column)]
		switch field.Kind {
		case data.Numeric:
			options.Numeric = append(options.Numeric, column)
			options.Formats[column] = field.Format
		case data.Categorical:
			options.Categorical = append(options.Categorical, column)
		case data.Date:
			options.Dates[column], _ = field.DateFormat() // the table was read by it
		}
	}
	c.progress.begin("reading")
	more, err := options.read(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := complete(more, &p.Schema, path); err != nil {
		return nil, err
	}
	f, err := data.Concat(p.table, more.Frame)
	if err != nil {
		return nil, err
	}
	roles, err := o.roleFlags.roles(c, f)
	if err != nil {
		return nil, err
	}
	roles.Task, roles.Classes, roles.RareLast, roles.Like = p.Target.Task, p.Target.Classes, false, &p.Schema
	ds, err := roles.Apply(f)
	if err != nil {
		return nil, err
	}
	return &problem{ds, f}, nil
}

// readForModel reads a table by the schema of a model.
func readForModel(ctx context.Context, c *console, m model.Model, options input, paths []string) (*table.Table, error) {
	options.Schema = &m.Spec().Schema
	c.progress.begin("reading")
	t, err := options.read(ctx, paths...)
	if err != nil {
		return nil, err
	}
	return t, complete(t, options.Schema, paths[0])
}

// readFor reads a table with labels to compare with a model; without --label they are in the column
// that the model was trained on.
func (o *labelFlags) readFor(ctx context.Context, c *console, m model.Model, options input, paths []string) (*data.Dataset, error) {
	spec := m.Spec()
	if o.label == "" {
		o.label = spec.Label
	}
	if o.label == "" {
		return nil, misusef("--label is missing: the model stores no name of a label column")
	}
	options.Also = []string{o.label}
	readLabel(&options, o.label, spec)
	if o.weight != "" {
		options.Also = append(options.Also, o.weight)
		options.Numeric = append(options.Numeric, o.weight)
	}
	options.Also = append(options.Also, o.outcomeFlags.columns()...)
	t, err := readForModel(ctx, c, m, options, paths)
	if err != nil {
		return nil, err
	}
	roles, err := o.roles(c, t.Frame)
	if err != nil {
		return nil, err
	}
	roles.Task, roles.Classes, roles.Like = spec.Task, spec.Classes, &spec.Schema
	if spec.Task == data.Anomaly {
		// the label may have other names for normal rows and anomalies
		roles.Task, roles.RareLast = data.Auto, true
	}
	return roles.Apply(t.Frame)
}

// complete checks that a table has all columns of a schema and suggests a name for one that is
// missing.
func complete(t *table.Table, s *data.Schema, path string) error {
	if path == "-" {
		path = source.Stdin
	}
	var spare []string
	for _, name := range t.Columns {
		if s.Index(name) < 0 {
			spare = append(spare, name)
		}
	}
	name, absent := s.Absent(&t.Frame.Schema)
	if !absent {
		return nil
	}
	text := fmt.Sprintf("%s: column %q is missing, which the model was trained on", path, name)
	if near := param.Nearest(name, spare); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return errors.New(text)
}
