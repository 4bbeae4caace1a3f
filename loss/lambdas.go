package loss

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// places is how the ranks of a pair's rows decide what the pair counts.
type places uint8

const (
	notRanked         places = iota // not at all
	rankedByDiscount                // by the difference of the discounts of NDCG
	rankedByPrecision               // by the change of the mean precision
)

// lambdaMART is the loss lambdamart of some labels. What a pair counts, if the rows at ranks a < b
// changed places, is
//
//	min(|gain a - gain b|, most) * what places say * factor
type lambdaMART struct {
	*queries
	places    places
	first     int       // first places that one row of a pair must be in
	most      float64   // greatest difference of gains
	sigmoid   float64   // what differences of scores are multiplied by
	norm      bool      // as lambdaMARTLoss.Norm
	gain      []float64 // by position; rows of greater gain should come first
	factor    []float64 // by query; 0: no pair counts
	discounts []float64 // of ndcg, by rank from 0
}

// place sets the places of a query in order. Those of rankedByPrecision are in two parts. With
// hits(k) the relevant rows up to rank k, counted from 1, ranks a < b of which one is relevant
// change the mean precision, times the number of relevant rows, by
//
//	(hits(a-1) + 1) / a + sum of 1/k of the relevant ranks k between a and b - hits(b) / b
//
// early is what comes of it as the first rank, late what comes as the second.
func (o *lambdaMART) place(m *ranking) {
	n := len(m.Order)
	switch o.places {
	case rankedByDiscount:
		m.early = o.discounts[:n]
	case rankedByPrecision:
		m.late = resize(m.late, n)
		m.precision = resize(m.precision, n)
		m.early = m.precision
		hits, sum := 0.0, 0.0 // up to the rank before; sum of 1/k of relevant ranks
		for i, relevant := range m.gain {
			k := float64(i + 1)
			before := sum
			first := (hits + 1) / k
			hits += relevant
			sum += relevant / k
			m.early[i], m.late[i] = first-sum, before-hits/k
		}
	}
}

// count returns what the pair of ranks a < b counts, 0 where it does not.
func (o *lambdaMART) count(m *ranking, a, b int, factor float64) float64 {
	count := min(math.Abs(m.gain[a]-m.gain[b]), o.most)
	switch o.places {
	case rankedByDiscount:
		count *= m.early[a] - m.early[b]
	case rankedByPrecision:
		count *= math.Abs(m.early[a] + m.late[b])
	}
	return count * factor
}

// ready puts a query in order and sets what pairs need. It returns false where none counts.
func (o *lambdaMART) ready(m *ranking, k int, at []int32, raw []float64) bool {
	if len(at) < 2 || o.factor[k] == 0 {
		return false
	}
	m.Sort(at, raw)
	m.gain = resize(m.gain, len(at))
	for i, p := range m.Order {
		m.gain[i] = o.gain[p]
	}
	o.place(m)
	return true
}

// leastOdds is the least sum of odds by which odds are divided.
const leastOdds = 1e-290

func (o *lambdaMART) Gradients(g, h, raw []float64, workers int) {
	clear(g[:len(o.rows)])
	clear(h[:len(o.rows)])
	o.each(workers, func(k int, at []int32, m *ranking) {
		if !o.ready(m, k, at, raw) {
			return
		}
		m.setOdds(o.sigmoid)
		o.setNear(m)
		if m.odds[len(at)-1] > leastOdds {
			o.derive(g, h, m, k)
		} else {
			o.deriveFar(g, h, m, k)
		}
	})
}

// derive writes the derivatives of a query. Pairs are computed once, those of some rows with all
// behind them together, and are added up row by row by the ranks of the others:
//
//	rank      0 1 2 3 | 4 5 6 7 | 8 9 ...
//	rows 0-3  among     behind ........      both rows of each pair
//	rows 4-7            among     behind ..
func (o *lambdaMART) derive(g, h []float64, m *ranking, k int) {
	n := len(m.Order)
	first := min(o.first, n)
	m.g, m.h = zeros(m.g, n), zeros(m.h, n)
	l := kernel.Lambdas{Most: o.most, Factor: o.factor[k], Near: m.near}
	sum := 0.0 // of slopes without signs, by both rows of each pair
	for at := 0; at < first; at += kernel.LambdaRows {
		var r kernel.LambdaSums
		end := min(n, at+kernel.LambdaRows)
		copy(r.G[:], m.g[at:end])
		copy(r.H[:], m.h[at:end])
		copy(r.Gain[:], m.gain[at:end])
		copy(r.Score[:], m.apart[at:end])
		for j := copy(r.Odds[:], m.odds[at:end]); j < len(r.Odds); j++ {
			r.Odds[j] = 1 // of no row: any number
		}
		for j := range end - at {
			r.Weight[j] = o.weights[k]
		}
		o.among(&l, &r, m, at, at, min(first, end))
		for j := first - at; j < len(r.Weight); j++ {
			r.Weight[j] = 0 // with the ranks behind first only rows before it are pairs
		}
		o.among(&l, &r, m, at, min(first, end), end)
		sum += total(&r.Slopes)
		r.Slopes = [kernel.LambdaRows]float64{}
		o.behind(&l, &r, m, at, end)
		sum += float64(2 * total(&r.Slopes))
		copy(m.g[at:end], r.G[:])
		copy(m.h[at:end], r.H[:])
	}
	for i, p := range m.Order {
		g[p], h[p] = m.g[i], m.h[i]
	}
	o.scale(g, h, m, sum/o.weights[k])
}

// total returns the sum of the rows.
func total(x *[kernel.LambdaRows]float64) float64 { return x[0] + x[1] + x[2] + x[3] }

// setNear sets what a pair is divided by: near and the distance of its rows in apart. Without a
// norm, and where all scores are equal, that is 1.
func (o *lambdaMART) setNear(m *ranking) {
	if n := len(m.Score); o.norm && m.Score[0] != m.Score[n-1] {
		m.near, m.apart = 0.01, m.Score
	} else {
		m.none = zeros(m.none, n)
		m.near, m.apart = 1, m.none
	}
}

// scale makes derivatives by scores of those by scores times the sigmoid, and norms them by the sum
// of slopes of a query that weighs 1.
func (o *lambdaMART) scale(g, h []float64, m *ranking, sum float64) {
	norm := 1.0
	if sum = float64(sum * o.sigmoid); o.norm && sum > 0 {
		norm = kernel.Log(1+sum) / (math.Ln2 * sum)
	}
	if norm == 1 && o.sigmoid == 1 {
		return
	}
	for _, p := range m.Order {
		g[p] *= o.sigmoid * norm
		h[p] *= o.sigmoid * o.sigmoid * norm
	}
}

// zeros returns s with a length of n, all 0.
func zeros(s []float64, n int) []float64 {
	s = resize(s, n)
	clear(s)
	return s
}

// among adds the derivatives of the rows at ranks from at on, by their pairs with the ranks from
// ... to-1, which are some of them.
func (o *lambdaMART) among(l *kernel.Lambdas, r *kernel.LambdaSums, m *ranking, at, from, to int) {
	switch o.places {
	case notRanked: // |1 - 0|
		l.Add(r, m.gain[from:to], m.odds[from:to], m.onesOf(to-from), m.apart[from:to])
	case rankedByDiscount:
		copy(r.Place[:], m.early[at:])
		l.Add(r, m.gain[from:to], m.odds[from:to], m.early[from:to], m.apart[from:to])
	default: // whether a row is the first or the second of a pair decides which place counts
		zero := [1]float64{}
		for c := from; c < to; c++ {
			for j := range min(kernel.LambdaRows, len(m.Order)-at) {
				r.Place[j] = m.early[min(at+j, c)] + m.late[max(at+j, c)]
			}
			l.Add(r, m.gain[c:c+1], m.odds[c:c+1], zero[:], m.apart[c:c+1])
		}
	}
}

// behind adds the derivatives of the rows at ranks from at on and of the ranks from end on, by
// their pairs.
func (o *lambdaMART) behind(l *kernel.Lambdas, r *kernel.LambdaSums, m *ranking, at, end int) {
	place := m.early
	switch o.places {
	case notRanked:
		place = m.onesOf(len(m.Order))
	case rankedByDiscount:
		copy(r.Place[:], m.early[at:])
	default:
		place = m.late
		for j := range end - at {
			r.Place[j] = -m.early[at+j]
		}
	}
	l.AddBoth(r, m.gain[end:], m.odds[end:], place[end:], m.apart[end:], m.g[end:],
		m.h[end:])
}

// deriveFar is derive where odds may be too small to divide by their sum, pair by pair.
func (o *lambdaMART) deriveFar(g, h []float64, m *ranking, k int) {
	sum := 0.0
	for a := range min(len(m.Order)-1, o.first) {
		for b := a + 1; b < len(m.Order); b++ {
			count := o.count(m, a, b, o.factor[k]) / (m.near + math.Abs(m.apart[a]-m.apart[b]))
			if !(count > 0) {
				continue
			}
			high, low := a, b
			if m.gain[a] < m.gain[b] {
				high, low = b, a
			}
			p, q := m.odds[low], m.odds[high] // p: the fraction of the wrong order
			if s := p + q; s > leastOdds {
				p, q = p/s, q/s
			} else {
				d := o.sigmoid * (m.Score[high] - m.Score[low])
				p = 1 / (1 + kernel.Exp(d))
				q = 1 / (1 + kernel.Exp(-d))
			}
			i, j := m.Order[high], m.Order[low]
			slope := float64(o.weights[k] * count * p)
			bend := float64(slope * q)
			g[i] -= slope
			g[j] += slope
			h[i] += bend
			h[j] += bend
			sum += float64(2 * slope)
		}
	}
	o.scale(g, h, m, sum/o.weights[k])
}

func (o *lambdaMART) Value(raw []float64, workers int) float64 {
	return o.perQuery(workers, func(k int, at []int32, m *ranking) float64 {
		if !o.ready(m, k, at, raw) {
			return 0
		}
		sum := 0.0
		for a := range min(len(at)-1, o.first) {
			sum = o.addValues(sum, m, a, o.factor[k])
		}
		return sum
	})
}

// addValues adds the losses of the pairs of rank a and those behind it, pair by pair.
func (o *lambdaMART) addValues(sum float64, m *ranking, a int, factor float64) float64 {
	m.counts, m.wrong, m.far = m.counts[:0], m.wrong[:0], m.far[:0]
	for b := a + 1; b < len(m.Order); b++ {
		count := o.count(m, a, b, factor)
		if !(count > 0) {
			continue
		}
		d := o.sigmoid * (m.Score[b] - m.Score[a]) // by how much the lower row is ahead
		if m.gain[a] < m.gain[b] {
			d = -d
		}
		m.counts = append(m.counts, count)
		m.wrong = append(m.wrong, max(d, 0))
		m.far = append(m.far, -math.Abs(d))
	}
	kernel.Exps(m.far, m.far)
	kernel.Log1ps(m.far, m.far)
	for i, count := range m.counts {
		sum += float64(count * (m.wrong[i] + m.far[i]))
	}
	return sum
}
