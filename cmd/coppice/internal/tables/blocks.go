package tables

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/source"
)

// Bytes of a training in memory, beside the numbers of the table: for each row, and for each value.
const (
	trainingRow   = 60
	trainingValue = 2 // codes of bins, by column and by row
)

// Source is a table that can be read in blocks. It is opened once, and has read nothing yet.
type Source struct {
	flags   *TrainingFlags
	options Input
	table   data.Table
	query   bool   // of the rows of a query
	path    string // of the first file
}

// texts reports whether the table has columns that are read as texts.
func (s *Source) texts() bool {
	return len(s.options.Texts) > 0 || s.flags.like != nil && textual(s.flags.like)
}

// TooLarge returns about how many bytes a training on a table takes in memory, 0 if that is within
// the limit of memory, or if there is no source.
func (s *Source) TooLarge(ctx context.Context) int64 {
	if s == nil {
		return 0
	}
	rows, columns, err := s.table.Estimate(ctx)
	if err != nil {
		return 0 // reading has the same error, if it is one
	}
	if bytes := trainingBytes(rows, columns); bytes > s.options.Memory.Bytes() {
		return bytes
	}
	return 0
}

// trainingBytes returns about how many bytes a table and a training on it take in memory.
func trainingBytes(rows, columns int64) int64 {
	return rows * ((8+trainingValue)*columns + trainingRow)
}

// Gather runs the query, if the source is one, and reports whether its rows are in a scratch file,
// since they or a training on them take more than the limit of memory. Else reading has them in
// memory from then on. A table that must be in memory is left to reading.
func (s *Source) Gather(ctx context.Context, c *cli.Console) (stored bool, err error) {
	if s == nil || !s.query || s.texts() || s.flags.From != nil {
		return false, nil
	}
	c.Progress.Begin("reading")
	stored, err = s.flags.QueryFlag.gather(ctx, s.options.ReadOptions, func(rows, columns int) bool {
		return trainingBytes(int64(rows), int64(columns)) <= s.options.Memory.Bytes()
	})
	s.table = s.flags.QueryFlag.open(s.options.ReadOptions)
	return stored, err
}

// QueryTooLarge reports that a training on the rows of a query, which were read into memory, takes
// more than the limit of memory.
func (o *TrainingFlags) QueryTooLarge(p *Problem, paths []string) bool {
	return slices.Contains(paths, cli.QueryOperand) &&
		trainingBytes(int64(p.Rows()), int64(len(p.Table.Columns))) > o.MemoryLimit().Bytes()
}

// Source opens a table that can be read in blocks; nil if its files can be read once only. The rows
// of a query are stored in a scratch file of a folder.
func (o *TrainingFlags) Source(
	ctx context.Context, c *cli.Console, paths []string, scratch string,
) (*Source, error) {
	options, err := o.options(c)
	if err != nil {
		return nil, err
	}
	options.Scratch = scratch
	if slices.Contains(paths, cli.QueryOperand) {
		return &Source{o, options, options.query.open(options.Options.ReadOptions), true, paths[0]}, nil
	}
	if options.once(paths) {
		return nil, nil
	}
	files, err := source.Expand(ctx, options.Stores, paths, options.suffixes())
	if err != nil {
		return nil, nil // which reading reports
	}
	format, err := options.find(ctx, files[0])
	if err != nil {
		return nil, err
	}
	for _, path := range files[1:] {
		other, err := options.find(ctx, path)
		if err != nil || other.name != format.name {
			return nil, err // reading refuses other formats
		}
	}
	return &Source{o, options, format.open(options.Options, files...), false, files[0]}, nil
}

// wholeBytes is up to how many bytes a table is read as a whole, though it could be read in blocks:
// reading once is faster than reading several times.
const wholeBytes = 256 << 20

// large returns a table that is read in blocks; nil if it takes no more than some bytes and half of
// the limit of memory, or if its files can be read once only.
func (in *Input) large(ctx context.Context, paths []string, bytes int64) data.Table {
	if in.once(paths) {
		return nil
	}
	chosen, files, err := in.choose(ctx, paths)
	if err != nil {
		return nil // reading has the same error
	}
	t := chosen.open(in.Options, files...)
	rows, columns, err := t.Estimate(ctx)
	if err != nil || 8*rows*columns <= min(bytes, in.Memory.Bytes()/2) {
		return nil
	}
	return t
}

// Blocks is a table that is read in blocks. Close removes the scratch file of a query, if there is
// one.
type Blocks struct {
	data.Features
	io.Closer
}

// BlocksOf implements data.RegionSource.
func (b *Blocks) BlocksOf(ctx context.Context, p data.Region) iter.Seq2[data.RowBlock, error] {
	return data.BlocksOf(ctx, b.Features, p)
}

// openBlocks opens a table that is read in blocks.
func openBlocks(ctx context.Context, t data.Table) (*Blocks, error) {
	f, err := t.Blocks(ctx)
	stored, is := t.(io.Closer)
	if !is {
		stored = io.NopCloser(nil)
	}
	return &Blocks{f, stored}, err
}

// Open reads the table once, and returns it for further passes.
func (s *Source) Open(ctx context.Context, c *cli.Console) (*Blocks, error) {
	if s.texts() {
		return nil, errors.New("--text needs the table in memory, and it is read in blocks: " +
			"raise --memory, or leave --text out")
	}
	c.Progress.Begin("reading")
	return openBlocks(ctx, s.table)
}

// Read is TrainingFlags.Read for a table that is larger than memory.
func (s *Source) Read(ctx context.Context, c *cli.Console) (*Problem, error) {
	t, err := s.Open(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := s.flags.completeLike(t.Outline(), s.path); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	p, err := s.flags.blockProblem(ctx, c, t)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return p, nil
}

func (o *TrainingFlags) blockProblem(
	ctx context.Context, c *cli.Console, b *Blocks,
) (*Problem, error) {
	if len(b.Fields()) == 0 {
		return nil, cli.Misusef("--ignore leaves no column: leave one out of it")
	}
	all := b.Outline()
	roles, err := o.RoleFlags.roles(c, all)
	if err != nil {
		return nil, err
	}
	ds, err := roles.ApplyBlocks(ctx, b.Features)
	if err != nil {
		return nil, err
	}
	return &Problem{&ds.Dataset, all, ds, b}, data.CheckTrainable(&ds.Dataset)
}
