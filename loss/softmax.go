package loss

import (
	"fmt"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// softmaxLoss is the log loss of K classes, an output for each: log of the sum of e^x[k], minus the
// score of the row's class. Start values are the logs of the class frequencies, at least -36. Where
// p is a class's probability the second derivative is p (1-p).
//
// With Curvature "friedman" K / (K-1) times that replaces it, as in Friedman 2001 and in LightGBM.
// Steps are made for all outputs at once. So they are Newton's for two classes, and for K of equal
// probabilities. With "xgboost" it is twice that, as in XGBoost, whose steps are shorter.
type softmaxLoss struct {
	Curvature string // "friedman" or "xgboost"
}

// Params declares curvature.
func (l *softmaxLoss) Params() param.Set {
	return param.Set{param.Choice(&l.Curvature, "curvature", "friedman",
		[]string{"friedman", "xgboost"},
		"what p (1-p) is multiplied by to make the second derivative: friedman = K / (K-1) of K "+
			"classes, xgboost = 2")}
}

// Bind takes labels of classes.
func (l *softmaxLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
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
func (o *softmax) Link() link.Link { return link.Softmax() }
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

// softmaxRows is the number of rows whose classes are computed at once.
const softmaxRows = 128

// softmaxScratch is memory for the numbers of some rows: one array for each class, and of all
// classes together.
type softmaxScratch struct {
	p   []float64
	top [softmaxRows]float64
	sum [softmaxRows]float64

	own, others [softmaxRows]float64 // probabilities of the rows' own classes and of all others
}

var softmaxScratches = sync.Pool{New: func() any { return new(softmaxScratch) }}

// class returns the numbers of a class.
func (m *softmaxScratch) class(k, rows int) []float64 { return m.p[k*softmaxRows:][:rows] }

// fill makes m.p the powers e^(x - the row's highest) of some rows, at most softmaxRows, m.top the
// highest scores and m.sum the sums of the powers, from the first class to the last. All is as in
// link.Softmax.
func (o *softmax) fill(m *softmaxScratch, raw []float64, from, to int) {
	n, rows := len(o.rows), to-from
	m.p = resize(m.p, o.classes*softmaxRows)
	top, sum := m.top[:rows], m.sum[:rows]
	copy(top, raw[from:to])
	for k := 1; k < o.classes; k++ {
		kernel.RaiseTo(top, raw[k*n+from:])
	}
	clear(sum)
	for k := range o.classes {
		p := m.class(k, rows)
		kernel.Below(p, raw[k*n+from:], top)
		kernel.Exps(p, p)
		kernel.AddFloats(sum, p)
	}
}

func (o *softmax) Gradients(g, h, raw []float64, workers int) {
	n := len(o.rows)
	inBlocks(n, workers,
		func(_, from, to int) {
			m := softmaxScratches.Get().(*softmaxScratch)
			defer softmaxScratches.Put(m)
			for ; from < to; from += softmaxRows {
				d := outputsOfRows{g[from:], h[from:], n}
				o.derive(m, &d, raw, from, min(to, from+softmaxRows))
			}
		})
}

// outputsOfRows is derivatives of some rows: those of output k from element k*stride on.
type outputsOfRows struct {
	g, h   []float64
	stride int
}

// derive writes the derivatives of some rows, at most softmaxRows. It takes the probability of the
// row's own class minus 1 as minus the sum of the others, which keeps its digits.
func (o *softmax) derive(m *softmaxScratch, d *outputsOfRows, raw []float64, from, to int) {
	o.fill(m, raw, from, to)
	rows := to - from
	for k := range o.classes {
		kernel.Probabilities(d.g[k*d.stride:][:rows], d.h[k*d.stride:], m.class(k, rows), m.sum[:],
			o.factor)
	}
	own := m.takeOwn(o.class[from:to], d)
	for k := range o.classes {
		kernel.AddFloats(m.others[:rows], d.g[k*d.stride:])
	}
	for i, p := range own {
		at := int(o.class[from+i])*d.stride + i
		d.g[at] = p
		switch sure := !(m.sum[i] >= 2); { // a probability may be above 1/2
		case p > 0.5 && sure:
			d.h[at] = o.factor * p * m.others[i]
		case sure:
			o.deriveSure(d, i)
		}
		if p <= 0.5 {
			d.g[at] = -(1 - p)
		} else {
			d.g[at] = -m.others[i]
		}
	}
	for k := range o.classes {
		o.weigh(d.g[k*d.stride:][:rows], d.h[k*d.stride:][:rows], from)
	}
}

// takeOwn takes the probabilities of the rows' own classes out of g, where 0 is left, and returns
// them. It clears the sums of the others.
func (m *softmaxScratch) takeOwn(class []uint32, d *outputsOfRows) []float64 {
	own := m.own[:len(class)]
	for i, k := range class {
		at := int(k)*d.stride + i
		own[i], d.g[at] = d.g[at], 0
	}
	clear(m.others[:len(class)])
	return own
}

// deriveSure writes the second derivative of a class of a probability above 1/2, given those of a
// row.
func (o *softmax) deriveSure(d *outputsOfRows, row int) {
	for k := range o.classes {
		if p := d.g[k*d.stride+row]; p > 0.5 {
			d.h[k*d.stride+row] = o.factor * p * o.others(d, k, row)
		}
	}
}

// others returns the sum of a row's probabilities, which are in place of g, of all classes but one.
func (o *softmax) others(d *outputsOfRows, class, row int) float64 {
	rest := 0.0
	for j := range o.classes {
		if j != class {
			rest += d.g[j*d.stride+row]
		}
	}
	return rest
}

func (o *softmax) Value(raw []float64, workers int) float64 { return valueOf(o, raw, workers) }

// Sums implements Summed.
func (o *softmax) Sums(raw []float64, from, to, workers int) []float64 {
	n := len(o.rows)
	return o.sums(from, to, workers, func(v []float64, from, to int) {
		m := softmaxScratches.Get().(*softmaxScratch)
		defer softmaxScratches.Put(m)
		for at := from; at < to; at += softmaxRows {
			end := min(to, at+softmaxRows)
			o.fill(m, raw, at, end)
			for i := range end - at {
				own := raw[int(o.class[at+i])*n+at+i]
				v[at-from+i] = max(0, m.top[i]-own+kernel.Log(m.sum[i]))
			}
		}
	})
}
