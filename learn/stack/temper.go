package stack

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// The penalties of a tempered pool, in rows' worth: on a power's distance from 1, on a weight's
// from equal ones, as a multiple of l2
// (docs/adr/0034-temper-probabilities-before-averaging-in-stacks.md), and on biases
// (docs/adr/0040-learn-a-bias-for-each-class-in-stacks.md).
const (
	powerRows  = 1
	weightRows = 10
	biasRows   = 5
)

// tempered makes the committee of a tempered pool:
//
//	product of one      the whole to its power, and a bias for each class
//	  mean              by the weights
//	    product of one  a member to its power, for each member
//
// Powers and biases are those of the greatest likelihood on the out-of-fold predictions. Powers set
// the confidence of each member and change none of its labels; the weights of the mean do. Less
// confident probabilities move towards equal ones, not towards the class frequencies; biases
// correct that for the whole.
func (j *job) tempered(meta model.Spec, found *Summary) (model.Model, error) {
	predicted := make([]*learn.HoldOut, len(j.predicted))
	sharp := make([]*committee.Committee, len(j.predicted))
	for i := range j.predicted {
		sharp[i] = &committee.Committee{Meta: *j.models[i].Spec(), Members: j.models[i : i+1],
			Combine: committee.Product, Floor: j.ridge.Floor}
		predicted[i] = j.sharpen(sharp[i], j.predicted[i])
		found.Members[i].Power = &sharp[i].Weights[0]
	}
	weights := j.weights(predicted)
	pool := &committee.Committee{Meta: meta}
	for i, w := range weights {
		found.Members[i].Weight = &weights[i]
		if w > 0 {
			pool.Members, pool.Weights = append(pool.Members, sharp[i]), append(pool.Weights, w)
		}
	}
	whole := &committee.Committee{Meta: meta, Members: []model.Model{pool},
		Combine: committee.Product}
	p := j.product(whole, []*learn.HoldOut{mean(predicted, weights)})
	s := &scale{classes: p.classes, x: p.x, class: p.class, weight: p.weight, l2: powerRows,
		biasL2: biasRows}
	power, bias := s.solve()
	whole.Weights, whole.Bias = []float64{power}, bias
	found.Power, found.Bias = &power, bias
	return joined(whole, found)
}

// weights returns a weight for each member, whose sum is 1: the mean of what it is worth in a mean,
// by least squares, and in a product, by likelihood. Either is uncertain where rows are few, and
// for reasons of its own.
func (j *job) weights(predicted []*learn.HoldOut) []float64 {
	equal, l2 := 1/float64(len(predicted)), float64(weightRows*j.ridge.L2)
	weights, found := make([]float64, len(predicted)), 0.0
	for _, worth := range [][]float64{j.inMean(predicted, l2, equal),
		j.inProduct(predicted, l2, equal)} {
		sum := kernel.Sum(worth)
		if !(sum > 0) {
			continue // the likelihood prefers none of the members
		}
		found++
		for i, w := range worth {
			weights[i] += float64((w/sum - weights[i]) / found)
		}
	}
	if found == 0 {
		return slices.Repeat([]float64{equal}, len(predicted))
	}
	return weights
}

// inMean returns what members are worth in a mean, by least squares.
func (j *job) inMean(predicted []*learn.HoldOut, l2, towards float64) []float64 {
	l, outputs := j.level(predicted)
	return l.plain(l2, towards, outputs)
}

// inProduct returns what members are worth in a product, by likelihood.
func (j *job) inProduct(predicted []*learn.HoldOut, l2, towards float64) []float64 {
	p := j.product(&committee.Committee{Floor: j.ridge.Floor}, predicted)
	p.l2, p.towards = l2, towards
	return p.solve()
}

// sharpen finds the power of a product of one without biases, from the out-of-fold predictions of
// its member, and returns the predictions of the product.
func (j *job) sharpen(c *committee.Committee, predicted *learn.HoldOut) *learn.HoldOut {
	p := j.product(c, []*learn.HoldOut{predicted})
	p.l2, p.towards = powerRows, 1
	c.Weights = p.solve()
	out := &learn.HoldOut{Rows: predicted.Rows, Width: predicted.Width,
		Values: slices.Clone(predicted.Values)}
	for at := 0; at < len(out.Values); at += out.Width {
		probabilities := out.Values[at : at+out.Width]
		c.Centre(probabilities)
		for k := range probabilities {
			probabilities[k] = float64(c.Weights[0] * probabilities[k])
		}
		link.Softmax().Apply(probabilities)
	}
	return out
}

// mean returns the weighted mean of the members' predictions.
func mean(predicted []*learn.HoldOut, weights []float64) *learn.HoldOut {
	out := &learn.HoldOut{Rows: predicted[0].Rows, Width: predicted[0].Width,
		Values: make([]float64, len(predicted[0].Values))}
	sum := 0.0
	for i, s := range predicted {
		if weights[i] == 0 {
			continue
		}
		sum += weights[i]
		step := weights[i] / sum
		for at, v := range s.Values {
			out.Values[at] += float64(step * (v - out.Values[at]))
		}
	}
	return out
}
