package relations

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
)

func onRows() []relation {
	return []relation{
		{name: "order of rows", says: "The order of the training rows does not matter.",
			within: rounding, sides: func(c *trial) (got, want []float64) {
				m := c.fit(c.weighed.reordered(c.random().Perm(c.weighed.rows())))
				return c.predict(m, c.weighed.seen()), c.predict(c.of(c.weighed), c.weighed.seen())
			}, except: []exception{
				{of: sampledRows, chance: true, why: drawn},
				{of: permutedRows, chance: true, why: permuted},
				{of: folded, chance: true, why: foldsByPlace},
				{of: networks, chance: true, why: initial},
				{of: "extratrees extratrees/allrows", chance: true,
					why: "random sets take categories in the order of their rows"},
				{of: "anyboost anyboost/linear gbm gbm/plain", task: data.Ranking,
					why: "rows of equal scores are ranked by their places"},
				{of: machines, within: 0.01, why: tolerance},
				{of: "cart/fractional", task: data.Binary, why: someOfEqual},
			}},
		{name: "copies of rows", says: "A row that a training names several times is that many copies " +
			"in a longer table.", within: rounding, lacks: oneOfGroup, sides: func(c *trial) (got, want []float64) {
			var copies []int32
			for i := range int32(c.weighed.rows()) {
				copies = append(copies, slices.Repeat([]int32{i}, 1+int(i)*5%3)...)
			}
			job := c.weighed.job(c.seed)
			job.Rows = copies
			m := c.train(c.weighed, job)
			return c.predict(m, c.weighed.seen()),
				c.predict(c.fit(c.weighed.reordered(copies)), c.weighed.seen())
		}, except: []exception{
			{of: folded, why: "copies that a training names stay in one fold"},
			{of: encoded, why: "the encoding of rows as vectors is fitted to the distinct rows"},
			{of: "gbm gbm/goss " + boosted, why: "bins and least sizes of leaves count the distinct rows"},
			{of: "adaboost/deep", task: data.Binary, why: faultless},
			{of: "forest forest/quantiles", why: "node_size counts the distinct rows"},
		}},
		{name: "other rows", says: "Rows of the table that are not trained on do not matter.",
			sides: func(c *trial) (got, want []float64) {
				rows := data.AllRows(c.weighed.rows() - 10)
				job := c.weighed.job(c.seed)
				job.Rows = rows
				m := c.train(c.weighed, job)
				return c.everywhere(m, c.weighed, unchanged),
					c.everywhere(c.fit(c.weighed.reordered(rows)), c.weighed, unchanged)
			}},
		{name: "one seed", says: "Two trainings with one seed make the same model, byte for byte.",
			sides: func(c *trial) (got, want []float64) {
				m := c.fit(c.weighed)
				c.sameBytes(m, c.of(c.weighed))
				return c.everywhere(m, c.weighed, unchanged),
					c.everywhere(c.of(c.weighed), c.weighed, unchanged)
			}},
		{name: "threads", says: "1, 2 and 3 threads make the same model, byte for byte.",
			sides: func(c *trial) (got, want []float64) {
				for _, workers := range []int{2, 3} {
					job := c.weighed.job(c.seed)
					job.Workers = workers
					m := c.train(c.weighed, job)
					c.sameBytes(m, c.of(c.weighed))
					got = append(got, c.predict(m, c.weighed.fresh)...)
				}
				return got, slices.Repeat(c.predict(c.of(c.weighed), c.weighed.fresh), 2)
			}},
	}
}
