package model

import "errors"

// ErrNoLeaves is returned by Bind for the output Leaf of a model that has neither trees nor rules.
var ErrNoLeaves = errors.New("the model has no leaves: it has neither trees nor rules")
