package adaboost

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/model"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/model/training"
)

// Summary is what training found; it is kept as JSON in the model's Spec. Slices have an entry for
// each round.
type Summary struct {
	training.Trained
	Variant   string `json:"variant"`
	Base      string `json:"base"`
	Resampled bool   `json:"resampled,omitempty"` // members were trained on rows sampled by weight
	Rounds    int    `json:"rounds"`              // that the model has
	// why there are no more; empty: the parameter rounds
	Stopped string `json:"stopped,omitempty"`

	// Error is the weighted error of the round's member on the rows' weights of that round; of one
	// against the rest their mean; r2: the mean loss; logitboost: the mean log loss of all members
	// so far.
	Error  []float64 `json:"error"`
	Weight []float64 `json:"weight"` // of the round's member, or members

	// fraction of the rows' first weight that the members so far get wrong
	Training []float64 `json:"training,omitempty"`
	Valid    int       `json:"valid,omitempty"` // rows of the validation set
	// Curves has the learning curve of the validation set, where there is one: the metric error
	// after each round; r2: rmse after some of the rounds, those that tables list and the last.
	Curves []training.LearningCurve `json:"curves,omitempty"`
	// Bound is the upper bound of Training by theory: the product, over the rounds so far, of
	// what the weights added up to before they were divided by it. EdgeBound is exp(-2 sum of (1/2
	// - error)^2), which is never below Bound; discrete and samme with learning_rate=1.
	Bound     []float64 `json:"bound,omitempty"`
	EdgeBound []float64 `json:"edge_bound,omitempty"`

	// Effective is 1 / sum of squared weights before the round: the number of rows of equal weight
	// to which these are equivalent.
	Effective []float64 `json:"effective_rows"`
	// RowWeights are the weights of the rows before each round, in the order of the table; tables
	// of few rows only.
	RowWeights [][]float64 `json:"row_weights,omitempty"`

	// after some of the rounds, ascending; the last is among them
	Margins     []Margins              `json:"margins,omitempty"`
	Importances []training.Importances `json:"importances,omitempty"`
}

// Check implements learn.Summary. Lists have a value for each round; those of what some variants do
// not have may be absent.
func (s *Summary) Check(m model.Model) error {
	var c training.Checks
	c.Length("error", len(s.Error), s.Rounds)
	c.Length("weight", len(s.Weight), s.Rounds)
	c.Length("effective_rows", len(s.Effective), s.Rounds)
	for _, values := range [][]float64{s.Training, s.Bound, s.EdgeBound} {
		c.Require(values == nil || len(values) == s.Rounds, "training, bound, edge_bound",
			"%d values in place of %d", len(values), s.Rounds)
	}
	c.Part("curves", s.checkCurves())
	c.Require(s.RowWeights == nil || len(s.RowWeights) == s.Rounds, "row_weights",
		"%d rounds in place of %d", len(s.RowWeights), s.Rounds)
	for _, weights := range s.RowWeights {
		c.Length("row_weights", len(weights), len(s.RowWeights[0]))
	}
	rounds := make([]int, len(s.Margins))
	for i, g := range s.Margins {
		rounds[i] = g.Rounds
		c.Length("margins", len(g.Upto), MarginSteps+1)
	}
	if len(rounds) > 0 && s.Rounds > 0 {
		c.Rising("margins", rounds)
	}
	c.Importances("importances", s.Importances, &m.Spec().Schema)
	return c.Err()
}

// checkCurves requires one curve at most, which ends with the last round.
func (s *Summary) checkCurves() error {
	var c training.Checks
	c.Require(len(s.Curves) <= 1, "set", "%d curves", len(s.Curves))
	for i := range s.Curves {
		k := &s.Curves[i]
		c.Name("set", k.Set)
		c.Name("metric", k.Metric)
		c.Rising("rounds", k.Rounds)
		c.Length("values", len(k.Values), len(k.Rounds))
		last := len(k.Rounds) - 1
		c.Require(last >= 0 && k.Rounds[last] == s.Rounds, "rounds",
			"the curve does not end with round %d", s.Rounds)
	}
	return c.Err()
}

// Margins is how the margins of the training rows are distributed. Of discrete and samme a margin
// is the fraction of the votes for the row's class less that for the strongest other; of others it
// is the same of the response.
type Margins struct {
	Rounds int     `json:"rounds"`
	Least  float64 `json:"least"`
	Mean   float64 `json:"mean"`
	// fraction of the rows' first weight with a margin of at most -1, -0.95, ..., 1
	Upto []float64 `json:"upto"`
}

// MarginSteps is the number of steps of Margins.Upto from -1 to 1; it has one entry more.
const MarginSteps = 40

// marginRounds are the rounds after which margins are stored, besides the last (those of Schapire
// et al. 1998, figure 1).
var marginRounds = []int{5, 100}

// mostRowWeights is the number of weights, rows x rounds, up to which they are kept.
const mostRowWeights = 4096

// begin notes the weights that a round starts with.
func (s *Summary) begin(weight []float64) {
	squares := 0.0
	for _, w := range weight {
		squares += float64(w * w)
	}
	s.Effective = append(s.Effective, 1/squares)
	if len(weight)*(len(s.RowWeights)+1) <= mostRowWeights {
		s.RowWeights = append(s.RowWeights, slices.Clone(weight))
	}
}

// add notes a round that the model has.
func (s *Summary) add(j *job, b booster, r *round) {
	s.Rounds++
	s.Error, s.Weight = append(s.Error, r.error), append(s.Weight, r.weight)
	if e, ok := b.error(); ok {
		s.Training = append(s.Training, e)
	}
	if r.z > 0 {
		s.Bound = append(s.Bound, product(s.Bound, r.z))
	}
	if r.edges {
		edge := 0.5 - r.error
		s.EdgeBound = append(s.EdgeBound, product(s.EdgeBound, kernel.Exp(-2*float64(edge*edge))))
	}
	if slices.Contains(marginRounds, s.Rounds) {
		s.addMargins(j, b)
	}
}

// product returns z times the last product so far. A large learning rate may take it beyond
// what JSON can hold.
func product(so []float64, z float64) float64 {
	if len(so) == 0 {
		return z
	}
	return min(float64(so[len(so)-1]*z), math.MaxFloat64)
}

// end notes what is stored of all rounds together.
func (s *Summary) end(j *job, b booster) {
	s.Effective = s.Effective[:s.Rounds]
	s.RowWeights = s.RowWeights[:min(len(s.RowWeights), s.Rounds)]
	if len(s.RowWeights) < s.Rounds {
		s.RowWeights = nil
	}
	if n := len(s.Margins); n == 0 || s.Margins[n-1].Rounds < s.Rounds {
		s.addMargins(j, b)
	}
}

func (s *Summary) addMargins(j *job, b booster) {
	margins := make([]float64, len(j.pop.Rows))
	if !b.margins(margins) {
		return
	}
	m := Margins{Rounds: s.Rounds, Least: slices.Min(margins), Upto: make([]float64, MarginSteps+1)}
	for i, v := range margins {
		m.Mean += float64(j.first[i] * v)
		at := 0
		for at < MarginSteps && v > MarginAt(at) {
			at++
		}
		m.Upto[at] += j.first[i]
	}
	for i := range MarginSteps {
		m.Upto[i+1] += m.Upto[i]
	}
	m.Upto[MarginSteps] = 1
	s.Margins = append(s.Margins, m)
}

// MarginAt returns the margin that an entry of Margins.Upto is of.
func MarginAt(i int) float64 { return -1 + 2*float64(i)/MarginSteps }
