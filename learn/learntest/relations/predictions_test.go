package relations

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

func onPredictions() []relation {
	return []relation{
		{name: "rows alone", says: "A row alone, dense or sparse, is predicted as in the table.",
			sides: func(c *trial) (got, want []float64) {
				m := c.of(c.weighed)
				return modeltest.PredictBoth(c, m, c.weighed.fresh, model.Options{}, nil),
					c.predict(m, c.weighed.fresh)
			}},
		{name: "order of predicted rows", says: "Rows are predicted alike in any order, and by any " +
			"number of threads.", sides: shuffledPrediction},
		{name: "unseen categories", says: "A category that training had not is predicted alike, " +
			"whether the dictionary has it, or another table's, or none.", within: rounding, sides: unseen,
			except: []exception{
				{of: "c45 c45/grown", why: "C4.5 gives every category of the dictionary a child, with the " +
					"node's classes where it has no rows"},
			}},
		{name: "additivity", says: "The contributions of the columns add up to the raw score, of anomalies to its negative.",
			within: rounding, lacks: func(c *trial) string {
				if m := c.of(c.weighed); !explain.IsExact(m) || contributions(c) == nil {
					return "the model has no exact Shapley values"
				}
				return ""
			}, sides: additive},
	}
}

func shuffledPrediction(c *trial) (got, want []float64) {
	m := c.of(c.weighed)
	order := c.random().Perm(c.weighed.rows())
	got = modeltest.Predict(c, m, c.weighed.Frame, model.Options{Workers: 3}, order)
	all := c.predict(m, c.weighed.seen())
	k := len(got) / len(order)
	for _, i := range order {
		want = append(want, all[int(i)*k:int(i+1)*k]...)
	}
	return got, want
}

// unseen predicts the training rows with categories that no training row had.
func unseen(c *trial) (got, want []float64) {
	m := c.of(c.weighed)
	none := c.predict(m, unknown(c.weighed.seen(), "none"))
	for _, as := range []string{"text", "level"} {
		got = append(got, c.predict(m, unknown(c.weighed.seen(), as))...)
		want = append(want, none...)
	}
	return got, want
}

// contributions returns the Shapley values of the fresh rows, nil where the model has nodes that
// they are not defined for.
func contributions(c *trial) *explain.Contributions {
	found, err := explain.Shapley(c.Context(), c.of(c.weighed), c.weighed.seen(), nil,
		explain.ShapleyOptions{Workers: 1})
	var not *explain.NotCoveredError
	if errors.As(err, &not) {
		return nil
	}
	if err != nil {
		c.Fatal(err)
	}
	return found
}

func additive(c *trial) (got, want []float64) {
	found := contributions(c)
	want = modeltest.Predict(c, c.of(c.weighed), c.weighed.seen(),
		model.Options{Output: model.Raw}, nil)
	for i := range want {
		sum := found.Bias[i%found.Scores]
		for _, v := range found.Row(i/found.Scores, i%found.Scores) {
			sum += v
		}
		if c.of(c.weighed).Spec().Task == data.Anomaly { // towards which the raw score falls
			sum = -sum
		}
		got = append(got, sum)
	}
	return got, want
}
