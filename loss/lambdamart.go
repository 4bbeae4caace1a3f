package loss

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/param"
)

// LambdaMART learns the order of the rows of a group (Burges 2010). The loss of a pair of rows, of
// which a has a higher label than b, is log(1 + e^(b-a)) times a factor. The factor is the change
// of Metric if the two changed places in the order of the scores:
//
//	ndcg       |2^y(a) - 2^y(b)| |1/log2(1+rank a) - 1/log2(1+rank b)| / the sum of the best order
//	           (Jarvelin & Kekalainen 2002)
//	map        the mean precision at the ranks of relevant rows, those of a label above 0
//	pairwise   1: RankNet (Burges et al. 2005), whatever the ranks
//
// Pairs whose places both come after Truncation do not count in ndcg and map, as in LightGBM, whose
// best order ends there too. Rows of equal scores are ranked in the order in which they stand. The
// derivatives are those of the sum of pairs, which Value computes, as long as no two rows change
// places.
//
// Rows of a group may be anywhere in the table. All have one weight: a group of weight 2 counts as
// two groups. The start value is 0.
type LambdaMART struct {
	Metric     string // "ndcg", "map" or "pairwise"
	Truncation int    // first places that one row of a pair must be in; 0 = all
}

// Params declares metric and truncation.
func (l *LambdaMART) Params() param.Set {
	return param.Set{
		param.Choice(&l.Metric, "metric", "ndcg", []string{"ndcg", "map", "pairwise"},
			"what pairs count: by how much the metric changes if the two change places, "+
				"or all alike"),
		param.Int(&l.Truncation, "truncation", 30, 1, math.MaxInt32,
			"first places of a group that one row of a pair must be in, of ndcg and map",
			param.Zero("no limit")),
	}
}

// greatestGrade is the highest label of ndcg: with 2^31 all grades below are still distinct in
// sums.
const greatestGrade = 31

// Bind needs groups. Labels are grades from 0 to 31, of pairwise any numbers.
func (l *LambdaMART) Bind(t *data.Target, rows []int32) (Objective, error) {
	d := domain{"lambdamart", "from 0 to 31", isGrade}
	if l.Metric == "pairwise" {
		d.want, d.has = "that are finite", nil
	}
	q, err := bindQueries(l, t, rows, d)
	if err != nil {
		return nil, err
	}
	o := &lambdaMART{queries: q, first: l.Truncation, gain: make([]float64, len(q.y))}
	if o.first == 0 || l.Metric == "pairwise" {
		o.first = math.MaxInt32
	}
	switch l.Metric {
	case "ndcg":
		o.rank = o.rankForNDCG
		o.discount()
	case "map":
		o.rank = o.rankForMAP
	default:
		o.rank = rankForPairs
		copy(o.gain, q.y)
		return o, nil
	}
	for i, y := range q.y {
		if l.Metric == "ndcg" {
			o.gain[i] = kernel.Exp2(y) - 1
		} else if y > 0 {
			o.gain[i] = 1
		}
	}
	return o, nil
}

func isGrade(y float64) bool { return y >= 0 && y <= greatestGrade }

type lambdaMART struct {
	*queries
	first int // first places that one row of a pair must be in
	// by position; rows of greater gain should come first
	gain      []float64
	discounts []float64 // of ndcg, by rank from 0
	// prepares what a query's pairs count; false: no pair counts
	rank func(m *ranking) (ready bool)
}

// ranking is a query in the order of its scores.
type ranking struct {
	order  []int32   // positions
	x      []float64 // scores, from the highest
	gain   []float64
	odds   []float64 // e^(x - the highest)
	factor float64   // of all pairs

	place []float64 // ndcg: discounts of ranks; map: see rankForMAP
	swap  func(m *ranking, a, b int) float64
}

// discount tabulates 1/log2(2+rank) for the largest query.
func (o *lambdaMART) discount() {
	most := int32(0)
	for k := range o.weights {
		most = max(most, o.from[k+1]-o.from[k])
	}
	o.discounts = discounts(int(most))
}

// discounts returns 1/log2(2+rank) of ranks from 0.
func discounts(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = math.Ln2 / kernel.Log(float64(i+2))
	}
	return all
}

// sort puts a query in order.
func (m *ranking) sort(o *lambdaMART, at []int32, raw []float64) {
	m.order = append(m.order[:0], at...)
	slices.SortStableFunc(m.order, func(a, b int32) int { return cmp.Compare(raw[b], raw[a]) })
	m.x, m.gain, m.odds = m.x[:0], m.gain[:0], m.odds[:0]
	for _, p := range m.order {
		m.x = append(m.x, raw[p])
		m.gain = append(m.gain, o.gain[p])
		m.odds = append(m.odds, kernel.Exp(raw[p]-m.x[0]))
	}
}

// rankForNDCG sets the factor to 1 over the sum of discounted gains of the best order.
func (o *lambdaMART) rankForNDCG(m *ranking) bool {
	best := slices.Clone(m.gain)
	slices.Sort(best)
	slices.Reverse(best)
	sum := 0.0
	for i, gain := range best[:min(len(best), o.first)] {
		sum += float64(gain * o.discounts[i])
	}
	m.factor, m.place, m.swap = 1/sum, o.discounts, swapNDCG
	return sum > 0
}

func swapNDCG(m *ranking, a, b int) float64 {
	return math.Abs(m.gain[a]-m.gain[b]) * (m.place[a] - m.place[b])
}

// rankForMAP prepares the change of the mean precision if the rows at places a < b, of which one is
// relevant, change theirs. With hits(k) the relevant rows up to place k, counted from 1,
//
//	(hits(a-1) + 1) / a + sum of 1/k of the relevant places k between a and b - hits(b) / b
//
// divided by the number of relevant rows. place holds, for each place, what comes of it as the
// first and as the second.
func (o *lambdaMART) rankForMAP(m *ranking) bool {
	m.place = m.place[:0]
	hits, sum := 0.0, 0.0 // up to the place before; sum of 1/k of relevant places
	for i, relevant := range m.gain {
		k := float64(i + 1)
		before := sum
		first := (hits + 1) / k
		hits += relevant
		sum += relevant / k
		m.place = append(m.place, first-sum, before-hits/k)
	}
	m.factor, m.swap = 1/hits, swapMAP
	return hits > 0
}

func swapMAP(m *ranking, a, b int) float64 { return math.Abs(m.place[2*a] + m.place[2*b+1]) }

func rankForPairs(m *ranking) bool {
	m.factor, m.swap = 1, func(*ranking, int, int) float64 { return 1 }
	return true
}

// pairs calls work for every pair of a query that counts: the places of the better row and of the
// worse one.
func (o *lambdaMART) pairs(
	m *ranking, at []int32, raw []float64, work func(high, low int, count float64),
) {
	if len(at) < 2 {
		return
	}
	m.sort(o, at, raw)
	if !o.rank(m) {
		return
	}
	for a := range min(len(at)-1, o.first) {
		for b := a + 1; b < len(at); b++ {
			if m.gain[a] == m.gain[b] {
				continue
			}
			high, low := a, b
			if m.gain[a] < m.gain[b] {
				high, low = b, a
			}
			if count := m.swap(m, a, b) * m.factor; count > 0 {
				work(high, low, count)
			}
		}
	}
}

func (o *lambdaMART) Gradients(g, h, raw []float64, workers int) {
	clear(g[:len(o.rows)])
	clear(h[:len(o.rows)])
	o.each(workers, func(k int, at []int32, m *ranking) {
		w := o.weights[k]
		o.pairs(m, at, raw, func(high, low int, count float64) {
			p, q := m.odds[low], m.odds[high] // p: the fraction of the wrong order
			if s := p + q; s > 1e-290 {
				p, q = p/s, q/s
			} else {
				p = 1 / (1 + kernel.Exp(m.x[high]-m.x[low]))
				q = 1 / (1 + kernel.Exp(m.x[low]-m.x[high]))
			}
			i, j := m.order[high], m.order[low]
			slope := float64(w * count * p)
			bend := float64(slope * q)
			g[i] -= slope
			g[j] += slope
			h[i] += bend
			h[j] += bend
		})
	})
}

func (o *lambdaMART) Value(raw []float64, workers int) float64 {
	return o.perQuery(workers, func(_ int, at []int32, m *ranking) float64 {
		sum := 0.0
		o.pairs(m, at, raw, func(high, low int, count float64) {
			d := m.x[low] - m.x[high]
			sum += float64(count * (max(d, 0) + kernel.Log1p(kernel.Exp(-math.Abs(d)))))
		})
		return sum
	})
}
