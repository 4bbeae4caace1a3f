package gbm_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// lightgbmLosses are what objectives of LightGBM are here.
func lightgbmLosses() []peerLoss {
	return []peerLoss{
		{"regression", data.Regression, named("loss=auto")},
		{"binary", data.Binary, named("loss=auto")},
		{"multiclass", data.Multiclass, named("loss=auto")},
		{"poisson", data.Regression, named("loss=poisson", "loss.ahead=0.7")},
		{"gamma", data.Regression, named("loss=gamma")},
		{"tweedie", data.Regression, func(c *frozenCase) []string {
			return []string{"loss=tweedie",
				fmt.Sprint("loss.power=", c.number("tweedie_variance_power", 1.5))}
		}},
		{"cross_entropy", data.Regression, named("loss=cross_entropy")},
	}
}

// With compat=lightgbm the learner trains LightGBM's models: splits, gains and leaves of all
// rounds, and scores.
func TestSameModelsAsLightGBM(t *testing.T) {
	losses := lightgbmLosses()
	cases(t, lightgbmCases, func(*frozenCase) bool { return true },
		func(t *testing.T, c *frozenCase) {
			i := slices.IndexFunc(losses,
				func(l peerLoss) bool { return l.objective == c.objective() })
			if i < 0 {
				t.Fatalf("no loss for %s", c.objective())
			}
			m, f := c.train(t, &losses[i], append(c.lightgbmSettings(), losses[i].set(c)...),
				compatible(t, "lightgbm"))
			for i := range m.Trees[:len(m.Bias)] { // of the first round
				for n, left := range c.Trees[i].Left {
					if left < 0 {
						c.Trees[i].SplitPoint[n] -= m.Bias[i]
					}
				}
			}
			c.compareModel(t, m, f)
		})
}

// lightgbmSettings are the parameters of the learner that LightGBM's are, in addition to what its
// defaults are.
func (c *frozenCase) lightgbmSettings() []string {
	set := []string{fmt.Sprint("trees=", c.Rounds), "min_bin=1"}
	for _, p := range []struct {
		theirs, ours string
		more         float64
	}{
		{"learning_rate", "learning_rate", 0}, {"num_leaves", "leaves", 0},
		{"max_depth", "depth", 0}, {"min_data_in_leaf", "min_leaf", 0},
		{"min_sum_hessian_in_leaf", "min_child_weight", 0}, {"lambda_l1", "l1", 0},
		{"lambda_l2", "l2", 0}, {"min_gain_to_split", "gamma", 0},
		{"max_delta_step", "max_delta_step", 0}, {"path_smooth", "path_smooth", 0},
		{"min_data_per_group", "min_group", 0},
		{"cat_smooth", "cat_smooth", 0}, {"cat_l2", "cat_l2", 0},
		{"max_cat_threshold", "max_categories", 0}, {"max_cat_to_onehot", "one_hot", -1},
	} {
		if v, ok := c.Params[p.theirs].(float64); ok {
			set = append(set, fmt.Sprint(p.ours, "=", v+p.more))
		}
	}
	if signs, ok := c.Params["monotone_constraints"].([]any); ok {
		var parts []string
		for j, sign := range signs {
			if sign != 0.0 {
				parts = append(parts, fmt.Sprint(c.Features[j], "=", sign))
			}
		}
		set = append(set, "monotone="+strings.Join(parts, ","))
	}
	return set
}
