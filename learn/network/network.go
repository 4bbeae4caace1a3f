// Package network owns the learner network: a neural network with one hidden layer (Rumelhart,
// Hinton & Williams 1986), for classes and for numbers, trained by gradients of a few rows at a
// time.
//
// A row is a vector x (package dense: numbers standardised, categories coded, gaps filled).
// Hidden units apply the activation to weighted sums of it, scores are weighted sums of the hidden
// units. Training minimises
//
//	mean of weight times loss  +  l2 / 2 times the sum of the squared weights (not the biases)
//
// where the loss is minus the log of the probability of the row's class, by softmax, or half of the
// squared error of a number, which is standardised too.
//
// Training uses one processor: each step needs the one before. The same seed gives the same bytes
// everywhere.
//
// Sparse columns are made dense: a row takes 8 bytes for each place of its vector.
package network

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	report "github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Name is the learner's name in the catalog.
const Name = "network"

// The greatest numbers of hidden units and of places of a vector.
const (
	maxHidden = 1 << 14
	maxWidth  = 1 << 16
)

// What a hidden unit applies to its sum.
const (
	ActivationReLU    = dense.ReLU    // max(0, x)
	ActivationTanh    = dense.Tanh    // tanh(x)
	ActivationSigmoid = dense.Sigmoid // 1 / (1 + exp(-x))
)

// Learner is a network with its parameters. Make one with New, which sets the defaults; the zero
// value has none. The fields are declared, with default, range and meaning, in Params.
//
// A class without training row has probability 0.
type Learner struct {
	// Hidden units. Parameter hidden: an integer >= 1 and <= 16384; default 32.
	Hidden int
	// What a hidden unit applies to its sum: max(0, x), tanh(x) or 1 / (1 + exp(-x)). Parameter
	// activation: relu, tanh or sigmoid; default relu.
	Activation dense.Activation
	// How weights follow gradients: Adam, descent with momentum, or plain descent. Parameter
	// optimizer: adam, momentum or sgd; default adam.
	Optimizer Optimizer
	// Factor on each step; plain descent needs more, 0.1 or so. Parameter learning_rate: a number >
	// 0 and <= 1e+06; default 0.005.
	LearningRate float64
	// Fraction of a step that is added to the next one (optimizer=momentum). Parameter momentum: a
	// number >= 0 and <= 0.9999; default 0.9.
	Momentum float64
	// Rows of a step. Parameter batch: an integer >= 0 and <= 2147483647 (0 = all); default 32.
	Batch int
	// Passes over the rows. Parameter epochs: an integer >= 1 and <= 2147483647; default 50.
	Epochs int
	// Penalty on half of the squared weights, beside the mean loss. Parameter l2: a number >= 0 and
	// <= 1e+06; default 0.0001.
	L2 float64
	// Fraction of the hidden units that are left out for each training row. Parameter dropout: a
	// number >= 0 and <= 0.99; default 0.
	Dropout float64
	// Passes without a lower loss on the validation set that end the training; the model gets the
	// best weights; without a validation set it has no effect. Parameter early_stopping: an integer
	// >= 0 and <= 2147483647 (0 = never); default 0.
	EarlyStopping int
	// Factor on the weight of each row by its class; balanced = rows / (classes x rows of the
	// class); classes not named have 1. Parameter class_weight: balanced, NAME=WEIGHT,...; default
	// "".
	ClassWeight data.ClassWeight
}

// New returns a learner with default parameters.
func New() *Learner { return param.WithDefaults(&Learner{}) }

// Params declares the parameters.
func (l *Learner) Params() param.Set {
	return param.Set{
		param.Int(&l.Hidden, "hidden", 32, 1, maxHidden, "hidden units").TuneLog(4, 256).Also("hidden_layer_sizes"),
		param.OneOf(&l.Activation, "activation", []dense.Activation{ActivationReLU, ActivationTanh,
			ActivationSigmoid}, "what a hidden unit applies to its sum: max(0, x), tanh(x) or 1 / "+
			"(1 + exp(-x))"),
		param.AnyOf(&l.Optimizer, "optimizer",
			"how weights follow gradients: Adam, descent with momentum, or plain "+
				"descent").Also("solver"),
		param.Float(&l.LearningRate, "learning_rate", 0.005, 0, 1e6,
			"factor on each step; plain descent needs more, 0.1 or so", param.ExcludeMin).TuneLog(1e-4, 0.1),
		param.Float(&l.Momentum, "momentum", 0.9, 0, 0.9999,
			"fraction of a step that is added to the next one (optimizer=momentum)"),
		param.Int(&l.Batch, "batch", 32, 0, math.MaxInt32, "rows of a step",
			param.Zero("all")).Also("batch_size"),
		param.Int(&l.Epochs, "epochs", 50, 1, math.MaxInt32,
			"passes over the rows").Also("max_iter"),
		param.Float(&l.L2, "l2", 1e-4, 0, 1e6,
			"penalty on half of the squared weights, beside the mean loss").TuneLog(1e-6, 0.1),
		param.Float(&l.Dropout, "dropout", 0, 0, 0.99,
			"fraction of the hidden units that are left out for each training row").Tune(0, 0.5),
		param.Int(&l.EarlyStopping, "early_stopping", 0, 0, math.MaxInt32,
			"passes without a lower loss on the validation set that end the training; the model "+
				"gets the best weights; without a validation set it has no effect",
			param.Zero("never")),
		weighting.ClassWeight(&l.ClassWeight),
	}
}

// Capabilities implements learn.Learner. For each row and class there are outputs, their errors,
// and predictions.
func (l *Learner) Capabilities() learn.Capabilities {
	c := learn.Capabilities{RowClassBytes: 32,
		Summary: func() learn.Summary { return new(summary) }}
	if l.EarlyStopping > 0 {
		c.Validation = learn.Validation{EarlyStopping: true}
	}
	return c
}

// summary is what training found; it is kept as JSON in the model's Spec.
type summary struct {
	fitting.Encoded
	Epochs int     `json:"epochs"` // that were trained
	Loss   float64 `json:"loss"`   // mean of the last one, on its way
	// with early stopping: whose weights the model has
	Best      int     `json:"best_epoch,omitempty"`
	ValidLoss float64 `json:"valid_loss,omitempty"` // mean there, on the validation set
}

// Prepare checks the parameters and fits the encoding.
func (l *Learner) Prepare(_ context.Context, features data.Features, rows []int32, weight []float64,
	_ learn.Env) (learn.Fitter, error) {
	return fitting.Prepared(l, features, rows, fitting.Vectors(Name, weight, maxWidth), (*Learner).fit)
}

// summary returns what a training found.
func (j *job) summary(t *training) *summary {
	counted := report.Trained{Rows: len(j.rows), Weightless: j.weightless}
	return &summary{Encoded: fitting.Encoded{Trained: counted, Encoding: j.Report}, Epochs: t.epochs,
		Loss: t.loss, Best: t.bestAt, ValidLoss: t.bestLoss}
}
