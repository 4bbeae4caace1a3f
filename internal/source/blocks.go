package source

import (
	"context"
	"iter"

	"github.com/coppice-ml/coppice/data/table"
)

// Format is what reading tables in blocks needs to know of their format.
type Format struct {
	Suffixes []string
	Reader   func() Reader // a new one for every pass
	Text     bool          // a file is read from its start to its end
}

// Tables yields the tables of consecutive rows of files, which together are what Read makes of
// them: for table.Options.Schema, which decides on all columns but verbatim ones. The first error
// is the last that is yielded. Where the format is text, standard input is not held in memory.
func (f *Format) Tables(
	ctx context.Context, o table.Options, paths ...string,
) iter.Seq2[*table.Table, error] {
	return func(yield func(*table.Table, error) bool) {
		open := All
		if f.Text {
			open = AllOnce
		}
		sources, err := open(ctx, &o, paths, f.Suffixes)
		if err == nil {
			err = f.tables(ctx, &o, o.Tokens(nil), sources, yield)
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

func (f *Format) tables(
	ctx context.Context, o *table.Options, tokens []string, sources []Source,
	yield func(*table.Table, error) bool,
) error {
	return table.PassOn(o, tokens, func(t *table.Table) bool { return yield(t, nil) },
		func(b *table.Builder) error { return add(ctx, b, o, sources, f.Reader()) })
}

// OpenBlocks reads the files once, for the kinds of columns, their dictionaries and the number of
// rows. Where a column turns out to hold texts behind the first rows, they are read twice.
func (f *Format) OpenBlocks(
	ctx context.Context, o table.Options, paths ...string,
) (*table.Blocks, error) {
	sources, err := All(ctx, &o, paths, f.Suffixes)
	if err != nil {
		return nil, err
	}
	if err := o.CheckBlocks(); err != nil {
		return nil, err
	}
	tokens := o.Tokens(nil)
	found, rows, err := table.Find(&o, tokens, func(b *table.Builder) error {
		return add(ctx, b, &o, sources, f.Reader())
	})
	if err != nil {
		return nil, err
	}
	return table.NewBlocks(&o, tokens, found, rows,
		func(ctx context.Context, o *table.Options) iter.Seq2[*table.Table, error] {
			return func(yield func(*table.Table, error) bool) {
				if err := f.tables(ctx, o, tokens, sources, yield); err != nil {
					yield(nil, err)
				}
			}
		}), nil
}

// Estimate returns about how many rows and columns files have together, by what a function returns
// of the first one and by their sizes.
func (f *Format) Estimate(
	ctx context.Context, o table.Options, of func(s *Source) (rows, columns int64, err error),
	paths ...string,
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
	if rows, columns, err = of(first); err != nil {
		return 0, 0, err
	}
	return int64(float64(rows) * float64(size) / float64(max(1, first.Size))), columns, nil
}
