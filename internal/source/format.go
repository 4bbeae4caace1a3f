package source

import (
	"context"
	"iter"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// Format is how sources of one format become a table.
type Format struct {
	Name     string   // for messages
	Suffixes []string // of the files that are read of a folder
	Missing  []string // means a missing value unless the options have other texts
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
		sources[i].Encoding, sources[i].Decoders = t.options.Encoding, t.options.Decoders
	}
	return sources, err
}

// ByRows returns the format of readers that add their rows to a builder, a new one for every pass.
// Each gets the options of the table, while the schema of a pass is the builder's.
func ByRows(f Format, reader func(o *data.ReadOptions) Reader) *Format {
	f.Read = func(
		ctx context.Context, o *data.ReadOptions, sources []Source,
	) (*data.RowBlock, error) {
		b, err := table.NewBuilder(o, table.Tokens(o, f.Missing))
		if err != nil {
			return nil, err
		}
		if err := add(ctx, b, o, sources, reader(o)); err != nil {
			return nil, err
		}
		return b.Table()
	}
	f.Stream = func(
		ctx context.Context, o *data.ReadOptions, sources []Source, pass func(*data.RowBlock) bool,
	) error {
		return table.PassOn(o, table.Tokens(o, f.Missing), nil, pass,
			func(b *table.Builder) error { return add(ctx, b, o, sources, reader(o)) })
	}
	f.Blocks = func(
		ctx context.Context, o *data.ReadOptions, sources []Source,
	) (data.Features, error) {
		tokens := table.Tokens(o, f.Missing)
		found, rows, err := table.Find(o, tokens, func(b *table.Builder) error {
			return add(ctx, b, o, sources, reader(o))
		})
		if err != nil {
			return nil, err
		}
		return table.Blocks(o, tokens, found, rows, func(
			ctx context.Context, own *data.ReadOptions, wanted *data.Region,
			pass func(*data.RowBlock) bool,
		) error {
			return table.PassOn(own, tokens, wanted, pass,
				func(b *table.Builder) error { return add(ctx, b, own, sources, reader(o)) })
		}), nil
	}
	return &f
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
	}}, func(*data.ReadOptions) Reader { return r })
}
