package loss

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// Softmax is the log loss of K classes, an output for each: log of the sum of e^x[k], minus the
// score of the row's class. Start values are the logs of the class frequencies, at least -36. Where
// p is a class's probability the second derivative is p (1-p).
//
// With Curvature "friedman" K / (K-1) times that replaces it, as in Friedman 2001 and in LightGBM.
// Steps are made for all outputs at once. So they are Newton's for two classes, and for K of equal
// probabilities. With "xgboost" it is twice that, as in XGBoost, whose steps are shorter.
type Softmax struct {
	Curvature string // "friedman" or "xgboost"
}

// Params declares curvature.
func (l *Softmax) Params() param.Set {
	return param.Set{param.Choice(&l.Curvature, "curvature", "friedman",
		[]string{"friedman", "xgboost"},
		"what p (1-p) is multiplied by to make the second derivative: friedman = K / (K-1) of K "+
			"classes, xgboost = 2")}
}

// Bind takes labels of classes.
func (l *Softmax) Bind(t *data.Target, rows []int32) (Objective, error) {
	c, err := gather(l, t, rows)
	if err != nil {
		return nil, err
	}
	o := &softmax{cases: c, classes: len(t.Classes), class: make([]uint32, len(rows)), factor: 2}
	if t.Class == nil || o.classes == 0 {
		return nil, &LabelError{-1, "loss=softmax needs labels of classes"}
	}
	for i, r := range rows {
		if o.class[i] = t.Class[r]; int(o.class[i]) >= o.classes {
			return nil,
				&LabelError{int(r), fmt.Sprintf("loss=softmax: class %d of %d", o.class[i],
					o.classes)}
		}
	}
	if l.Curvature != "xgboost" {
		o.factor = float64(o.classes) / float64(max(o.classes-1, 1))
	}
	return o, nil
}

type softmax struct {
	cases
	classes int
	class   []uint32
	factor  float64 // of the second derivatives
}

func (o *softmax) Outputs() int    { return o.classes }
func (o *softmax) Link() link.Link { return link.Softmax{} }
func (o *softmax) Weight() float64 { return o.total }

func (o *softmax) Init(start []float64) {
	clear(start)
	for i, k := range o.class {
		start[k] += o.weightAt(i)
	}
	for k := range start {
		start[k] = max(kernel.Log(start[k]/o.total), -certain)
	}
}

// Gradients takes the probability of the row's own class minus 1 as minus the sum of the others,
// which keeps its digits.
func (o *softmax) Gradients(g, h, raw []float64, workers int) {
	n := len(o.rows)
	inBlocks(n, workers, func(_, from, to int) {
		p := make([]float64, o.classes)
		for i := from; i < to; i++ {
			own, w := int(o.class[i]), o.weightAt(i)
			for k := range p {
				p[k] = raw[k*n+i]
			}
			link.Softmax{}.Apply(p)
			for k := range p {
				rest := 1 - p[k]
				if p[k] > 0.5 {
					rest = 0
					for j := range p {
						if j != k {
							rest += p[j]
						}
					}
				}
				at := k*n + i
				g[at], h[at] = w*p[k], w*(o.factor*p[k]*rest)
				if k == own {
					g[at] = -w * rest
				}
			}
		}
	})
}

func (o *softmax) Value(raw []float64, workers int) float64 {
	n := len(o.rows)
	return o.average(workers, func(v []float64, from, to int) {
		for i := from; i < to; i++ {
			own := raw[int(o.class[i])*n+i]
			top := own
			for k := range o.classes {
				top = max(top, raw[k*n+i])
			}
			sum := 0.0
			for k := range o.classes {
				sum += kernel.Exp(raw[k*n+i] - top)
			}
			v[i-from] = max(0, top-own+kernel.Log(sum))
		}
	})
}
