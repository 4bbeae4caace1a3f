package loss

import (
	"cmp"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// coxLoss is minus the log of the partial likelihood of proportional hazards e^x (Cox 1972): of
// each row whose event was observed, the log of the sum of hazards of all rows that had not left
// before, minus the row's score. Rows whose events were observed at the same time have the same sum
// (Breslow 1974), in which a row of weight 2 is two rows.
//
// The response is the hazard, in proportion to that of score 0: the greater it is, the earlier is
// the event. A constant that is added to all scores changes nothing, and the start value is 0. With
// equal times XGBoost's survival:cox leaves terms of the sums out.
type coxLoss struct{ fixed }

// Bind takes times of 0 or more, and whether the event of each row was observed: of none that it
// was not, if Target.Event is nil.
func (l *coxLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	c, err := gather(l, t, rows)
	if err != nil {
		return nil, err
	}
	y, err := c.oneNumber(t, domain{"cox", "of 0 or more, and a column of events",
		func(y float64) bool { return y >= 0 }})
	if err != nil {
		return nil, err
	}
	if t.Upper != nil {
		return nil, &LabelError{-1, "loss=cox takes no upper ends of times: use loss=aft"}
	}
	o := &cox{cases: c, event: make([]float64, len(rows))}
	seen := 0.0
	for i, r := range rows {
		w := c.weightAt(i)
		if w == 0 {
			continue
		}
		o.order = append(o.order, int32(i))
		if t.Event == nil || t.Event[r] != 0 {
			o.event[i] = w
			seen += w
		}
	}
	if seen == 0 {
		return nil, &LabelError{-1, "loss=cox needs rows whose event was seen, there are none"}
	}
	slices.SortFunc(o.order,
		func(a, b int32) int { return cmp.Or(cmp.Compare(y[a], y[b]), cmp.Compare(a, b)) })
	for k, p := range o.order {
		if k == 0 || y[p] > y[o.order[k-1]] {
			o.times = append(o.times, int32(k))
		}
	}
	o.times = append(o.times, int32(len(o.order)))
	return o, nil
}

// cox stores rows by their times.
//
//	order    4 0 | 2 | 1 3 5      positions by time, those of weight 0 left out
//	times    0     2   3     6    where each time starts
type cox struct {
	cases
	event        []float64 // by position: the weight of rows whose event was seen, else 0
	order, times []int32
}

func (o *cox) Outputs() int         { return 1 }
func (o *cox) Link() link.Link      { return link.Hazard() }
func (o *cox) Weight() float64      { return o.total }
func (o *cox) Init(start []float64) { start[0] = 0 }

// scaled is the number factor * e^top, for sums of e^x that may overflow.
type scaled struct{ factor, top float64 }

// add adds weight e^x.
func (s *scaled) add(weight, x float64) {
	if s.factor == 0 {
		s.factor, s.top = weight, x
		return
	}
	if x > s.top {
		s.factor *= kernel.Exp(s.top - x)
		s.top = x
	}
	s.factor += float64(weight * kernel.Exp(x-s.top))
}

// log returns the logarithm.
func (s *scaled) log() float64 { return s.top + kernel.Log(s.factor) }

// times returns the number times weight e^x.
func (s *scaled) times(weight, x float64) float64 {
	if s.factor == 0 {
		return 0
	}
	return weight * s.factor * kernel.Exp(x+s.top)
}

// atRisk returns, for each time, the log of the sum of hazards of the rows that had not left
// before.
func (o *cox) atRisk(raw []float64) []float64 {
	logs := make([]float64, len(o.times)-1)
	var sum scaled
	for k := len(logs) - 1; k >= 0; k-- {
		for _, p := range o.order[o.times[k]:o.times[k+1]] {
			sum.add(o.weightAt(int(p)), raw[p])
		}
		logs[k] = sum.log()
	}
	return logs
}

// Gradients runs through the times forwards: a row that leaves at a time was at risk at all events
// up to it. With S the sum of hazards at risk at an event, of weight e, it has had
//
//	g = w e^x sum of e / S - e      h = w e^x sum of e / S - (w e^x)^2 sum of e / S^2
func (o *cox) Gradients(g, h, raw []float64, _ int) {
	clear(g[:len(o.rows)])
	clear(h[:len(o.rows)])
	logs := o.atRisk(raw)
	var once, twice scaled
	for k, log := range logs {
		at := o.order[o.times[k]:o.times[k+1]]
		events := 0.0
		for _, p := range at {
			events += o.event[p]
		}
		if events > 0 {
			once.add(events, -log)
			twice.add(events, -2*log)
		}
		for _, p := range at {
			w := o.weightAt(int(p))
			fraction := once.times(w, raw[p])
			g[p] = fraction - o.event[p]
			h[p] = max(0, fraction-twice.times(float64(w*w), 2*raw[p]))
		}
	}
}

func (o *cox) Value(raw []float64, _ int) float64 {
	sum := 0.0
	for k, log := range o.atRisk(raw) {
		for _, p := range o.order[o.times[k]:o.times[k+1]] {
			sum += float64(o.event[p] * (log - raw[p]))
		}
	}
	return sum / o.total
}
