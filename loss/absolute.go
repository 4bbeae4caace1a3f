package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// absoluteLoss is the absolute error |y - x|, for one label or several. The start value and the
// best values of leaves are medians, of an even number of rows the lower one. The second derivative
// is 0 almost everywhere; 1 replaces it.
type absoluteLoss struct{ fixed }

// Bind takes all numbers.
func (l *absoluteLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	o, err := numbersByRow(l, pinball{0.5, 2}, t, rows,
		domain{loss: "absolute", want: "that are finite"}, link.Identity())
	if err != nil {
		return nil, err
	}
	return shifting{o}, nil
}
