// Package hist owns the engine that grows trees on histograms of gradients: on columns in bins, by the second-order
// gain of Chen and Guestrin (2016), equation 7.
package hist

import (
	"context"

	"github.com/coppice-ml/coppice/grow/bins"
)

// Grower grows trees, one after the other, on one matrix. It keeps the memory that a tree needs. It is not safe for
// concurrent use; any number of growers may share a matrix.
type Grower struct {
	m *bins.Matrix
	c Config
}

// NewGrower returns a grower of trees on a matrix.
func NewGrower(m *bins.Matrix, c Config) *Grower { return &Grower{m: m, c: c} }

// Grow grows a tree on some rows of the matrix, ascending and distinct; nil = all. Gradients g and hessians h are by row
// of the matrix. What is drawn at random comes from the stream of seed. On a cancelled context it returns ctx.Err().
func (r *Grower) Grow(ctx context.Context, g, h []float64, rows []int32, seed uint64) (*Grown, error) {
	return &Grown{grower: r}, ctx.Err()
}
