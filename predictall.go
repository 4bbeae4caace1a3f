package coppice

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/internal/parallel"
)

// rowsAtOnce is the number of rows that a goroutine of PredictAll predicts before it takes more.
const rowsAtOnce = 256

// PredictAll predicts rows on all processors, in their order. The error is that of Predict for the
// first row that has one, with its number from 1, or that of the context.
func (p *Predictor[T]) PredictAll(ctx context.Context, rows []T) ([]Prediction, error) {
	all := make([]Prediction, len(rows))
	blocks := (len(rows) + rowsAtOnce - 1) / rowsAtOnce
	err := parallel.Try(ctx, parallel.Workers(0), blocks, func(_, block int) error {
		for i := block * rowsAtOnce; i < min(len(rows), (block+1)*rowsAtOnce); i++ {
			if err := p.PredictInto(&all[i], &rows[i]); err != nil {
				return fmt.Errorf("row %d: %w", i+1, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
