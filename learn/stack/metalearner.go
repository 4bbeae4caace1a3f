package stack

import (
	"math"

	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/param"
)

// ridgeName is the meta-learner that is no learner.
const ridgeName = "ridge"

// MetaLearner chooses what combines: the ridge, or a learner.
type MetaLearner struct {
	learn.Choice
	Ridge *Ridge // of the name ridge; nil = with its defaults
}

// Ridge is a weight for each member, none of them negative, with a penalty on their squares.
// Numbers are added up with these weights, which are those of least squares (Breiman 1996). Class
// probabilities are pooled:
//
//	tempered  the weighted mean after temperature scaling of each member; the mean is scaled, too,
//	          with a bias for each class; the weights are the mean of those of the other two pools
//	linear    the weighted mean, by least squares
//	log       the product, each to the power of its weight, by likelihood (Genest & Zidek 1986)
//
// An underconfident member, such as a forest for many classes, makes the mean underconfident; an
// overconfident one outvotes the others. Temperature scaling of each member corrects both (Guo et
// al. 2017). The mean of calibrated members that differ is underconfident, so it is scaled, too
// (Ranjan & Gneiting 2010). A power below 1 moves probabilities towards equal ones, even of rare
// classes, which the biases correct (docs/adr/0040-learn-a-bias-for-each-class-in-stacks.md). In a
// product the weights have all these effects at once; its labels are a little worse on few rows
// (docs/adr/0034-temper-probabilities-before-averaging-in-stacks.md).
type Ridge struct {
	Pool  Pool
	L2    float64
	Floor float64 // of powers: the least probability; smaller ones are raised to it
}

// Params declares the parameters. A penalty of one row changes little on any table, and decides
// between members with equal predictions.
//
// A probability of 0, which a few neighbours often predict, has an infinite loss if it is wrong
// once, so nearest neighbours would get no weight. For a product a floor of 0.001 is as good as
// 0.01, and 0.0001 is worse (docs/adr/0026-stack-by-a-weighted-product-of-probabilities.md).
func (r *Ridge) Params() param.Set {
	return param.Set{
		param.AnyOf(&r.Pool, "pool",
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

// ofProbabilities returns the pool for class probabilities.
func (r *Ridge) ofProbabilities() Pool {
	if r.Pool == PoolAuto {
		return PoolTempered
	}
	return r.Pool
}

// powers reports whether the parameters require class probabilities.
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
