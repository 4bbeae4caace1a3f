package stack

import (
	"math"

	"github.com/coppice-ml/coppice/learn/inner"
	"github.com/coppice-ml/coppice/model/committee"
	"github.com/coppice-ml/coppice/param"
)

// ridgeName is the meta-learner that is no learner.
const ridgeName = "ridge"

// MetaLearner chooses what combines: the ridge, or a learner.
type MetaLearner struct {
	inner.Choice
	Ridge *Ridge // of the name ridge; nil = with its defaults
}

// Ridge is a weight for each member, none of them negative, with a penalty on their squares.
// Numbers are added up, so weighed, and the weights are those of least squares (Breiman 1996).
// Shares of classes are pooled:
//
//	tempered  the weighted mean of shares that were each made as sure as they may be, and then the whole, which also gets a bias for
//	          each class; a member's weight is the mean of those of the other two kinds
//	linear    the weighted mean of the shares, by least squares
//	log       the product of the shares, each to the power of its weight, by likelihood (Genest & Zidek 1986)
//
// A mean cannot be surer than its surest member, and a member that is too timid, as a forest of
// many classes is, makes it so, too; a member that is too bold outvotes the others. Powers of the
// shares mend both (Guo et al. 2017), and so does the power of a mean, which is too timid where
// members are right and differ (Ranjan & Gneiting 2010). A power below 1 moves shares to equal
// ones, though classes may be rare, which the biases mend
// (docs/adr/0040-learn-a-bias-for-each-class-in-stacks.md). Of a product the weights do all at
// once; its labels are a little worse where rows are few
// (docs/adr/0034-temper-probabilities-before-averaging-in-stacks.md).
type Ridge struct {
	Pool  Pool
	L2    float64
	Floor float64 // of powers: what a smaller share counts as
}

// Params declares the parameters. One row's worth changes little on any table, and decides between
// members that say the same.
//
// A share of 0, which k neighbours soon agree on, would cost all if it is wrong once, so that
// nearest neighbours had no weight. Of a product a floor of 0.001 is as good as 0.01, and 0.0001
// worse (docs/adr/0026-stack-by-a-weighted-product-of-probabilities.md).
func (r *Ridge) Params() param.Set {
	return param.Set{
		param.OneOf(&r.Pool, "pool", []Pool{PoolAuto, PoolTempered, PoolLinear, PoolLog},
			"how class probabilities are combined; linear: their weighted mean; tempered: the "+
				"same after temperature scaling of each member and before that of the mean, with "+
				"a bias for each class; "+
				"log: their product, each to the power of its weight; auto: tempered; of labels "+
				"and numbers linear"),
		param.Float(&r.L2, "l2", 1, 0, math.Inf(1),
			"penalty on the squares of the weights, in units of a row's loss: numbers and "+
				"probabilities are divided by the label's standard deviation; of a tempered or "+
				"log pool on the squares of their distances from equal weights, "+
				"of a tempered one ten times as much"),
		param.Float(&r.Floor, "floor", 0.01, committee.SmallestProbability, 0.5,
			"least probability for a tempered or log pool; smaller ones are raised to it"),
	}
}

// ofProbabilities returns the pool that shares of classes get.
func (r *Ridge) ofProbabilities() Pool {
	if r.Pool == PoolAuto {
		return PoolTempered
	}
	return r.Pool
}

// powers reports whether what is asked for needs shares of classes.
func (r *Ridge) powers() bool { return r.Pool == PoolLog || r.Pool == PoolTempered }

// ridge reports whether the ridge combines.
func (c *MetaLearner) ridge() bool { return c.Name == ridgeName && c.Learner == nil }

// Chosen returns the meta-learner's name and parameters.
func (c *MetaLearner) Chosen() (string, param.Set) {
	if c.ridge() {
		if c.Ridge == nil {
			c.Ridge = &Ridge{}
			c.Ridge.Params().Reset()
		}
		return ridgeName, c.Ridge.Params()
	}
	return c.Choice.Chosen()
}

// Choose makes the meta-learner of a name.
func (c *MetaLearner) Choose(name string) (param.Set, func(), error) {
	if name != ridgeName {
		return c.Choice.Choose(name)
	}
	made := &Ridge{}
	params := made.Params()
	params.Reset()
	return params, func() { c.Ridge, c.Name, c.Learner = made, ridgeName, nil }, nil
}
