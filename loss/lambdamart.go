package loss

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/param"
)

// lambdaMARTLoss learns the order of the rows of a group (Burges 2010). The loss of a pair of rows,
// of which a has a higher label than b, is log(1 + e^(b-a)) times a factor. The factor is the
// change of Metric if the two changed places in the order of the scores:
//
//	ndcg       |2^y(a) - 2^y(b)| |1/log2(1+rank a) - 1/log2(1+rank b)| / the sum of the best order
//	           (Jarvelin & Kekalainen 2002)
//	map        the mean precision at the ranks of relevant rows, those of a label above 0
//	pairwise   1: RankNet (Burges et al. 2005), whatever the ranks
//
// With linear gains ndcg has y in place of 2^y - 1: for grades that are counts or amounts. The
// metric of rounds and of evaluation keeps 2^y - 1.
//
// Pairs whose places both come after Truncation do not count in ndcg and map, as in LightGBM, whose
// best order ends there too. Rows of equal scores are ranked in the order in which they stand. The
// derivatives are those of the sum of pairs, which Value computes, as long as no two rows change
// places.
//
// Norm divides what a pair counts by 0.01 + |a-b|, and multiplies the derivatives of a query by
// log2(1 + s) / s, where s is the sum of its rows' shares of pairs without their signs: so pairs
// that are hardly apart count most, and queries of many pairs less than these many. LightGBM does
// so (lambdarank_norm). The derivatives then are not those of Value, which has no norm.
//
// Rows of a group may be anywhere in the table. All have one weight: a group of weight 2 counts as
// two groups. The start value is 0.
type lambdaMARTLoss struct {
	Metric     string  // "ndcg", "map" or "pairwise"
	Truncation int     // first places that one row of a pair must be in; 0 = all
	Sigmoid    float64 // what differences of scores are multiplied by
	Gain       string  // of a grade y in ndcg; "exponential": 2^y - 1, "linear": y
	Norm       bool    // pairs count by the distance of scores, and queries by their logarithm
}

// Params declares metric, truncation, sigmoid, gain and norm.
func (l *lambdaMARTLoss) Params() param.Set {
	return param.Set{
		param.Choice(&l.Metric, "metric", "ndcg", []string{"ndcg", "map", "pairwise"},
			"what pairs count: by how much the metric changes if the two change places, "+
				"or all alike"),
		param.Int(&l.Truncation, "truncation", 30, 1, math.MaxInt32,
			"first places of a group that one row of a pair must be in, of ndcg and map",
			param.Zero("no limit")),
		param.Float(&l.Sigmoid, "sigmoid", 1, 0, math.Inf(1),
			"what differences of scores are multiplied by: greater ones make the loss steeper",
			param.ExcludeMin),
		param.Choice(&l.Gain, "gain", exponentialGain, []string{exponentialGain, linearGain},
			"gain of a grade y in ndcg; exponential: 2^y - 1, linear: y"),
		param.Bool(&l.Norm, "norm", false,
			"weigh pairs of close scores and queries of few pairs more, as lambdarank_norm does"),
	}
}

// The gains of grades in ndcg.
const (
	exponentialGain = "exponential"
	linearGain      = "linear"
)

// greatestGrade is the highest label of ndcg: with 2^31 all grades below are still distinct in
// sums.
const greatestGrade = 31

// Bind needs groups. Labels are grades from 0 to 31, of pairwise any numbers.
func (l *lambdaMARTLoss) Bind(t *data.Target, rows []int32) (Objective, error) {
	d := domain{"lambdamart", "from 0 to 31", isGrade}
	if l.Metric == "pairwise" {
		d.want, d.has = "that are finite", nil
	}
	q, err := bindQueries(l, t, rows, d)
	if err != nil {
		return nil, err
	}
	o := &lambdaMART{queries: q, first: l.Truncation, most: 1, sigmoid: l.Sigmoid, norm: l.Norm,
		gain:   make([]float64, len(q.y)),
		factor: make([]float64, len(q.weights))}
	if o.first == 0 || l.Metric == "pairwise" {
		o.first = math.MaxInt32
	}
	prepare := o.preparePairs
	switch l.Metric {
	case "ndcg":
		o.places, o.most = rankedByDiscount, math.Inf(1)
		o.discounts = discounts(q.largest())
		prepare = o.prepareNDCG(gainOf(l.Gain))
	case "map":
		o.places = rankedByPrecision
		prepare = o.prepareMAP
	}
	var labels []float64
	for k := range q.weights {
		at := q.at[q.from[k]:q.from[k+1]]
		labels = labels[:0]
		for _, p := range at {
			labels = append(labels, q.y[p])
		}
		slices.Sort(labels)
		o.factor[k] = prepare(at, labels)
	}
	return o, nil
}

func isGrade(y float64) bool { return y >= 0 && y <= greatestGrade }

// discounts returns 1/log2(2+rank) of ranks from 0.
func discounts(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = math.Ln2 / kernel.Log(float64(i+2))
	}
	return all
}

// gainOf returns the gain of a grade.
func gainOf(name string) func(y float64) float64 {
	if name == linearGain {
		return func(y float64) float64 { return y }
	}
	return func(y float64) float64 { return kernel.Exp2(y) - 1 }
}

// prepareNDCG returns what sets the gains of a query, whose labels ascend. That returns the factor
// of all pairs, 1 over the sum of discounted gains of the best order; 0: no pair counts.
func (o *lambdaMART) prepareNDCG(gain func(y float64) float64) func(at []int32,
	labels []float64) (factor float64) {
	return func(at []int32, labels []float64) float64 {
		for _, p := range at {
			o.gain[p] = gain(o.y[p])
		}
		sum := 0.0
		for i := range min(len(labels), o.first) {
			sum += float64(gain(labels[len(labels)-1-i]) * o.discounts[i])
		}
		return inverse(sum)
	}
}

// prepareMAP is what sets the gains of map, whose factor is 1 over the number of relevant rows.
func (o *lambdaMART) prepareMAP(at []int32, _ []float64) (factor float64) {
	hits := 0.0
	for _, p := range at {
		if o.y[p] > 0 {
			o.gain[p] = 1
			hits++
		}
	}
	return inverse(hits)
}

// preparePairs is what sets the gains of pairwise. They are the numbers of the distinct labels,
// ascending: those that differ do so by at least 1.
func (o *lambdaMART) preparePairs(at []int32, labels []float64) (factor float64) {
	distinct := slices.Compact(labels)
	for _, p := range at {
		i, _ := slices.BinarySearch(distinct, o.y[p])
		o.gain[p] = float64(i)
	}
	return 1
}

// inverse returns 1/x, and 0 for 0.
func inverse(x float64) float64 {
	if x > 0 {
		return 1 / x
	}
	return 0
}
