package tables

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// ForModel reads a table by the schema of a model, and some columns unchanged beside it. Dates and
// texts become the model's columns. With StreamForModel it is the door of all commands, behind
// which columns have the model's names. A table whose predictions take more than the limit of
// memory is refused.
func (o *ReadFlags) ForModel(
	ctx context.Context, c *cli.Console, m model.Model, verbatim, paths []string,
) (*data.RowBlock, error) {
	p, err := o.StreamForModel(ctx, c, m, verbatim, paths, true)
	if err != nil {
		return nil, err
	}
	p.Close()
	return p.First, nil
}

// Parts are the tables of consecutive rows of a table that is read for a model.
type Parts struct {
	First *data.RowBlock // of a small table it is the whole of it
	// Coverage has the flags of the last part, and the counts of all parts so far.
	Coverage *model.Coverage
	next     func() (*data.RowBlock, error, bool)
	stop     func()
}

// StreamForModel is ForModel for a table that is read once, of which some rows are in memory at
// a time. A table as a whole has one part.
func (o *ReadFlags) StreamForModel(
	ctx context.Context, c *cli.Console, m model.Model, verbatim, paths []string, whole bool,
) (*Parts, error) {
	options, err := o.Options(c)
	if err != nil {
		return nil, err
	}
	options.Verbatim = verbatim
	return streamForModel(ctx, c, m, options, paths, whole)
}

// streamForModel is StreamForModel by options of the readers.
func streamForModel(
	ctx context.Context, c *cli.Console, m model.Model, options Input, paths []string, whole bool,
) (*Parts, error) {
	options.Schema, options.Spare = &m.Spec().Schema, spare(m)
	c.Progress.Begin("reading")
	t, err := options.open(ctx, paths)
	if err != nil {
		return nil, err
	}
	parts := t.Stream(ctx)
	if whole {
		parts = func(yield func(*data.RowBlock, error) bool) { yield(t.Read(ctx)) }
	}
	known := cover(c, m)
	known.Check(options.checks)
	p := &Parts{Coverage: known}
	next, stop := iter.Pull2(parts)
	p.stop = stop
	p.next = func() (*data.RowBlock, error, bool) {
		t, err, more := next()
		if err == nil && more {
			t.Frame = data.ExpandLike(t.Frame, options.Schema)
			if p.First != nil { // the first part may have columns that are missing
				err = cli.Located(known.Add(t.Frame), t.Frame)
			}
		}
		return t, err, more
	}
	first, err, any := p.next()
	if err == nil && !any { // a table that is read as a whole has this error already
		err = &data.ReadError{File: paths[0], Msg: "there are no rows", Err: data.ErrEmpty}
	}
	if err == nil {
		noteSpare(c, options.Spare, first.Origin.Columns)
		options.notePlaces(c, m, first.Origin.Columns)
		p.First, err = first, complete(first.Frame, options.Schema, paths[0])
		if err == nil && whole {
			what := fmt.Sprintf("predicting %d rows with %d outputs", first.Rows(), m.Outputs())
			err = options.Memory.Check(what, 8*int64(first.Rows())*int64(m.Outputs()))
		}
		if err == nil {
			err = cli.Located(known.Add(first.Frame), first.Frame)
		}
	}
	if err != nil {
		p.stop()
	}
	return p, err
}

// All yields the parts, once, and closes them.
func (p *Parts) All() iter.Seq2[*data.RowBlock, error] {
	return func(yield func(*data.RowBlock, error) bool) {
		defer p.stop()
		for t, err, more := p.First, error(nil), true; more; t, err, more = p.next() {
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// Close ends the reading.
func (p *Parts) Close() { p.stop() }

// Kept returns the texts of a row of columns that were read unchanged, in the order of the table,
// with space for more; for row -1 the names of the columns. A table without such columns is nil.
func Kept(verbatim *data.Frame, row, more int) []string {
	if verbatim == nil {
		return nil
	}
	fields := make([]string, 0, len(verbatim.Columns)+more)
	for i := range verbatim.Columns {
		if row < 0 {
			fields = append(fields, verbatim.Schema.Fields[i].Name)
		} else {
			fields = append(fields, verbatim.Schema.Fields[i].Levels[verbatim.Columns[i].Code(row)])
		}
	}
	return fields
}

// ReadFor reads a table whose labels are compared with the predictions of a model. Without --label
// the labels are in the column that the model was trained on.
func (o *LabelFlags) ReadFor(
	ctx context.Context, c *cli.Console, m model.Model, read *ReadFlags, paths []string,
) (*data.Dataset, error) {
	options, err := read.Options(c)
	if err != nil {
		return nil, err
	}
	if err := o.columnsFor(m, &options); err != nil {
		return nil, err
	}
	return o.readFor(ctx, c, m, options, paths)
}

// readFor is ReadFor by options that have the columns.
func (o *LabelFlags) readFor(
	ctx context.Context, c *cli.Console, m model.Model, options Input, paths []string,
) (*data.Dataset, error) {
	p, err := streamForModel(ctx, c, m, options, paths, true)
	if err != nil {
		return nil, err
	}
	p.Close()
	roles, err := o.likeModel(c, m.Spec(), p.First.Frame, paths[0])
	if err != nil {
		return nil, err
	}
	return roles.Apply(p.First.Frame)
}

// LabeledBlocks is a table whose labels are compared with the predictions of a model, until it is
// closed.
type LabeledBlocks struct {
	*data.BlockDataset
	// Coverage is to count the blocks that are predicted; nil: all rows are counted.
	Coverage *model.Coverage
	io.Closer
}

// ReadBlocksFor is ReadFor for a table that is read in blocks, with its labels, if it is a large
// one. The rows of a query are stored in a scratch file of a folder where they exceed the memory.
func (o *LabelFlags) ReadBlocksFor(
	ctx context.Context, c *cli.Console, m model.Model, options Input, paths []string,
	scratch string,
) (*LabeledBlocks, error) {
	if err := o.columnsFor(m, &options); err != nil {
		return nil, err
	}
	options.Scratch = scratch
	t := options.large(ctx, paths, wholeBytes)
	if slices.Contains(paths, cli.QueryOperand) && !hasTexts(m) {
		stored, err := options.gatherQuery(ctx, c)
		if err != nil {
			return nil, err
		}
		if stored {
			t = options.query.ran
		}
	}
	if t == nil {
		ds, err := o.readFor(ctx, c, m, options, paths)
		switch over := errors.Is(err, memory.ErrLimit); {
		case err == nil:
			return &LabeledBlocks{ds.InBlocks(), nil, io.NopCloser(nil)}, nil
		case over && slices.Contains(paths, cli.QueryOperand):
			return nil, errors.New("columns of texts need the table in memory: raise --memory")
		case over: // of long texts, for example
			t = options.large(ctx, paths, 0)
		}
		if t == nil {
			return nil, err
		}
	}
	c.Progress.Begin("reading")
	b, err := openBlocks(ctx, t)
	if err != nil {
		return nil, err
	}
	ds, err := o.labeledFor(ctx, c, m, b.Features, paths[0])
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return &LabeledBlocks{ds, cover(c, m), b.Closer}, nil
}

// hasTexts reports that a model has columns of texts.
func hasTexts(m model.Model) bool { return textual(m.Spec()) }

func textual(s *model.Spec) bool {
	return slices.ContainsFunc(s.Schema.Fields, func(f data.Field) bool { return f.Text != nil })
}

// gatherQuery runs the query once. It reports, and notes, that its rows are in a scratch file.
func (in *Input) gatherQuery(ctx context.Context, c *cli.Console) (stored bool, err error) {
	c.Progress.Begin("reading")
	stored, err = in.query.gather(ctx, in.Options.ReadOptions, func(int, int) bool { return true })
	if err != nil || !stored {
		return false, err
	}
	folder := in.Scratch
	if folder == "" {
		folder = os.TempDir()
	}
	c.Note("the table takes more than the limit of memory (--memory sets it): the rows of the query "+
		"are read in blocks, with a scratch file in %s (--scratch sets it)", humanize.Name(folder))
	return true, nil
}

// labeledFor gives the columns of a table that is read in blocks their roles.
func (o *LabelFlags) labeledFor(
	ctx context.Context, c *cli.Console, m model.Model, t data.Features, path string,
) (*data.BlockDataset, error) {
	f := t.Outline()
	noteSpare(c, spare(m), f.Origin.Columns)
	if err := complete(f, &m.Spec().Schema, path); err != nil {
		return nil, err
	}
	roles, err := o.likeModel(c, m.Spec(), f, path)
	if err != nil {
		return nil, err
	}
	return roles.StreamBlocks(ctx, t)
}

// columnsFor makes options read the features of a model, and the columns that have a role beside
// them.
func (o *LabelFlags) columnsFor(m model.Model, options *Input) error {
	spec := m.Spec()
	if o.Label == "" {
		o.Label = spec.Label
	}
	if o.Label == "" {
		return cli.Misusef("--label is missing: the model stores no name of a label column")
	}
	if err := Incomparable(m); err != nil {
		return cli.Misuse(err)
	}
	options.Schema, options.Spare = &spec.Schema, spare(m)
	options.Also = []string{o.Label}
	readLabel(options, o.Label, spec)
	o.readRoles(options, spec)
	return nil
}

// Incomparable returns why no label is compared with the predictions of a model, nil if one is.
func Incomparable(m model.Model) error {
	s := m.Spec()
	if n := m.Outputs(); s.Task == data.Regression && n > 1 && n != len(s.Quantiles) {
		return fmt.Errorf("the model predicts %d numbers for each row, and metrics compare one with "+
			"its label: coppice predict writes all, for a script that compares them", n)
	}
	return nil
}

// readLabel makes options read the label column in the way in which it was read in training.
func readLabel(options *Input, label string, of *model.Spec) {
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

// complete checks that a table has all columns of a schema and suggests a name for one that is
// missing.
func complete(f *data.Frame, s *data.Schema, path string) error {
	if path == "-" {
		path = source.Stdin
	}
	name, absent := s.Absent(&f.Schema)
	if !absent {
		return nil
	}
	spare := slices.DeleteFunc(slices.Clone(f.Origin.Columns), func(name string) bool { return s.Index(name) >= 0 })
	return fmt.Errorf("%s: column %q is missing, which the model was trained on%s", path, name,
		param.Meant("; ", name, spare))
}
