package source

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// Format is how sources of one format become a table. What is nil the format cannot do.
type Format struct {
	Name     string   // for messages
	Suffixes []string // of the files that are read of a folder
	Text     bool     // a file is read from its start to its end

	Read   func(ctx context.Context, o *data.ReadOptions, sources []Source) (*data.RowBlock, error)
	Blocks func(ctx context.Context, o *data.ReadOptions, sources []Source) (data.Features, error)
	Stream func(ctx context.Context, o *data.ReadOptions, sources []Source,
		pass func(*data.RowBlock) bool) error
	// Size returns about how many rows and columns the first source has.
	Size func(ctx context.Context, o *data.ReadOptions, s *Source) (rows, columns int64, err error)
}

// Open returns the table of some files, which is a data.Table; "-" is standard input.
func (f *Format) Open(o data.ReadOptions, paths []string) data.Table {
	return &files{f, o, paths}
}

// files is a table of files of one format.
type files struct {
	*Format
	options data.ReadOptions
	paths   []string
}

func (t *files) Frame(ctx context.Context) (*data.Frame, error) {
	made, err := t.Read(ctx)
	if err != nil {
		return nil, err
	}
	return made.Frame, nil
}

func (t *files) Read(ctx context.Context) (*data.RowBlock, error) {
	sources, err := t.sources(ctx, false)
	if err != nil {
		return nil, err
	}
	return t.Format.Read(ctx, &t.options, sources)
}

func (t *files) Stream(ctx context.Context) iter.Seq2[*data.RowBlock, error] {
	return func(yield func(*data.RowBlock, error) bool) {
		if t.Format.Stream == nil {
			yield(t.Read(ctx))
			return
		}
		sources, err := t.sources(ctx, t.Text)
		if err == nil {
			err = t.Format.Stream(ctx, &t.options, sources,
				func(b *data.RowBlock) bool { return yield(b, nil) })
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (t *files) Blocks(ctx context.Context) (data.Features, error) {
	if t.Format.Blocks == nil {
		return nil, fmt.Errorf("tables of %s are held in memory, not read in blocks: %w", t.Name,
			errors.ErrUnsupported)
	}
	sources, err := t.sources(ctx, false)
	if err != nil {
		return nil, err
	}
	if err := table.CheckBlocks(&t.options); err != nil {
		return nil, err
	}
	return t.Format.Blocks(ctx, &t.options, sources)
}

func (t *files) Estimate(ctx context.Context) (rows, columns int64, err error) {
	if t.Size == nil {
		return 0, 0, nil
	}
	sources, err := t.sources(ctx, false)
	if err != nil {
		return 0, 0, err
	}
	size := int64(0)
	for i := range sources {
		size += sources[i].Size
	}
	first := &sources[0]
	if rows, columns, err = t.Size(ctx, &t.options, first); err != nil {
		return 0, 0, err
	}
	return int64(float64(rows) * float64(size) / float64(max(1, first.Size))), columns, nil
}

// sources opens the files. Those that are read once are not held in memory.
func (t *files) sources(ctx context.Context, once bool) ([]Source, error) {
	sources, err := All(ctx, &t.options, t.paths, t.Suffixes, once)
	for i := range sources {
		sources[i].Encoding = t.options.Encoding
	}
	return sources, err
}

// ByRows returns the format of readers that add their rows to a builder, a new one for every pass.
// In it no word means a missing value unless the options require it.
func ByRows(f Format, reader func() Reader) *Format {
	f.Read = func(
		ctx context.Context, o *data.ReadOptions, sources []Source,
	) (*data.RowBlock, error) {
		return Build(ctx, o, table.Tokens(o, nil), sources, reader())
	}
	f.Stream = func(
		ctx context.Context, o *data.ReadOptions, sources []Source, pass func(*data.RowBlock) bool,
	) error {
		return passOn(ctx, o, nil, sources, pass, reader())
	}
	f.Blocks = func(
		ctx context.Context, o *data.ReadOptions, sources []Source,
	) (data.Features, error) {
		tokens := table.Tokens(o, nil)
		found, rows, err := table.Find(o, tokens, func(b *table.Builder) error {
			return add(ctx, b, o, sources, reader())
		})
		if err != nil {
			return nil, err
		}
		return table.Blocks(o, tokens, found, rows, func(
			ctx context.Context, o *data.ReadOptions, wanted *data.Region,
			pass func(*data.RowBlock) bool,
		) error {
			return passOn(ctx, o, wanted, sources, pass, reader())
		}), nil
	}
	return &f
}

func passOn(
	ctx context.Context, o *data.ReadOptions, wanted *data.Region, sources []Source,
	pass func(*data.RowBlock) bool, r Reader,
) error {
	return table.PassOn(o, table.Tokens(o, nil), wanted, pass,
		func(b *table.Builder) error { return add(ctx, b, o, sources, r) })
}

// BinaryFormat returns the format of a reader. The function returns about how many rows and columns
// a file has, which is open.
func BinaryFormat(
	name string, suffixes []string, r Binary,
	size func(b *table.Builder, f *File) (rows, columns int64, err error),
) *Format {
	return ByRows(Format{Name: name, Suffixes: suffixes, Size: func(
		ctx context.Context, o *data.ReadOptions, s *Source,
	) (rows, columns int64, err error) {
		b, err := table.NewBuilder(o, nil)
		if err != nil {
			return 0, 0, err
		}
		b.Begin(s.Name, nil)
		sizing := r
		sizing.Read = func(_ context.Context, b *table.Builder, f *File) (err error) {
			rows, columns, err = size(b, f)
			return err
		}
		err = sizing.Add(ctx, b, s)
		return rows, columns, err
	}}, func() Reader { return r })
}
