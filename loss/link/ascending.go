package link

import "slices"

// Ascending puts the scores of a row into ascending order, NaN first: quantiles that were fitted
// one by one and must not cross (Chernozhukov, Fernandez-Val & Galichon 2010).
type Ascending struct{}

// Name returns "ascending".
func (Ascending) Name() string { return "ascending" }

// Apply sorts v.
func (Ascending) Apply(v []float64) { slices.Sort(v) }

// Describe returns a kind of its own.
func (Ascending) Describe() Description { return Description{Kind: Ascending{}, Factor: 1} }
