package sample

import "github.com/coppice-ml/coppice/param"

// Everything grows all trees on all rows.
type Everything struct{}

// Params declares nothing.
func (*Everything) Params() param.Set { return nil }

// Bind accepts any rows.
func (w *Everything) Bind(rows int, group []int64) (GradientSampler, error) {
	if err := checkGradient(w, rows, group); err != nil {
		return nil, err
	}
	return allOnce{}, nil
}
