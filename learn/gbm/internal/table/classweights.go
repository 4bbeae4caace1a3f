package table

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
)

// bindsClasses reports whether the weights of classes become weights of rows before bins are made,
// so that both have the same effect. The programs that compat follows make bins without them.
func (c *Config) bindsClasses(weights data.ClassWeight) bool { return weights.Given() && c.Own() }

// WeighClasses returns the target with the weight of each row times that of its class, and the
// table with the bins of these weights, which Prepare left to Fit. Without class weights they stay
// as they are.
func (f *Prepared) WeighClasses(ctx context.Context, c *Config, weights data.ClassWeight,
	t *data.Target, job learn.Job) (*Prepared, *data.Target, error) {
	if !c.bindsClasses(weights) || t.Class == nil {
		return f, t, nil
	}
	factor, err := weighting.ClassFactors(weights, t,
		data.Pick(t.Class, job.RowsOf(f.Matrix.Rows)), nil)
	if err != nil {
		return nil, nil, err
	}
	weighed, own := *t, *f
	weighed.Weight = weighting.Times(t.Weight, t.Class, factor)
	own.ClassWeighed = true
	if own.Blocks != nil {
		b := *own.Blocks
		b.fitted.Weight = weighed.Weight
		own.Blocks = &b
		return &own, &weighed, nil
	}
	encodes, err := f.Encodes(ctx, c)
	if encodes || err != nil {
		return &own, &weighed, err
	}
	return &own, &weighed, own.bin(ctx, c, weighed.Weight, job.Workers)
}
