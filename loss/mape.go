package loss

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// mapeLoss is the absolute error as a fraction of the label, |y - x| / max(|y|, Least). It is
// absolute with weights divided by that, and has its medians and its 1 for the second derivative,
// divided too.
type mapeLoss struct {
	Least float64 // labels nearer to 0 count as this far from it; 0: a label of 0 is refused
}

// Params declares least.
func (l *mapeLoss) Params() param.Set {
	return param.Set{param.Float(&l.Least, "least", 0, 0, math.MaxFloat64,
		"labels nearer to 0 count as this far from it", param.Zero("a label of 0 is refused"))}
}

// Bind takes numbers other than 0, of one label. The total weight stays that of the rows.
func (l *mapeLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	d := domain{"mape", "other than 0 unless least is set",
		func(y float64) bool { return !math.IsInf(1/max(math.Abs(y), l.Least), 0) }}
	o, err := numbersByRow(l, pinball{0.5, 2}, t, rows, d, link.Identity())
	if err != nil {
		return nil, err
	}
	if len(o.y) > 1 {
		return nil,
			&LabelError{-1, fmt.Sprintf("loss=mape needs one label, there are %d", len(o.y))}
	}
	weight := make([]float64, len(rows))
	for i, y := range o.y[0] {
		weight[i] = o.weightAt(i) / max(math.Abs(y), l.Least)
	}
	o.weight = weight
	return shifting{o}, nil
}
