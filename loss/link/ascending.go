package link

import "slices"

// Ascending puts the scores of a row into ascending order, NaN first: quantiles that were fitted
// one by one and must not cross (Chernozhukov, Fernandez-Val & Galichon 2010).
func Ascending() Link { return ascending{} }

type ascending struct{}

// Name returns "ascending".
func (ascending) Name() string { return "ascending" }

// Apply sorts v.
func (ascending) Apply(v []float64) { slices.Sort(v) }

// Describe returns a kind of its own.
func (ascending) Describe() Description { return Description{Kind: ascending{}, Factor: 1} }
