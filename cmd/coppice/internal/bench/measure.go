package bench

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/model"
)

// measured is what was measured of a layout and a size of batches.
type measured struct {
	Batch int `json:"batch"`
	// names of layouts, with "+" between them where trees or segments have different ones; "" of
	// models that are no ensembles of trees
	Layout string  `json:"layout,omitempty"`
	Chosen bool    `json:"chosen"` // by the engine
	Calls  int     `json:"calls"`
	Rate   float64 `json:"rows_per_second"`
	PerRow float64 `json:"ns_per_row"`
	// latencies of a call, in microseconds
	P50 float64 `json:"p50_us"`
	P95 float64 `json:"p95_us"`
	P99 float64 `json:"p99_us"`
}

// measure predicts batches until the time is over. A batch that is longer than the table repeats
// its rows.
func (o *command) measure(
	ctx context.Context, p model.Predictor, f *data.Frame, batch int,
) (*measured, error) {
	predict, err := call(p, f, batch)
	if err != nil {
		return nil, err
	}
	if err := predict(); err != nil { // trees are compiled at the first use
		return nil, err
	}
	var took []time.Duration
	for start := time.Now(); len(took) < 3 ||
		time.Since(start).Seconds() < o.seconds && len(took) < 1<<22; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		begin := time.Now()
		if err := predict(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(begin))
	}
	total := kernel.Sum(took)
	slices.Sort(took)
	at := func(q float64) float64 {
		return float64(took[min(int(q*float64(len(took))), len(took)-1)].Nanoseconds()) / 1e3
	}
	rows := float64(batch * len(took))
	return &measured{Batch: batch, Calls: len(took), Rate: rows / total.Seconds(),
		PerRow: float64(total.Nanoseconds()) / rows, P50: at(.5), P95: at(.95), P99: at(.99)}, nil
}

// call returns a function that predicts the next batch.
func call(p model.Predictor, f *data.Frame, batch int) (func() error, error) {
	at, n := 0, f.Rows()
	dst := make([]float64, batch*p.Width())
	if batch > 1 {
		rows := make([]int32, batch)
		return func() error {
			for i := range rows {
				rows[i] = int32(at)
				if at++; at == n {
					at = 0
				}
			}
			return p.Predict(dst, f, rows)
		}, nil
	}
	values := make([][]float64, min(n, 1<<14))
	for i := range values {
		values[i] = make([]float64, len(f.Columns))
		for c := range f.Columns {
			values[i][c] = value(f, i, c)
		}
	}
	return func() error {
		if at++; at >= len(values) {
			at = 0
		}
		return p.PredictRow(dst, values[at])
	}, nil
}

// value returns a value as PredictRow takes it.
func value(f *data.Frame, row, column int) float64 {
	c := &f.Columns[column]
	if f.Schema.Fields[column].Kind != data.Categorical {
		return c.Number(row)
	}
	switch code := c.Code(row); {
	case code == data.MissingCode:
		return math.NaN()
	case int64(code) >= int64(len(f.Schema.Fields[column].Levels)):
		return -1
	default:
		return float64(code)
	}
}
