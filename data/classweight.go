package data

import "github.com/coppice-ml/coppice/param"

// ClassWeight is what the weight of a row is multiplied by, by its class. The zero value leaves
// weights as they are.
type ClassWeight struct {
	// Balanced makes all classes weigh the same: rows / (classes x rows of the class).
	Balanced bool
	// Of are the factors of some classes; others have 1. There are none beside Balanced.
	Of []param.Named
}

// Given reports whether there are weights of classes.
func (w *ClassWeight) Given() bool { return w.Balanced || w.Of != nil }
