package learn

import "github.com/coppice-ml/coppice/model"

// Merger is a Learner whose models can be trained in parts.
type Merger interface {
	Learner // with a parameter shard, I/N, for the I-th of N parts
	// Merge joins all parts of a model, in any order, to the model that training it at once makes: the same, byte for
	// byte. It is an error if the models are not all the parts of one.
	Merge(parts []model.Model) (model.Model, error)
}
