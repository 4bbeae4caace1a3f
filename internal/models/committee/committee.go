// Package committee owns the ensemble of models of any type: each member predicts a row, and the
// committee combines the predictions. Members may be committees too. Stack and Calibrated are the
// other models of models. The package has no learner.
//
//	mean     of the members' responses                              bagging
//	vote     each member counts for one class                       bagging, AdaBoost
//	sum      bias + weighted sum of numbers, through a link         boosting of any regression learner
//	median   weighted median of numbers                             AdaBoost.R2
//	product  of the members' class probabilities and exp(bias), real AdaBoost, logarithmic pools
//	         normalised
//	ranks    mean of the ranks that the members' responses have     members with different scales
package committee

import (
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Committee is a model of member models.
//
// Each member finds its columns by name, so members may be trained on different columns of the
// committee's schema, and with different dictionaries.
type Committee struct {
	Meta    model.Spec
	Members []model.Model
	Combine Combine
	// one per member, above 0, of a Product at least 0, of a Sum any finite numbers; nil = all 1
	Weights []float64

	// Of a Sum or a Product, and nil of others: what each score starts with; nil = 0.
	Bias []float64

	// Of a Sum, and nil of others:
	// which score each member adds to, -1 = its outputs are all the scores; nil = all -1
	Output []int32
	Link   link.Link // from the scores to the response; nil = identity

	// Of a Product, and 0 of others: what a smaller probability counts as, at most 1/2, so that no
	// member can exclude a class; below SmallestProbability it is that.
	Floor float64

	// Of Ranks, and nil of others: those of the first member, then those of the second, ... A
	// member has one for each of its outputs, but of two classes one, the second's.
	Scales []Scale
}

// Combine is how the members make one response.
type Combine = param.Enum[combineNames]

// The ways to combine.
const (
	// the weighted mean of the members' responses: class probabilities, or numbers
	Mean Combine = iota
	// the response is the fraction of the members' weight that chose each class, by its own
	// decision; classes only
	Vote
	// Sum adds up, for each score, Bias + weight x response of the members that feed it; members
	// are models of numbers, whatever the committee's task. The response is the Link of the scores;
	// two classes may have one score, the second's.
	Sum
	// Median is the least of the members' responses up to which they have half of the weight:
	// numbers only (Drucker 1997).
	Median
	// Product multiplies the members' probabilities of a class, each to the power of its weight,
	// and divides by the sum over the classes (a logarithmic pool). Its scores are Bias + sum of
	// weight x (ln p_k - mean of ln p_j), with probabilities below Floor taken for that; classes
	// only.
	Product
	// Ranks replaces each response by its rank on the member's Scale. The scores are the weighted
	// means of the ranks, for each output separately. The response is the mean of the values that
	// the members' scales have at that rank. So it has the order of the mean ranks and the unit of
	// the members' responses. Probabilities of more than two classes are normalised.
	Ranks
)

// SmallestProbability is the least Floor of a Product: 2^-52.
const SmallestProbability = 0x1p-52

type combineNames struct{}

func (combineNames) Enum() (string, []string) {
	return "way to combine members", []string{"mean", "vote", "sum", "median", "product", "ranks"}
}

// MaxDepth is how many committees may stand inside each other.
const MaxDepth = 16

// Spec returns the model's description.
func (c *Committee) Spec() *model.Spec { return &c.Meta }

// Outputs returns the number of classes, else that of numbers that are predicted.
func (c *Committee) Outputs() int {
	switch {
	case c.Meta.Task.Classes() || len(c.Members) == 0:
		return len(c.Meta.Classes)
	case c.Combine == Sum:
		return c.Scores()
	}
	return c.Members[0].Outputs()
}

// AsSum returns the link of the sum of the members.
func (c *Committee) AsSum() (model.Summed, bool) {
	whole := c.Combine == Mean || c.Combine == Vote || c.Combine == Sum
	return model.Summed{Of: c, Link: c.Link, Whole: whole}, true
}

// Scores returns the number of scores of a Sum; it is Outputs, but a model of two classes may have
// one score alone.
func (c *Committee) Scores() int {
	n := max(1, len(c.Bias))
	for i, m := range c.Members {
		if o := c.output(i); o >= 0 {
			n = max(n, int(o)+1)
		} else {
			n = max(n, m.Outputs())
		}
	}
	return n
}

// output returns the score that a member feeds, -1 for all.
func (c *Committee) output(member int) int32 {
	if c.Output == nil {
		return -1
	}
	return c.Output[member]
}

// Weight returns the weight of a member.
func (c *Committee) Weight(member int) float64 {
	if c.Weights == nil {
		return 1
	}
	return c.Weights[member]
}

// Validate checks that members, weights and schema fit together, and every member. Codecs call it
// on what they read.
func (c *Committee) Validate() error { return c.validate(1) }

// validate is Validate for a committee that depth-1 others are around.
func (c *Committee) validate(depth int) error {
	if c == nil {
		return errors.New("is nil")
	}
	if depth > MaxDepth {
		return fmt.Errorf("more than %d committees inside each other", MaxDepth)
	}
	if err := c.Meta.Validate(); err != nil {
		return err
	}
	switch {
	case c.Combine > Ranks:
		return fmt.Errorf("unknown way %d to combine members", c.Combine)
	case (c.Combine == Vote || c.Combine == Product) && !c.Meta.Task.Classes():
		return fmt.Errorf("members %s for classes, the task is %s",
			map[Combine]string{Vote: "vote", Product: "multiply probabilities"}[c.Combine],
			c.Meta.Task)
	case c.Combine == Median && c.Meta.Task.Classes():
		return fmt.Errorf("a median of members, the task is %s", c.Meta.Task)
	case c.Combine != Sum && (c.Output != nil || c.Link != nil):
		return fmt.Errorf("scores of members or a link of a %s: only a sum has them", c.Combine)
	case c.Combine != Sum && c.Combine != Product && c.Bias != nil:
		return fmt.Errorf("start values of a %s: only a sum and a product have them", c.Combine)
	case c.Combine != Product && c.Floor != 0:
		return fmt.Errorf("a smallest probability of a %s: only a product has one", c.Combine)
	case !(c.Floor >= 0 && c.Floor <= 0.5):
		return fmt.Errorf("smallest probability %g", c.Floor)
	case len(c.Members) == 0:
		return errors.New("no member")
	}
	if err := c.validateWeights(); err != nil {
		return err
	}
	kinds := c.Meta.Schema.Kinds()
	for i, m := range c.Members {
		if err := c.validateMember(m, kinds, depth); err != nil {
			return fmt.Errorf("member %d: %w", i, err)
		}
	}
	if c.Combine == Sum {
		return c.validateSum()
	}
	return errors.Join(c.validateBias(c.Outputs()), c.validateScales())
}

// validateBias checks what some scores start with.
func (c *Committee) validateBias(scores int) error {
	if c.Bias != nil && len(c.Bias) != scores {
		return fmt.Errorf("%d start values for %d scores", len(c.Bias), scores)
	}
	for _, b := range c.Bias {
		if math.IsNaN(b) || math.IsInf(b, 0) {
			return fmt.Errorf("start value %g", b)
		}
	}
	return nil
}

// validateSum checks which scores members feed, once the members are valid.
func (c *Committee) validateSum() error {
	if c.Output != nil && len(c.Output) != len(c.Members) {
		return fmt.Errorf("scores of %d members, there are %d", len(c.Output), len(c.Members))
	}
	for i := range c.Members {
		// A score far beyond the members would make a predictor allocate for scores that nothing
		// feeds.
		if o := c.output(i); o < -1 ||
			int(o) >= max(len(c.Members), len(c.Bias), len(c.Meta.Classes)) {
			return fmt.Errorf("member %d feeds score %d in a sum of %d members", i, o,
				len(c.Members))
		}
	}
	scores := c.Scores()
	if k := len(c.Meta.Classes); c.Meta.Task.Classes() && scores != k && (scores != 1 || k != 2) {
		return fmt.Errorf("%d scores of %d classes", scores, k)
	}
	if err := c.validateBias(scores); err != nil {
		return err
	}
	for i, m := range c.Members {
		if o := c.output(i); o < 0 && m.Outputs() != scores || o >= 0 && m.Outputs() != 1 {
			return fmt.Errorf("member %d: has %d outputs for score %d of %d", i,
				m.Outputs(), o, scores)
		}
	}
	return nil
}

func (c *Committee) validateWeights() error {
	if c.Weights == nil {
		return nil
	}
	if len(c.Weights) != len(c.Members) {
		return fmt.Errorf("%d weights for %d members", len(c.Weights), len(c.Members))
	}
	sum := 0.0
	for i, w := range c.Weights {
		if !(w > 0) && c.Combine != Sum && (w != 0 || c.Combine != Product) || math.IsNaN(w) {
			return fmt.Errorf("member %d has weight %g", i, w)
		}
		sum += math.Abs(w)
	}
	if math.IsInf(sum, 0) {
		return fmt.Errorf("the members have weight %g", sum)
	}
	return nil
}

// validateMember checks one member; kinds are those of the committee's fields, by name.
func (c *Committee) validateMember(m model.Model, kinds data.Kinds, depth int) error {
	if err := checkInner(m, func(inner *Committee) error {
		return inner.validate(depth + 1)
	}); err != nil {
		return err
	}
	if c.Combine == Sum {
		if s := m.Spec(); s.Task != data.Regression || len(s.Classes) > 0 {
			return fmt.Errorf("predicts %s, a sum is one of models of numbers", s.Task)
		}
	} else {
		if err := checkTask(m, &c.Meta, "the committee"); err != nil {
			return err
		}
		if m.Outputs() != c.Outputs() {
			return fmt.Errorf("has %d outputs, the committee %d", m.Outputs(), c.Outputs())
		}
	}
	return checkColumns(m, kinds, "the committee")
}
