package tables

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// inBlocks is how a format reads tables in blocks.
type inBlocks struct {
	open func(ctx context.Context, o csvdata.Options, paths ...string) (*table.Blocks, error)
	// tables reads a table once, for a model
	tables func(ctx context.Context, o csvdata.Options,
		paths ...string) iter.Seq2[*table.Table, error]
	// estimate returns about how many rows and columns a table has
	estimate func(ctx context.Context, o csvdata.Options, paths ...string) (rows, columns int64,
		err error)
}

var csvBlocks = &inBlocks{csvdata.OpenBlocks, csvdata.Tables, csvdata.Estimate}

// commonBlocks adapts a reader that has only the options common to all readers.
func commonBlocks(
	open func(context.Context, data.ReadOptions, ...string) (*table.Blocks, error),
	tables func(context.Context, data.ReadOptions, ...string) iter.Seq2[*table.Table, error],
	estimate func(context.Context, data.ReadOptions, ...string) (rows, columns int64, err error),
) *inBlocks {
	return &inBlocks{
		func(ctx context.Context, o csvdata.Options, paths ...string) (*table.Blocks, error) {
			return open(ctx, o.ReadOptions, paths...)
		},
		func(ctx context.Context, o csvdata.Options, paths ...string) iter.Seq2[*table.Table, error] {
			return tables(ctx, o.ReadOptions, paths...)
		},
		func(ctx context.Context, o csvdata.Options, paths ...string) (rows, columns int64, err error) {
			return estimate(ctx, o.ReadOptions, paths...)
		},
	}
}

// Bytes of a training in memory, beside the numbers of the table: for each row, and for each value.
const (
	trainingRow   = 60
	trainingValue = 2 // codes of bins, by column and by row
)

// TooLarge returns about how many bytes a training on a table takes in memory, 0 if that is within
// the limit of memory, or if the table is in a format that is not read in blocks.
func (o *TrainingFlags) TooLarge(
	ctx context.Context, c *cli.Console, paths []string,
) (bytes int64, err error) {
	options, by, err := o.blockOptions(ctx, c, paths)
	if err != nil || by == nil {
		return 0, err
	}
	rows, columns, err := by.estimate(ctx, options.Options, paths...)
	if err != nil {
		return 0, nil // reading has the same error, if it is one
	}
	if bytes = trainingBytes(rows, columns); bytes <= options.Memory.Bytes() {
		return 0, nil
	}
	return bytes, nil
}

// trainingBytes returns about how many bytes a table and a training on it take in memory.
func trainingBytes(rows, columns int64) int64 {
	return rows * ((8+trainingValue)*columns + trainingRow)
}

// QueryTooLarge reports that a training on the rows of a query, which were read into memory, takes
// more than the limit of memory.
func (o *TrainingFlags) QueryTooLarge(p *Problem, paths []string) bool {
	return slices.Contains(paths, cli.QueryOperand) &&
		trainingBytes(int64(p.Rows()), int64(len(p.Table.Columns))) > o.MemoryLimit().Bytes()
}

// blockOptions returns the options of the reader, and how its format reads blocks; nil: it does
// not.
func (o *TrainingFlags) blockOptions(
	ctx context.Context, c *cli.Console, paths []string,
) (Input, *inBlocks, error) {
	options, err := o.ReadFlags.Options(c)
	if err != nil {
		return options, nil, err
	}
	if err := o.KindFlags.apply(&options); err != nil {
		return options, nil, err
	}
	options.Ignore = o.Ignore
	if options.once(paths) {
		return options, nil, nil
	}
	files, err := source.Expand(ctx, options.Stores, paths, options.suffixes())
	if err != nil {
		return options, nil, nil // which reading reports
	}
	paths = files
	format := options.find(ctx, paths[0])
	for _, path := range paths[1:] {
		if options.find(ctx, path).name != format.name {
			return options, nil, nil // which reading refuses
		}
	}
	return options, format.blocks, nil
}

// wholeBytes is up to how many bytes a table is read as a whole, though it could be read in blocks:
// reading once is faster than reading several times.
const wholeBytes = 256 << 20

// large returns how a table is read in blocks and its files, nil if it takes no more than some
// bytes and half of the limit of memory, or if its files are not read so.
func (in *Input) large(ctx context.Context, paths []string, bytes int64) (*inBlocks, []string) {
	if in.once(paths) {
		return nil, nil
	}
	chosen, files, err := in.choose(ctx, paths)
	if err != nil || chosen.blocks == nil {
		return nil, nil // reading has the same error
	}
	rows, columns, err := chosen.blocks.estimate(ctx, in.Options, files...)
	if err != nil || 8*rows*columns <= min(bytes, in.Memory.Bytes()/2) {
		return nil, nil
	}
	return chosen.blocks, files
}

// Blocks is a table that is read in blocks. Close removes what was stored of it.
type Blocks struct {
	Table  *table.Blocks
	stored io.Closer // nil: it is in files of the user
}

// Close removes the scratch file of a query, if there is one.
func (b *Blocks) Close() error {
	if b.stored == nil {
		return nil
	}
	return b.stored.Close()
}

// OpenBlocks opens a table that is read in blocks; nil if its format is not. The rows of a query
// are stored in a scratch file of a folder.
func (o *TrainingFlags) OpenBlocks(
	ctx context.Context, c *cli.Console, paths []string, scratch string,
) (*Blocks, error) {
	options, by, err := o.blockOptions(ctx, c, paths)
	query := slices.Contains(paths, cli.QueryOperand)
	if err != nil || by == nil && !query {
		return nil, err
	}
	if len(options.Texts) > 0 {
		return nil, errors.New("--text needs the table in memory, and it is read in blocks: " +
			"raise --memory, or leave --text out")
	}
	c.Progress.Begin("reading")
	if query {
		s, err := options.query.store(ctx, options.Options.ReadOptions, scratch)
		if err != nil {
			return nil, err
		}
		return &Blocks{s.Table, s}, nil
	}
	t, err := by.open(ctx, options.Options, paths...)
	if err != nil {
		return nil, err
	}
	return &Blocks{t, nil}, nil
}

// BlockProblem is a Problem whose features are read in blocks, until it is closed.
type BlockProblem struct {
	Problem // without the values of features
	Blocks  *data.BlockDataset
	io.Closer
}

// ReadBlocks is Read for a table that is larger than memory.
func (o *TrainingFlags) ReadBlocks(
	ctx context.Context, c *cli.Console, paths []string, scratch string,
) (*BlockProblem, error) {
	t, err := o.OpenBlocks(ctx, c, paths, scratch)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, errors.New("the format is not read in blocks")
	}
	p, err := o.blockProblem(ctx, c, t)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return p, nil
}

func (o *TrainingFlags) blockProblem(
	ctx context.Context, c *cli.Console, b *Blocks,
) (*BlockProblem, error) {
	t := b.Table
	if len(t.Fields()) == 0 {
		return nil, cli.Misusef("--ignore leaves no column: leave one out of it")
	}
	all := data.Outline(*t.Schema(), t.Rows(), t.Origin())
	roles, err := o.RoleFlags.roles(c, all)
	if err != nil {
		return nil, err
	}
	ds, err := roles.ApplyBlocks(ctx, t)
	if err != nil {
		return nil, err
	}
	return &BlockProblem{Problem{&ds.Dataset, all}, ds, b}, data.CheckTrainable(&ds.Dataset)
}

// ReadsBlocks reports whether a table can be read in blocks: by its format, or as that of a query.
func (o *TrainingFlags) ReadsBlocks(ctx context.Context, c *cli.Console, paths []string) bool {
	_, by, err := o.blockOptions(ctx, c, paths)
	return err == nil && (by != nil || slices.Contains(paths, cli.QueryOperand))
}
