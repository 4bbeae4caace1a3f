package relations

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
)

func onValues() []relation {
	return []relation{
		{name: "shifted numbers", says: "A column of numbers plus 64 changes nothing.",
			within: rounding, lacks: needsNumbers, sides: changedTable(mapped(func(x float64) float64 {
				return x + 64
			})), except: []exception{{of: "svm", within: 0.01, why: tolerance}}},
		{name: "scaled numbers", says: "A column of numbers times 8 changes nothing.",
			within: rounding, lacks: needsNumbers, sides: changedTable(mapped(func(x float64) float64 {
				return 8 * x
			})), except: []exception{
				{of: "gbm/linear", why: "the penalty of equations in leaves is in units of the column"},
			}},
		{name: "negated numbers", says: "The negative of a column changes no prediction of a training " +
			"row.", within: rounding, lacks: needsNumbers,
			sides: changedRows(mapped(func(x float64) float64 { return -x })), except: []exception{
				{of: "forest forest/quantiles gbm/goss " + randomSplits, chance: true, why: sidesTurned},
				{of: networks, chance: true, why: initial},
				{of: "bag bag/columns anyboost/searched calibrate stack stack/blend vote/ranks portfolio " +
					"gbm/chosen cart", why: outOfSample},
				{of: "rules", why: dropped},
				{of: "c45", why: "pruning raises subtrees, which then part other rows"},
				{of: "cart/surrogate", why: "of surrogates that agree as often the first is taken"},
				{of: "gbm", task: data.Ranking, why: gradientless},
				{of: "gbm", task: data.Survival, why: gradientless},
				{of: "gbm/target", why: ownStatistics},
				{of: "svm", within: 0.01, why: tolerance},
			}},
		{name: "monotone map", says: "The cubes of a column change no prediction of a training row.",
			within: rounding, lacks: needsNumbers,
			sides: changedRows(mapped(func(x float64) float64 { return float64(x*x*x) + x })),
			except: []exception{
				{of: encoded + foldedVectors + "bayes gbm/linear", why: "distances, variances and slopes count"},
				{of: "rules", why: dropped},
				{of: randomSplits, why: "random split points are uniform between the values"},
				{of: "bag bag/columns forest forest/quantiles anyboost/searched calibrate cart",
					why: outOfSample},
			}},
		{name: "sparse columns", says: "Sparse columns, whose absent values are zeros or missing, make " +
			"the same model as dense ones.", lacks: needsNumbers, sides: sparseColumns},
		{name: "single precision", says: "Columns in single precision make the same model where it " +
			"holds the numbers.", lacks: needsNumbers, sides: func(c *trial) (got, want []float64) {
			t := c.weighed
			m := c.fit(t.with(single(t.Frame)))
			c.sameBytes(m, c.of(t))
			return c.everywhere(m, t, single), c.everywhere(c.of(t), t, unchanged)
		}},
		{name: "dates", says: "A model of the parts of dates predicts the same for the dates.",
			lacks: needsNumbers, sides: dates},
	}
}

func needsNumbers(c *trial) string {
	if c.Needs.Categorical {
		return "the learner refuses numbers"
	}
	return ""
}

// sparseColumns trains on tables of which one value in eight is present, dense and sparse.
func sparseColumns(c *trial) (got, want []float64) {
	for _, absent := range []data.Absent{data.AbsentZero, data.AbsentMissing} {
		if c.Needs.Complete && absent == data.AbsentMissing {
			continue
		}
		thin := func(f *data.Frame) *data.Frame { return thinned(f, absent) }
		inPlaces := func(f *data.Frame) *data.Frame { return sparse(thin(f), absent) }
		t := c.weighed
		m, other := c.fit(t.with(thin(t.Frame))), c.fit(t.with(inPlaces(t.Frame)))
		c.sameBytes(other, m)
		got = append(got, c.everywhere(other, t, inPlaces)...)
		want = append(want, c.everywhere(m, t, thin)...)
	}
	return got, want
}

// dates trains on the parts of a column of dates, and predicts a table with them and one with the
// dates.
func dates(c *trial) (got, want []float64) {
	t := c.weighed
	days := func(f *data.Frame, missing bool) *data.Frame {
		const day = 24 * 3600e6
		when := slices.Clone(f.Columns[width].Numbers())
		for i := range when {
			when[i] = 1.7e15 + day*float64(int(8*when[i])*37%400)
			if missing && i%7 == 3 {
				when[i] = math.NaN()
			}
		}
		return appended(f, data.Field{Name: "when", Kind: data.Date}, data.Numbers(when))
	}
	raw := days(t.Frame, !c.Needs.Complete)
	parts, err := data.Expand(raw, nil)
	if err != nil {
		c.Fatal(err)
	}
	m := c.fit(t.with(parts))
	fresh, err := data.Expand(days(t.fresh, true), &parts.Schema)
	if err != nil {
		c.Fatal(err)
	}
	return append(c.predict(m, raw), c.predict(m, days(t.fresh, true))...),
		append(c.predict(m, parts), c.predict(m, fresh)...)
}
