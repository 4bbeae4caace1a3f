package gbm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// peerLoss is what an objective of XGBoost is here.
type peerLoss struct {
	objective string
	task      data.Task
	set       func(*frozenCase) []string
}

// poissonStep is max_delta_step of count:poisson, if it is not given.
const poissonStep = 0.7

// named sets the loss and no parameters of it.
func named(set ...string) func(*frozenCase) []string {
	return func(*frozenCase) []string { return set }
}

func peerLosses() []peerLoss {
	return []peerLoss{
		{"reg:squarederror", data.Regression, named("loss=auto")},
		{"binary:logistic", data.Binary, named("loss=auto")},
		{"reg:logistic", data.Regression, named("loss=cross_entropy")},
		{"multi:softprob", data.Multiclass, named("loss=auto")},
		{"count:poisson", data.Regression, func(c *frozenCase) []string {
			return []string{"loss=poisson",
				fmt.Sprint("loss.ahead=", c.number("max_delta_step", poissonStep))}
		}},
		{"reg:gamma", data.Regression, named("loss=gamma")},
		{"reg:tweedie", data.Regression, func(c *frozenCase) []string {
			return []string{"loss=tweedie",
				fmt.Sprint("loss.power=", c.number("tweedie_variance_power", 1.5))}
		}},
		{"reg:pseudohubererror", data.Regression, func(c *frozenCase) []string {
			return []string{"loss=pseudo_huber",
				fmt.Sprint("loss.delta=", c.number("huber_slope", 1))}
		}},
		{"reg:squaredlogerror", data.Regression,
			named("loss=squared_log", "loss.curvature=xgboost")},
		{"reg:absoluteerror", data.Regression, named("loss=absolute")},
		{"binary:hinge", data.Binary, named("loss=hinge")},
		{"survival:cox", data.Survival, named("loss=cox")},
		{"survival:aft", data.Survival, func(c *frozenCase) []string {
			return []string{"loss=aft", "loss.distribution=" + c.text("aft_loss_distribution"),
				fmt.Sprint("loss.sigma=", c.number("aft_loss_distribution_scale", 1))}
		}},
		{"rank:pairwise", data.Ranking, named("loss=lambdamart", "loss.metric=pairwise")},
		{"rank:ndcg", data.Ranking, named("loss=lambdamart", "loss.metric=ndcg")},
		{"rank:map", data.Ranking, named("loss=lambdamart", "loss.metric=map")},
	}
}

// With compat=xgboost the learner trains XGBoost's models: splits, gains and leaves of all rounds,
// and scores.
func TestSameModels(t *testing.T) {
	losses := peerLosses()
	find := func(c *frozenCase) int {
		return slices.IndexFunc(losses,
			func(l peerLoss) bool { return l.objective == c.objective() })
	}
	cases(t, xgboostCases, func(c *frozenCase) bool { return find(c) >= 0 },
		func(t *testing.T, c *frozenCase) {
			p := losses[find(c)]
			m, frame := c.train(t, &p, append(c.settings(), p.set(c)...), compatible(t, "xgboost"))
			c.compareModel(t, m, frame)
		})
}

// train trains with defaults of a peer and settings of the case.
func (c *frozenCase) train(t *testing.T, p *peerLoss, settings,
	defaults []string) (*model.Ensemble, *data.Frame) {
	t.Helper()
	all := c.frame(t)
	frame := c.narrow(t, c.features(t, all))
	target := c.target(t, all, p)
	l := gbm.New()
	for _, set := range [][]string{defaults, settings} {
		if err := l.Params().Set(set); err != nil {
			t.Fatal(err)
		}
	}
	f, err := l.Prepare(t.Context(), frame, nil, target.Weight, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), target, learn.Job{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*model.Ensemble), frame
}

// compareModel compares all trees, and the scores of the first rows.
func (c *frozenCase) compareModel(t *testing.T, m *model.Ensemble, f *data.Frame) {
	t.Helper()
	columns := c.features(t, c.frame(t))
	for i := range c.Trees {
		if i >= len(m.Trees) {
			if len(c.Trees[i].Left) > 1 {
				t.Errorf("%d trees, want %d", len(m.Trees), len(c.Trees))
			}
			break
		}
		if c.ranking() {
			for n := range m.Trees[i].Stats.Gain {
				m.Trees[i].Stats.Gain[n] /= pairFactor * pairFactor
			}
		}
		compare(t, fmt.Sprint("tree ", i), m.Trees[i], &c.Trees[i], columns,
			func(j int32) int { return int(j) })
		if t.Failed() {
			return // what follows is on other gradients
		}
	}
	c.compareScores(t, m, f)
}

// pairFactor is what our steps are times XGBoost's where rows of a group come in pairs and weigh 4:
// XGBoost adds a pair up twice, and doubles second derivatives once more. Gains are that factor
// squared times XGBoost's.
const pairFactor = 2.0

// compareScores compares the raw scores of the first rows.
func (c *frozenCase) compareScores(t *testing.T, m model.Model, f *data.Frame) {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{Output: model.Raw})
	if err != nil {
		t.Fatal(err)
	}
	scores := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(scores, f, nil); err != nil {
		t.Fatal(err)
	}
	for i, want := range c.Margins {
		if !alike(scores[i], want) {
			t.Errorf("score %d of %v is %v, want %v", i%p.Width(), c.Features, scores[i], want)
			return
		}
	}
}

// pairsOf returns groups of two rows each, and their weights.
func pairsOf(weight []float64) (group []int64, scaled []float64) {
	sum := 0.0
	for i, w := range weight {
		group, scaled = append(group, int64(i/2)), append(scaled, weight[i&^1])
		if i%2 == 0 {
			sum += w
		}
	}
	for i := range scaled {
		scaled[i] *= 2 * pairFactor * float64(len(weight)/2) / sum
	}
	return group, scaled
}

// settings are the parameters of the learner that XGBoost's are, in addition to what its defaults
// are.
func (c *frozenCase) settings() []string {
	growth := "depth"
	if c.text("grow_policy") == "lossguide" {
		growth = "leaf"
	}
	step, pairs := 0.0, 1.0
	if c.objective() == "count:poisson" {
		step = poissonStep
	}
	if c.ranking() {
		pairs = pairFactor
	}
	oneHot := fmt.Sprint("one_hot=", c.number("max_cat_to_onehot", 4)-1)
	set := []string{oneHot, "growth=" + growth, fmt.Sprint("trees=", c.Rounds),
		fmt.Sprint("base_score=", c.number("base_score", 0.5))}
	for _, p := range []struct {
		theirs, ours  string
		usual, factor float64
	}{
		{"eta", "learning_rate", 0.3, 1 / pairs}, {"max_depth", "depth", 6, 1},
		{"max_leaves", "leaves", 0, 1}, {"lambda", "l2", 1, 1},
		{"alpha", "l1", 0, pairs}, {"gamma", "gamma", 0, pairs * pairs},
		{"min_child_weight", "min_child_weight", 1, 1},
		{"max_delta_step", "max_delta_step", step, pairs},
		{"max_cat_threshold", "max_categories", 64, 1},
	} {
		set = append(set, fmt.Sprint(p.ours, "=", c.number(p.theirs, p.usual)*p.factor))
	}
	return append(set, c.constraints()...)
}

// constraints are the parameters for monotone columns, one sign for each, and for sets of columns
// by their numbers.
func (c *frozenCase) constraints() (set []string) {
	if signs := strings.Trim(c.text("monotone_constraints"), "()"); signs != "" {
		var parts []string
		for j, sign := range strings.Split(signs, ",") {
			if sign != "0" {
				parts = append(parts, c.Features[j]+"="+sign)
			}
		}
		set = append(set, "monotone="+strings.Join(parts, ","))
	}
	var sets [][]int
	if json.Unmarshal([]byte(c.text("interaction_constraints")), &sets) == nil {
		var parts []string
		for _, columns := range sets {
			var names []string
			for _, j := range columns {
				names = append(names, c.Features[j])
			}
			parts = append(parts, strings.Join(names, "+"))
		}
		set = append(set, "interactions="+strings.Join(parts, ","))
	}
	return set
}

// target is the case's label.
func (c *frozenCase) target(t *testing.T, f *data.Frame, p *peerLoss) *data.Target {
	t.Helper()
	label, upper, interval := strings.Cut(c.Label, " ")
	y := slices.Clone(values(t, f, label))
	target := &data.Target{Name: label, Task: p.task}
	if interval {
		for _, v := range values(t, f, upper) {
			if math.IsNaN(v) {
				v = math.Inf(1)
			}
			target.Upper = append(target.Upper, v)
		}
	} else if p.task == data.Survival {
		target.Event = make([]uint8, len(y))
		for i, v := range y {
			if v > 0 {
				target.Event[i] = 1
			}
			y[i] = math.Abs(v)
		}
	}
	if p.task.Classes() {
		classes := 2
		if p.task == data.Multiclass {
			classes = int(c.number("num_class", 0))
		}
		for k := range classes {
			target.Classes = append(target.Classes, fmt.Sprint(k))
		}
		for _, v := range y {
			target.Class = append(target.Class, uint32(v))
		}
	} else {
		target.Y = [][]float64{y}
	}
	if c.Weight != "" {
		target.Weight = values(t, f, c.Weight)
	}
	if p.task == data.Ranking {
		target.Group, target.Weight = pairsOf(target.Weight)
	}
	if s := c.number("scale_pos_weight", 1); s != 1 {
		target.Weight = make([]float64, len(y))
		for i, v := range y {
			target.Weight[i] = 1 + v*(s-1)
		}
	}
	return target
}
