package source

import (
	"context"
	"iter"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// Format is a format of tables whose reader has no options of its own.
type Format struct {
	Suffixes []string
	Reader   func() Reader // a new one for every pass
	Text     bool          // a file is read from its start to its end
	// Size returns about how many rows and columns a file has; Estimate alone needs it.
	Size func(ctx context.Context, o *data.ReadOptions, s *Source) (rows, columns int64, err error)
}

// BinaryFormat returns the format of a reader. The function returns about how many rows and columns
// a file has, which is open.
func BinaryFormat(
	suffixes []string, r Binary,
	size func(b *table.Builder, f *File) (rows, columns int64, err error),
) *Format {
	return &Format{Suffixes: suffixes, Reader: func() Reader { return r },
		Size: func(
			ctx context.Context, o *data.ReadOptions, s *Source,
		) (rows, columns int64, err error) {
			b, err := table.NewBuilder(o, nil)
			if err != nil {
				return 0, 0, err
			}
			b.Begin(s.Name)
			sizing := r
			sizing.Read = func(_ context.Context, b *table.Builder, f *File) (err error) {
				rows, columns, err = size(b, f)
				return err
			}
			err = sizing.Add(ctx, b, s)
			return rows, columns, err
		}}
}

// ReadTable makes a table of files, as Read does.
func (f *Format) ReadTable(
	ctx context.Context, o data.ReadOptions, paths ...string,
) (*table.Table, error) {
	return Read(ctx, &o, paths, f.Suffixes, f.Reader())
}

// ReadBytes makes the frame of one source in memory, as Read makes that of a file of its name. It
// keeps no reference to b.
func (f *Format) ReadBytes(
	ctx context.Context, o data.ReadOptions, name string, b []byte,
) (*data.Frame, error) {
	return table.FrameOf(Build(ctx, &o, table.Tokens(&o, nil), []Source{Bytes(name, b)}, f.Reader()))
}

// Tables yields the tables of consecutive rows of files, which together are what Read makes of
// them: for data.ReadOptions.Schema, which decides on all columns but verbatim ones. The first
// error is the last that is yielded. Where the format is text, standard input is not held in
// memory.
func (f *Format) Tables(
	ctx context.Context, o data.ReadOptions, paths ...string,
) iter.Seq2[*table.Table, error] {
	return func(yield func(*table.Table, error) bool) {
		open := All
		if f.Text {
			open = AllOnce
		}
		sources, err := open(ctx, &o, paths, f.Suffixes)
		if err == nil {
			err = f.tables(ctx, &o, table.Tokens(&o, nil), nil, sources, yield)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (f *Format) tables(
	ctx context.Context, o *data.ReadOptions, tokens []string, wanted *data.Region, sources []Source,
	yield func(*table.Table, error) bool,
) error {
	return table.PassOn(o, tokens, wanted, func(t *table.Table) bool { return yield(t, nil) },
		func(b *table.Builder) error { return add(ctx, b, o, sources, f.Reader()) })
}

// OpenBlocks reads the files once, for the kinds of columns, their dictionaries and the number of
// rows. Where a column turns out to hold texts behind the first rows, they are read twice.
func (f *Format) OpenBlocks(
	ctx context.Context, o data.ReadOptions, paths ...string,
) (*table.Blocks, error) {
	sources, err := All(ctx, &o, paths, f.Suffixes)
	if err != nil {
		return nil, err
	}
	if err := table.CheckBlocks(&o); err != nil {
		return nil, err
	}
	tokens := table.Tokens(&o, nil)
	found, rows, err := table.Find(&o, tokens, func(b *table.Builder) error {
		return add(ctx, b, &o, sources, f.Reader())
	})
	if err != nil {
		return nil, err
	}
	return table.NewBlocks(&o, tokens, found, rows,
		func(ctx context.Context, o *data.ReadOptions, wanted *data.Region) iter.Seq2[*table.Table, error] {
			return func(yield func(*table.Table, error) bool) {
				if err := f.tables(ctx, o, tokens, wanted, sources, yield); err != nil {
					yield(nil, err)
				}
			}
		}), nil
}

// Estimate returns about how many rows and columns files have together, by the first one and the
// sizes of all.
func (f *Format) Estimate(
	ctx context.Context, o data.ReadOptions, paths ...string,
) (rows, columns int64, err error) {
	sources, err := All(ctx, &o, paths, f.Suffixes)
	if err != nil {
		return 0, 0, err
	}
	size := int64(0)
	for i := range sources {
		size += sources[i].Size
	}
	first := &sources[0]
	if rows, columns, err = f.Size(ctx, &o, first); err != nil {
		return 0, 0, err
	}
	return int64(float64(rows) * float64(size) / float64(max(1, first.Size))), columns, nil
}
