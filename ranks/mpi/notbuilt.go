//go:build !mpi

package mpi

import "github.com/coppice-ml/coppice/ranks"

// Start returns ErrNotBuilt.
func Start() (ranks.Group, func(status int), error) { return nil, nil, ErrNotBuilt }
