// Package tables reads tables as the flags of a command request. It owns the formats of files, the
// flags about columns and their roles, the split into training, validation and test set, and the
// checks of a table before training.
package tables

import (
	"context"
	"io"
	"slices"

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
	// the model whose training is repeated on the table: see Repeat; nil = none
	like *model.Spec
}

// Sections returns the flags as sections of a help text.
func (o *TrainingFlags) Sections() []cli.Section {
	return []cli.Section{
		cli.NewSection("Columns", o.RoleFlags.define, o.KindFlags.Define),
		cli.NewSection("Reading", o.ReadFlags.Define),
	}
}

// Problem is a table and the data set that it holds: features, target and their roles. Where the
// table is read in blocks, neither has values of features, which InBlocks gives until Close.
type Problem struct {
	*data.Dataset
	Table  *data.Frame        // all columns, those with roles included; further files are appended to it
	blocks *data.BlockDataset // nil: the table is in memory
	stored io.Closer          // what Close removes; nil: nothing
}

// InBlocks returns the data set with features in blocks, of which a table in memory is one.
func (p *Problem) InBlocks() *data.BlockDataset {
	if p.blocks != nil {
		return p.blocks
	}
	return p.Dataset.InBlocks()
}

// Close removes what was stored of a table in blocks.
func (p *Problem) Close() error {
	if p.stored == nil {
		return nil
	}
	return p.stored.Close()
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
	options, err := o.options(c)
	if err != nil {
		return nil, err
	}
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
		if err := complete(read.Frame, options.Schema, paths[0]); err != nil {
			return nil, err
		}
	}
	if err := o.completeLike(read.Frame, paths[0]); err != nil {
		return nil, err
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
		like, err := o.likeModel(c, o.From, f, paths[0])
		if err != nil {
			return nil, err
		}
		roles.Task, roles.Classes, roles.Like = o.From.Task, o.From.Classes, &o.From.Schema
		roles.Weight, roles.Group = like.Weight, like.Group
		roles.Event, roles.Upper = like.Event, like.Upper
	}
	ds, err := roles.Apply(f)
	if err != nil {
		return nil, err
	}
	return &Problem{Dataset: ds, Table: f}, nil
}

// options returns the options by which the table is read.
func (o *TrainingFlags) options(c *cli.Console) (Input, error) {
	options, err := o.ReadFlags.Options(c)
	if err != nil {
		return options, err
	}
	if err := o.KindFlags.apply(&options); err != nil {
		return options, err
	}
	options.Ignore, options.Label = o.Ignore, o.Label
	if o.like != nil {
		o.readLike(&options)
	}
	return options, nil
}

// readAs makes options read a table by the schema of the model that training continues.
func (o *TrainingFlags) readAs(options *Input) {
	options.Schema, options.Ignore = &o.From.Schema, nil
	options.Also = append(append(options.Also, o.Label), o.Start...)
	if time := column(o.time); time != "" {
		options.Also = append(options.Also, time)
	}
	readLabel(options, o.Label, o.From)
	o.readRoles(options, o.From)
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
	for _, column := range append([]string{o.Label}, p.Target.Roles.Names()...) {
		if column == "" {
			continue
		}
		field := &p.Table.Schema.Fields[p.Table.Schema.Index(column)]
		if field.Role == data.WeightRole {
			options.Optional = append(options.Optional, column)
		} else {
			options.Also = append(options.Also, column)
		}
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
	if err := complete(more.Frame, &p.Schema, path); err != nil {
		return nil, err
	}
	if err := p.addWeights(more); err != nil {
		return nil, err
	}
	f, err := data.Concat(p.used(), more.Frame)
	if err != nil {
		return nil, err
	}
	roles, err := o.RoleFlags.roles(c, f)
	if err != nil {
		return nil, err
	}
	roles.Task, roles.Classes = p.Target.Task, p.Target.Classes
	roles.Weight, roles.Group = p.Target.Roles.Weight, p.Target.Roles.Group
	roles.Event, roles.Upper = p.Target.Roles.Event, p.Target.Roles.Upper
	roles.RareLast, roles.Like = false, &p.Schema
	ds, err := roles.Apply(f)
	if err != nil {
		return nil, err
	}
	ds.Target.Guessed = p.Target.Guessed
	return &Problem{Dataset: ds, Table: f}, nil
}

// used returns the table without the columns of which its file states a role that they do not have.
func (p *Problem) used() *data.Frame {
	var at []int
	for i := range p.Table.Schema.Fields {
		f := &p.Table.Schema.Fields[i]
		if f.Role == "" || slices.Contains(p.Target.Roles.Names(), f.Name) {
			at = append(at, i)
		}
	}
	return p.Table.Select(at)
}

// addWeights adds weights of 1 to a further table whose file states none, where the first one
// states weights: there, too, rows may have none.
func (p *Problem) addWeights(more *data.RowBlock) error {
	name := p.Target.Roles.Weight
	i := p.Table.Schema.Index(name)
	if i < 0 || p.Table.Schema.Fields[i].Role != data.WeightRole || more.Frame.Schema.Index(name) >= 0 {
		return nil
	}
	f := more.Frame
	s := f.Schema.Like(append(slices.Clone(f.Schema.Fields), data.Field{Name: name}))
	ones := data.Numbers(slices.Repeat([]float64{1}, f.Rows()))
	made, err := data.NewFrame(s, append(slices.Clone(f.Columns), ones))
	if err != nil {
		return err
	}
	made.Origin, more.Frame = f.Origin, made
	return nil
}
