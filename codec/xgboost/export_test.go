package xgboost

import (
	"maps"
	"slices"
)

// Objectives returns the names of the objectives that files may have, ascending.
func Objectives() []string { return slices.Sorted(maps.Keys(objectives)) }
