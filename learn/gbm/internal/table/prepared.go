package table

import (
	"context"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/scratch"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
)

// Prepared is a table in bins.
type Prepared struct {
	Frame *data.Frame
	// without columns where categories get target statistics, which depend on the labels of a Fit
	Matrix *bins.Matrix
	Blocks *blocks // has the values, which frame has not; nil: frame has them
	// rows of weight 0 among those given to Prepare, which matrix has not
	weightless int
	// the target's weights have the weights of classes
	ClassWeighed bool
	Env          learn.Env
}

// Prepare puts some rows of a frame in bins, nil = all, of which each rank puts some columns. A
// table that is read in blocks gets its bins in a Fit, and then frame has no values. So does one
// whose bins depend on labels: by target statistics, and by weights of classes, as they are given.
// encodes reports whether categories get target statistics.
func Prepare(ctx context.Context, f *data.Frame, inBlocks data.RowSource, rows []int32,
	weight []float64, env learn.Env, c *Config,
	classWeights data.ClassWeight) (p *Prepared, encodes bool, err error) {
	distinct := data.Distinct
	if inBlocks != nil { // of so many rows that a copy is too much
		distinct = data.InOrder
	}
	rows = f.Chosen(distinct(rows))
	given := len(rows)
	if c.dropsWeightless() {
		rows = data.WithWeight(weight, rows)
	}
	p = &Prepared{Frame: f, Matrix: &bins.Matrix{Rows: rows}, weightless: given - len(rows),
		Env: env}
	if inBlocks != nil {
		p.Blocks = &blocks{from: inBlocks, fitted: bins.Rows{Rows: rows, Weight: weight}}
		return p, false, nil
	}
	encodes, err = c.encodes(ctx, encode.InMemory(f), rows)
	if encodes || err != nil || c.bindsClasses(classWeights) {
		return p, encodes, err
	}
	return p, false, p.bin(ctx, c, weight, env.Workers)
}

// bin puts the columns in bins, by the weights of all rows of the frame.
func (p *Prepared) bin(ctx context.Context, c *Config, weight []float64, workers int) error {
	m, err := c.bin(ctx, binning{from: p.Frame, rows: p.Matrix.Rows, weight: weight,
		ranks: p.Env.Ranks}, workers)
	if err == nil {
		p.Matrix = m
	}
	return err
}

// InBins returns the table with its columns in bins, by the weights of all rows of the frame, nil =
// all 1. Where it is in bins, or has no columns, it is the table itself.
func (p *Prepared) InBins(ctx context.Context, c *Config, weight []float64,
	workers int) (*Prepared, error) {
	if len(p.Matrix.Columns) > 0 || len(p.Frame.Columns) == 0 {
		return p, nil
	}
	own := *p
	return &own, own.bin(ctx, c, weight, workers)
}

// Subset returns the table of some rows alone, which is not in bins.
func (p *Prepared) Subset(rows []int32) *Prepared {
	own := *p
	own.Frame = p.Frame.Subset(rows)
	own.Matrix = &bins.Matrix{Rows: data.AllRows(len(rows))}
	return &own
}

// Encodes reports whether a training on all prepared rows computes target statistics.
func (p *Prepared) Encodes(ctx context.Context, c *Config) (bool, error) {
	return c.encodes(ctx, encode.InMemory(p.Frame), p.Matrix.Rows)
}

// Encoding returns how a training on some rows splits categories. AutoEncoding is returned where
// no column has any.
func (p *Prepared) Encoding(ctx context.Context, c *Config, rows []int32) (Encoding, error) {
	if c.Categories != AutoEncoding || !HasCategories(p.Frame.Schema.Fields) {
		return c.Categories, nil
	}
	many, err := manyCategories(ctx, encode.InMemory(p.Frame), rows)
	if many {
		return TargetEncoding, err
	}
	return NativeEncoding, err
}

// WithFile returns a table that is read in blocks with a file for its codes.
func (p *Prepared) WithFile(file *scratch.File) *Prepared {
	own, in := *p, *p.Blocks
	in.file, own.Blocks = file, &in
	return &own
}
