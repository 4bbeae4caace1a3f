package loss

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// aftLoss is minus the log likelihood of accelerated failure times: the log of the time is x +
// Sigma Z, where Z has the distribution of Distribution (Barnwal, Cho & Hocking 2022; XGBoost's
// survival:aft). A row whose event was observed at time t counts the density at t. A row whose time
// lies between two times counts the probability of that.
//
// The response is e^x, a time: of normal and logistic Z the median. The start value is searched for
// among the times, up to 36 Sigma beyond. XGBoost bounds derivatives to [-15, 15]; these are not
// bounded.
type aftLoss struct {
	Distribution string  // "normal", "logistic" or "extreme"
	Sigma        float64 // scale of the log of times
}

// Params declares distribution and sigma.
func (l *aftLoss) Params() param.Set {
	return param.Set{
		param.Choice(&l.Distribution, "distribution", "normal",
			[]string{"normal", "logistic", "extreme"},
			"of the log of times around the score; extreme = of the least of many"),
		param.Float(&l.Sigma, "sigma", 1, 0, math.MaxFloat64,
			"scale of the log of times around the score", param.ExcludeMin),
	}
}

// Bind takes times above 0 where the event was observed; without Target.Upper and Target.Event all
// were. Where Event is 0 the time lies above Y. With Upper it lies between Y, of 0 or more, and
// Upper, which may be +Inf; equal ends are an observed time. Upper and Event together are an error.
func (l *aftLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	c, err := gather(l, t, rows)
	if err != nil {
		return nil, err
	}
	y, err := c.oneNumber(t, domain{"aft", "of 0 or more", func(y float64) bool { return y >= 0 }})
	if err != nil {
		return nil, err
	}
	if t.Upper != nil && t.Event != nil {
		return nil, &LabelError{-1, "loss=aft: labels have both upper ends and events: " +
			"leave one out"}
	}
	o := &aft{cases: c, sigma: l.Sigma, low: y, high: make([]float64, len(y))}
	switch l.Distribution {
	case "normal":
		o.z = normalTimes{}
	case "logistic":
		o.z = logisticTimes{}
	default:
		o.z = extremeTimes{}
	}
	for i, r := range rows {
		high := y[i]
		switch {
		case t.Upper != nil:
			high = t.Upper[r]
		case t.Event != nil && t.Event[r] == 0:
			high = math.Inf(1)
		}
		switch {
		case !(high >= y[i]):
			return nil, &LabelError{int(r), fmt.Sprintf("loss=aft needs upper ends of labels "+
				"that are no less than the lower ones, this is %g to %g", y[i], high)}
		case high == 0:
			return nil, &LabelError{int(r), "loss=aft needs times above 0 where the event was " +
				"seen, this is 0"}
		}
		o.low[i], o.high[i] = kernel.Log(y[i]), kernel.Log(high)
	}
	return o, nil
}

// lifetimes is a distribution of Z. Its methods return the minus log of something at z and the
// first two derivatives of that.
type lifetimes interface {
	density(z float64) (v, d1, d2 float64)
	above(z float64) (v, d1, d2 float64) // the probability of more than z
	below(z float64) (v, d1, d2 float64) // the probability of less than z
}

type aft struct {
	cases
	z         lifetimes
	sigma     float64
	low, high []float64 // logs of times, by position; equal where the event was seen
}

func (o *aft) Outputs() int    { return 1 }
func (o *aft) Link() link.Link { return link.Exp() }
func (o *aft) Weight() float64 { return o.total }

// of returns the loss of a position and its derivatives by x.
func (o *aft) of(i int, x float64) (v, g, h float64) {
	low, high := (o.low[i]-x)/o.sigma, (o.high[i]-x)/o.sigma
	switch {
	case o.low[i] == o.high[i]:
		v, g, h = o.z.density(low)
		v += kernel.Log(o.sigma) + o.low[i]
	case math.IsInf(low, -1) && math.IsInf(high, 1):
		return 0, 0, 0
	case math.IsInf(high, 1):
		v, g, h = o.z.above(low)
	case math.IsInf(low, -1):
		v, g, h = o.z.below(high)
	default:
		v, g, h = between(o.z, low, high)
	}
	return v, -g / o.sigma, h / o.sigma / o.sigma
}

// between returns minus the log of the probability P of low < Z < high, from the tail in which it
// lies. With f the density, its derivative by both ends is
//
//	-(f(high) - f(low)) / P      and again: (s(high) f(high) - s(low) f(low)) / P + its square
//
// where s is the derivative of -log f.
func between(z lifetimes, low, high float64) (v, d1, d2 float64) {
	small, _, _ := z.below(low)
	large, _, _ := z.below(high)
	if above, _, _ := z.above(low); above > large {
		small, _, _ = z.above(high)
		large = above
	}
	v = large - kernel.Log(-expm1(large-small))
	fHigh, sHigh, _ := z.density(high)
	fLow, sLow, _ := z.density(low)
	a, b := kernel.Exp(v-fHigh), kernel.Exp(v-fLow)
	d1 = b - a
	return v, d1, max(0, float64(sHigh*a)-float64(sLow*b)+float64(d1*d1))
}

// expm1 returns e^x - 1 for x <= 0, accurate also near 0.
func expm1(x float64) float64 {
	if x < -0.5 {
		return kernel.Exp(x) - 1
	}
	sum, term := 0.0, 1.0
	for k := 1; k < 18; k++ {
		term = float64(term * (x / float64(k)))
		sum += term
	}
	return sum
}

func (o *aft) Init(start []float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range o.low {
		if o.weightAt(i) == 0 {
			continue
		}
		for _, t := range []float64{o.low[i], o.high[i]} {
			if !math.IsInf(t, 0) {
				low, high = min(low, t), max(high, t)
			}
		}
	}
	if low > high { // nothing is known of any row
		start[0] = 0
		return
	}
	reach := float64(certain * o.sigma)
	start[0] = level(low-reach, high+reach, low+float64((high-low)*0.5),
		func(x float64) (slope, bend float64) {
			for i := range o.low {
				if w := o.weightAt(i); w > 0 {
					_, g, h := o.of(i, x)
					slope += float64(w * g)
					bend += float64(w * h)
				}
			}
			return slope, bend
		})
}

func (o *aft) Gradients(g, h, raw []float64, workers int) {
	inBlocks(len(o.rows), workers, func(_, from, to int) {
		for i := from; i < to; i++ {
			_, g[i], h[i] = o.of(i, raw[i])
		}
		o.weigh(g[from:to], h[from:to], from)
	})
}

func (o *aft) Value(raw []float64, workers int) float64 { return valueOf(o, raw, workers) }

// Sums implements Summed.
func (o *aft) Sums(raw []float64, from, to, workers int) []float64 {
	return o.sums(from, to, workers, func(v []float64, from, to int) {
		for i := from; i < to; i++ {
			v[i-from], _, _ = o.of(i, raw[i])
		}
	})
}
