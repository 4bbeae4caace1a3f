package gbm

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
)

// bindsClasses reports whether the weights of classes become weights of rows before bins are made,
// so that both have the same effect. The programs that compat follows make bins without them.
func (c *Config) bindsClasses() bool { return c.ClassWeight != "" && c.own() }

// weighClasses returns the target with the weight of each row times that of its class, and the
// table with the bins of these weights, which Prepare left to Fit. Without class weights they stay
// as they are.
func (f *prepared) weighClasses(ctx context.Context, c *Config, t *data.Target,
	job learn.Job) (*prepared, *data.Target, error) {
	if !c.bindsClasses() || t.Class == nil {
		return f, t, nil
	}
	factor, err := weighting.ClassFactors(c.ClassWeight, t,
		data.Pick(t.Class, job.RowsOf(f.matrix.Rows)), nil)
	if err != nil {
		return nil, nil, err
	}
	weighed, own := *t, *f
	weighed.Weight = make([]float64, len(t.Class))
	for r, class := range t.Class {
		weighed.Weight[r] = t.WeightAt(int32(r)) * factor[class]
	}
	own.classWeighed = true
	if own.blocks != nil {
		b := *own.blocks
		b.fitted.Weight = weighed.Weight
		own.blocks = &b
		return &own, &weighed, nil
	}
	encodes, err := c.encodes(ctx, encode.InMemory(f.frame), f.matrix.Rows)
	if encodes || err != nil {
		return &own, &weighed, err
	}
	own.matrix, err = c.bin(ctx, binning{from: f.frame, rows: f.matrix.Rows,
		weight: weighed.Weight, ranks: f.env.Ranks}, job.Workers)
	return &own, &weighed, err
}
