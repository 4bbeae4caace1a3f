// Package tables reads tables as the flags of a command request. It owns the formats of files, the
// flags about columns and their roles, the split into training, validation and test set, and the
// checks of a table before training.
package tables

import (
	"context"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// TrainingFlags are the flags about tables that train and cv have.
type TrainingFlags struct {
	RoleFlags
	KindFlags
	ReadFlags
	// the model that training continues, whose columns and classes the table must have; nil = none
	From *model.Spec
}

// Sections returns the flags as sections of a help text.
func (o *TrainingFlags) Sections() []cli.Section {
	return []cli.Section{
		cli.NewSection("Columns", o.RoleFlags.define, o.KindFlags.Define),
		cli.NewSection("Reading", o.ReadFlags.Define),
	}
}

// Problem is a table and the data set that it holds: features, target and their roles.
type Problem struct {
	*data.Dataset
	Table *data.Frame // all columns, those with roles included; further files are appended to it
}

// Read is Load for training: a table that is not trainable, such as one of a single class, is an
// error.
func (o *TrainingFlags) Read(
	ctx context.Context, c *cli.Console, paths []string, more bool,
) (*Problem, error) {
	p, err := o.Load(ctx, c, paths, more)
	if err != nil {
		return nil, err
	}
	trained := *p.Dataset
	if o.Capable.Unsupervised {
		// an unsupervised learner accepts a label of one value
		trained.Target = data.Target{Name: o.Label}
	}
	return p, data.CheckTrainable(&trained)
}

// Load reads the files and gives the columns their roles. If more files will be joined, notes about
// roles are not printed here but by join, which has all rows.
func (o *TrainingFlags) Load(
	ctx context.Context, c *cli.Console, paths []string, more bool,
) (*Problem, error) {
	options, err := o.ReadFlags.Options(c)
	if err != nil {
		return nil, err
	}
	if err := o.KindFlags.apply(&options); err != nil {
		return nil, err
	}
	options.Ignore = o.Ignore
	if o.From != nil {
		o.readAs(&options)
	}
	c.Progress.Begin("reading")
	read, err := options.read(ctx, paths...)
	if err != nil {
		return nil, err
	}
	if len(read.Frame.Columns) == 0 {
		return nil, cli.Misusef("--ignore leaves no column: leave one out of it")
	}
	if o.From != nil {
		if err := complete(read, options.Schema, paths[0]); err != nil {
			return nil, err
		}
	}
	f := read.Frame
	roles, err := o.RoleFlags.roles(c, f)
	if err != nil {
		return nil, err
	}
	if more {
		roles.Log = nil
	}
	if o.From != nil {
		roles.Task, roles.Classes, roles.Like = o.From.Task, o.From.Classes, &o.From.Schema
	}
	ds, err := roles.Apply(f)
	if err != nil {
		return nil, err
	}
	return &Problem{ds, f}, nil
}

// readAs makes options read a table by the schema of the model that training continues.
func (o *TrainingFlags) readAs(options *Input) {
	options.Schema, options.Ignore = &o.From.Schema, nil
	options.Also = append(options.Also, o.columns()...)
	readLabel(options, o.Label, o.From)
}

// join reads a further file and appends its rows to p. Columns are read with the kinds and
// dictionaries of p, and labels must be among its classes.
func (o *TrainingFlags) join(
	ctx context.Context, c *cli.Console, p *Problem, path string,
) (*Problem, error) {
	options, err := o.ReadFlags.Options(c)
	if err != nil {
		return nil, err
	}
	options.Schema = &p.Schema
	options.Dates, options.Formats = map[string]data.DateFormat{}, map[string]string{}
	for _, column := range o.columns() {
		options.Also = append(options.Also, column)
		field := &p.Table.Schema.Fields[p.Table.Schema.Index(column)]
		switch field.Kind {
		case data.Numeric:
			options.Numeric = append(options.Numeric, column)
			options.Formats[column] = field.Format
		case data.Categorical:
			options.Categorical = append(options.Categorical, column)
		case data.Date:
			// the first table was read by this format, so there is no error
			options.Dates[column], _ = field.DateFormat()
		}
	}
	c.Progress.Begin("reading")
	more, err := options.read(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := complete(more, &p.Schema, path); err != nil {
		return nil, err
	}
	f, err := data.Concat(p.Table, more.Frame)
	if err != nil {
		return nil, err
	}
	roles, err := o.RoleFlags.roles(c, f)
	if err != nil {
		return nil, err
	}
	roles.Task, roles.Classes = p.Target.Task, p.Target.Classes
	roles.RareLast, roles.Like = false, &p.Schema
	ds, err := roles.Apply(f)
	if err != nil {
		return nil, err
	}
	return &Problem{ds, f}, nil
}
