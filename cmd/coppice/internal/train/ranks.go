package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/ranks"
)

// train trains the model, on all ranks together. They divide the rows of gbm, and the trees of
// forests; other learners are trained on every rank.
func (o *command) train(
	ctx context.Context, l learn.Learner, ds data.AnyDataset, job learn.Job,
) (model.Model, error) {
	options := append(o.storedFlags.options(), coppice.Job(job),
		coppice.Memory(int64(o.MemoryLimit())), coppice.Scratch(o.scratch))
	if !o.Several() {
		return coppice.Train(ctx, l, ds, options...)
	}
	merge := l.Capabilities().Merge
	if merge == nil || o.shard != "" || job.OutOfBag != nil {
		return coppice.Train(ctx, l, ds, append(options, coppice.Ranks(o.Ranks))...)
	}
	shard := fmt.Sprintf("shard=%d/%d", o.Ranks.Rank()+1, o.Ranks.Size())
	if err := l.Params().Set([]string{shard}); err != nil {
		return nil, cli.Misuse(err)
	}
	if l.Capabilities().Conflicts != nil { // early stopping needs all trees in their order
		if err := l.Params().Set([]string{"shard="}); err != nil {
			return nil, cli.Misuse(err)
		}
		return coppice.Train(ctx, l, ds, options...)
	}
	m, err := coppice.Train(ctx, l, ds, options...)
	if err != nil {
		return nil, err
	}
	shards, err := gather(ctx, o.Ranks, m)
	if err != nil {
		return nil, err
	}
	whole, unseen, err := merge(shards)
	if err == nil {
		_, err = complete(ctx, whole, unseen)
	}
	return whole, err
}

// gather returns the models of all ranks.
func gather(ctx context.Context, g ranks.Group, m model.Model) ([]model.Model, error) {
	var own bytes.Buffer
	if err := native.Encode(&own, m); err != nil {
		return nil, err
	}
	files, err := g.Gather(ctx, own.Bytes())
	if err != nil {
		return nil, err
	}
	models := make([]model.Model, len(files))
	for i, b := range files {
		if models[i], err = native.Decode(bytes.NewReader(b), int64(len(b)),
			codec.Limits{}); err != nil {
			return nil, fmt.Errorf("the trees of rank %d: %w", i, err)
		}
	}
	return models, nil
}

// ended is what the end of a training by an error leaves behind, which one rank writes. Operations
// of ranks return the cause of a cancelled context, which cli.Main prints before what is left.
func (o *command) ended(ctx context.Context, err error, m model.Model) error {
	if !o.Leads() {
		return err
	}
	if ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) {
		err = ctx.Err()
	}
	return o.startFlags.ended(err, m, o.output)
}
