package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/memory"
)

// inBlocks reports whether training reads the table in blocks: if the learner can, and if table and
// training do not fit into memory. A note gives the figures.
func (o *command) inBlocks(ctx context.Context, l learn.Learner, paths []string) (bool, error) {
	if !l.Capabilities().Blocks {
		if o.scratch != "" {
			return false, cli.Misusef("--scratch: %s holds the table in memory: use gbm", o.Called())
		}
		return false, nil
	}
	bytes, err := o.TrainingFlags.TooLarge(ctx, o.Console, paths)
	if err == nil && o.Several() { // whose limits of memory may differ
		own := []int64{bytes}
		if err = o.Ranks.Sum(ctx, own); bytes == 0 {
			bytes = own[0] / int64(o.Ranks.Size())
		}
	}
	if err != nil || bytes == 0 {
		return false, err
	}
	o.noteBlocks("about "+memory.Text(bytes), "the table is read in blocks")
	return true, nil
}

// noteBlocks prints a note on why the table is read in blocks.
func (o *command) noteBlocks(bytes, then string) {
	folder := o.scratch
	if folder == "" {
		folder = os.TempDir()
	}
	if o.Several() {
		o.Note("training in memory takes %s, and the limit is %s (--memory sets it): each rank "+
			"reads the table in blocks, and keeps its own rows", bytes,
			memory.Text(o.MemoryLimit().Bytes()))
		return
	}
	o.Note("training in memory takes %s, and the limit is %s (--memory sets it): %s, "+
		"with a scratch file in %s (--scratch sets it)", bytes,
		memory.Text(o.MemoryLimit().Bytes()), then, humanize.Name(folder))
}

// beyondMemory trains on a table that turned out to be larger than memory, for the reason of an
// error.
func (o *command) beyondMemory(
	ctx context.Context, l learn.Learner, paths []string, over error,
) error {
	if !o.ReadsBlocks(ctx, o.Console, paths) {
		return fmt.Errorf("%w; %s trains on larger tables if they are in files of CSV, Parquet, "+
			"Arrow or JSON lines, which are read in blocks, or in a database", over, o.Called())
	}
	then := "the table is read in blocks"
	if slices.Contains(paths, cli.QueryOperand) {
		then = "the query runs again, and its rows are read in blocks"
	}
	o.noteBlocks("more than the limit", then)
	return o.runBlocks(ctx, l, paths)
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

// runBlocks is run for a table that is read in blocks.
func (o *command) runBlocks(
	ctx context.Context, l learn.Learner, paths []string,
) (err error) {
	valid, test, err := o.Fractions()
	if err != nil {
		return err
	}
	if err := o.blockConflicts(valid, test); err != nil {
		return err
	}
	p, err := o.TrainingFlags.ReadBlocks(ctx, o.Console, paths, o.scratch)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	s, err := tables.SplitRows(&p.Target, p.Rows(), valid, test, o.Seed)
	if err != nil {
		return err
	}
	if err := o.policyFlags.apply(&p.Problem); err != nil {
		return err
	}
	o.ReadFlags.StoreTokens(&p.Schema)
	o.choosePositive(&p.Target, s.Train)
	o.Progress.Begin("training")
	job := learn.Job{Rows: s.Train, Valid: s.Valid, Seed: o.Seed, Workers: o.Threads,
		Observe: o.startFlags.observe(o.Progress), Start: o.start}
	options := []coppice.Option{coppice.Job(job), coppice.Memory(int64(o.MemoryLimit())),
		coppice.Scratch(o.scratch)}
	if o.Several() {
		options = append(options, coppice.Ranks(o.Ranks))
	}
	m, err := coppice.Train(ctx, l, p.Blocks, options...)
	if err != nil {
		return o.ended(ctx, cli.Located(err, p.Frame), m)
	}
	if !o.Leads() {
		return nil
	}
	r, err := o.report(ctx, l, m, p.Blocks, s)
	if err != nil {
		return err
	}
	return o.end(r, m, &p.Problem, paths)
}
