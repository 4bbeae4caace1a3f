package loss

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// quantileLoss is the pinball loss of one quantile or several at once, each an output of its own
// (Koenker & Bassett 1978): level (y - x) where y >= x, else (1 - level) (x - y). Start values and
// the best values of leaves are quantiles of the labels. The second derivative is 0 almost
// everywhere; 1 replaces it.
//
// Quantiles of a row do not cross: the link puts its scores into ascending order, which never makes
// the sum of losses greater (Chernozhukov, Fernandez-Val & Galichon 2010). Derivatives and Value
// are those of the scores before.
type quantileLoss struct {
	Levels string // ascending levels between 0 and 1, such as "0.1,0.5,0.9"
}

// Params declares quantiles.
func (l *quantileLoss) Params() param.Set {
	return param.Set{param.Text(&l.Levels, "quantiles", "0.5",
		"ascending levels between 0 and 1, such as 0.1,0.5,0.9",
		func(s string) error { _, err := levels(s); return err },
		"levels of the quantiles to predict, an output for each")}
}

func levels(text string) ([]float64, error) {
	var all []float64
	last := 0.0
	for field := range strings.SplitSeq(text, ",") {
		p, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is no number", field)
		case !(p > 0 && p < 1):
			return nil, fmt.Errorf("%s is not between 0 and 1", field)
		case p <= last:
			return nil, errors.New("levels do not ascend")
		}
		all, last = append(all, p), p
	}
	return all, nil
}

// Bind takes all numbers, of one label.
func (l *quantileLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	o, err := numbersByRow(l, nil, t, rows, domain{loss: "quantile", want: "that are finite"},
		link.Ascending())
	if err != nil {
		return nil, err
	}
	if len(o.y) > 1 {
		return nil,
			&LabelError{-1, fmt.Sprintf("loss=quantile needs one label, there are %d", len(o.y))}
	}
	y := o.y[0]
	o.losses, o.y = nil, nil
	all, err := levels(l.Levels)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		o.losses, o.y = append(o.losses, pinball{p, 1}), append(o.y, y)
	}
	return quantiles{shifting{o}, all}, nil
}

// LeafRows returns the rows that a leaf needs for one of them to lie beyond each quantile: below
// that its quantile is the least, or the greatest, label of those that chose the leaf.
func (l *quantileLoss) LeafRows() int {
	all, err := levels(l.Levels)
	if err != nil {
		return 1
	}
	return int(math.Ceil(1/min(all[0], 1-all[len(all)-1]) - 1e-9))
}

type quantiles struct {
	shifting
	levels []float64
}

func (o quantiles) Quantiles() []float64 { return o.levels }

// pinball is a pinball loss times a factor.
type pinball struct{ level, factor float64 }

func (f pinball) derive(g, h, y, raw []float64) {
	below, above := -f.level*f.factor, (1-f.level)*f.factor
	for i, x := range raw {
		h[i] = 1
		switch {
		case x < y[i]:
			g[i] = below
		case x > y[i]:
			g[i] = above
		default:
			g[i] = 0
		}
	}
}

func (f pinball) evaluate(v, y, raw []float64) {
	below, above := f.level*f.factor, (1-f.level)*f.factor
	for i, x := range raw {
		v[i] = max(below*(y[i]-x), above*(x-y[i]))
	}
}

func (f pinball) start(c *cases, y []float64) float64 { return c.quantile(y, f.level) }
