// Package shapley owns the Shapley values of models. Those of weighted sums of trees and linear
// models are exact: each part is explained by itself, and its contributions are added up. Those of
// models of any kind are estimated by sampled orders of their columns. It knows models and tables;
// package explain says what users may choose, and which class values point towards.
package shapley

import (
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/shapley/internal/trees"
)

// ErrNoBackground is for a background table without rows.
var ErrNoBackground = errors.New("the background table has no rows")

// ErrNoCover is for trees that keep no training weights, if there is no table to count.
var ErrNoCover = trees.ErrNoCover

// NotCoveredError names a kind of node whose Shapley values are not defined, or have no bound of
// their cost.
type NotCoveredError = trees.UnsupportedError

// Options are the choices that explain.ShapleyOptions documents.
type Options struct {
	Background *data.Frame
	Cover      *data.Frame
	Rounds     int
	Workers    int
	Memory     int64
}

// defaultMemory is what tables take unless Options have another number.
const defaultMemory = 256 << 20

// Values are what features, or pairs of them, contribute to the scores of rows. Those of score k of
// row r begin at (r*len(Bias) + k)*width. The width is the number of features, or its square.
type Values struct {
	Bias   []float64 // by score
	Values []float64
	width  int
}

func newValues(bias []float64, rows, width int) *Values {
	return &Values{bias, make([]float64, rows*len(bias)*width), width}
}

// row returns the values of a score of a row: a view.
func (v *Values) row(row, score int) []float64 {
	return v.Values[(row*len(v.Bias)+score)*v.width:][:v.width]
}
