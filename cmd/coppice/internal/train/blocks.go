package train

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
)

// open opens the table and divides its rows into sets. The table is in memory unless the learner
// trains in blocks, and table and training do not fit. A note then gives the figures.
func (o *command) open(
	ctx context.Context, l learn.Learner, paths []string,
) (*tables.Problem, *tables.RowSets, error) {
	if !l.Capabilities().Blocks {
		if o.scratch != "" {
			return nil, nil, cli.Misusef("--scratch: %s holds the table in memory: use gbm",
				o.Called())
		}
		return o.ReadSets(ctx, o.Console, &o.TrainingFlags, paths, o.Seed)
	}
	from, err := o.Source(ctx, o.Console, paths, o.scratch)
	if err != nil {
		return nil, nil, err
	}
	bytes, err := o.tooLarge(ctx, from)
	if err != nil {
		return nil, nil, err
	}
	if bytes > 0 {
		o.noteBlocks("about "+memory.Text(bytes), "the table is read in blocks")
		return o.openBlocks(ctx, from)
	}
	if o.Ranks == nil {
		stored, err := from.Gather(ctx, o.Console)
		if err != nil {
			return nil, nil, err
		}
		if stored {
			o.noteBlocks("more than the limit", "the rows of the query are read in blocks")
			return o.openBlocks(ctx, from)
		}
	}
	p, s, err := o.ReadSets(ctx, o.Console, &o.TrainingFlags, paths, o.Seed)
	over := errors.Is(err, memory.ErrLimit) || err == nil && o.QueryTooLarge(p, paths)
	if !over || o.Ranks != nil {
		return p, s, err
	}
	if from == nil {
		return nil, nil, fmt.Errorf("%w; %s trains on larger tables if they are in files, which are "+
			"read in blocks, or in a database", err, o.Called())
	}
	o.noteBlocks("more than the limit", "the table is read in blocks")
	return o.openBlocks(ctx, from)
}

// tooLarge estimates the bytes of a training in memory, 0 = within the limit. Ranks, whose limits
// may differ, decide together.
func (o *command) tooLarge(ctx context.Context, from *tables.Source) (int64, error) {
	bytes := from.TooLarge(ctx)
	if !o.Several() {
		return bytes, nil
	}
	own := []int64{bytes}
	err := o.Ranks.Sum(ctx, own)
	if bytes == 0 {
		bytes = own[0] / int64(o.Ranks.Size())
	}
	return bytes, err
}

// noteBlocks prints a note on why the table is read in blocks.
func (o *command) noteBlocks(bytes, then string) {
	folder := o.scratch
	if folder == "" {
		folder = os.TempDir()
	}
	if o.Several() {
		o.Notice("training in memory takes %s, and the limit is %s (--memory sets it): each rank "+
			"reads the table in blocks, and keeps its own rows", bytes,
			memory.Text(o.MemoryLimit().Bytes()))
		return
	}
	o.Notice("training in memory takes %s, and the limit is %s (--memory sets it): %s, "+
		"with a scratch file in %s (--scratch sets it)", bytes,
		memory.Text(o.MemoryLimit().Bytes()), then, humanize.Name(folder))
}

// blockConflicts reports flags that need the values of the table in memory.
func (o *command) blockConflicts(valid, test tables.Fraction) error {
	for _, c := range []struct {
		wrong     bool
		what, use string
	}{
		{valid.Path != "", "--valid " + valid.Path, "--valid 0.1"},
		{test.Path != "", "--test " + test.Path, "coppice evaluate afterwards"},
		{o.more != "", "--continue", "--resume with checkpoints"},
		{o.importanceFlags.kind != "", "--importance", "coppice evaluate on a sample of the rows"},
		{len(o.missing) > 0, "--missing-error", "coppice data beforehand"},
	} {
		if c.wrong {
			return fmt.Errorf("%s needs the table in memory, and it is read in blocks: use %s, or "+
				"more --memory", c.what, c.use)
		}
	}
	return nil
}

// openBlocks is open for a table that is read in blocks.
func (o *command) openBlocks(
	ctx context.Context, from *tables.Source,
) (*tables.Problem, *tables.RowSets, error) {
	valid, test, err := o.Fractions()
	if err != nil {
		return nil, nil, err
	}
	if err := o.blockConflicts(valid, test); err != nil {
		return nil, nil, err
	}
	p, err := from.Read(ctx, o.Console)
	if err != nil {
		return nil, nil, err
	}
	s, err := tables.SplitRows(&p.Target, p.Rows(), valid, test, o.Seed)
	if err != nil {
		return nil, nil, errors.Join(err, p.Close())
	}
	return p, s, nil
}
