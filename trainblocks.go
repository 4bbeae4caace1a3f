package coppice

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
)

// TrainBlocks is Train for a table that need not fit into memory: its features are read in blocks,
// several times. data.Roles.ApplyBlocks makes the data set.
//
//	table, err := csvdata.Open(csvdata.Options{}, "clicks.csv.zst").Blocks(ctx)
//	ds, err := data.Label("clicked").ApplyBlocks(ctx, table)
//	m, err := coppice.TrainBlocks(ctx, gbm.New(), ds, coppice.Memory(2<<30))
//
// In memory are the labels, what the learner needs for each row, and as much of the table in bins
// as the limit of memory leaves; the rest is in a scratch file, which is removed at the end. A
// validation set is a choice of rows (Job.Valid), not one of its own. The other errors are those of
// Train and of reading.
func TrainBlocks(
	ctx context.Context, l learn.Learner, ds *data.BlockDataset, options ...Option,
) (model.Model, error) {
	var t training
	for _, o := range options {
		o(&t)
	}
	if t.separate {
		return nil, errors.New("Validation: a table in blocks has no validation set of its own: " +
			"use Job.Valid")
	}
	if _, err := t.on(&ds.Dataset); err != nil {
		return nil, err
	}
	if t.weight != nil {
		ds.Target.Weight = t.weight
	}
	env := t.surroundings()
	if err := env.CheckMemory(l, &ds.Target, &t.job); err != nil {
		return nil, err
	}
	target := ds.Target
	target.ChoosePositive(t.job.Rows)
	from := ds.Hashing(data.InOrder(t.job.Rows))
	f, err := l.Prepare(ctx, from, t.job.Rows, target.Weight, env)
	if err != nil {
		return nil, err
	}
	m, err := f.Fit(ctx, &target, t.job)
	if m == nil {
		return nil, err
	}
	var hash data.Hash
	if ranks.Of(t.env.Ranks).Rank() == 0 {
		hash = from.Hash()
	}
	if err == nil && ranks.Of(t.env.Ranks).Size() > 1 { // others have not read all rows
		hash, err = sameHash(ctx, t.env.Ranks, hash)
	}
	m.Spec().TrainedOn = &model.TrainedOn{Seed: t.job.Seed, Table: hash}
	return m, err
}

// sameHash returns the hash that the first rank has, on every rank.
func sameHash(ctx context.Context, g ranks.Group, h data.Hash) (data.Hash, error) {
	own, err := h.MarshalText()
	if err != nil {
		return h, err
	}
	if own, err = g.Broadcast(ctx, 0, own); err != nil {
		return h, err
	}
	err = h.UnmarshalText(own)
	return h, err
}
