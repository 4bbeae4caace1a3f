// Package kerneltest runs tests of packages that lean on kernels with each form of these that the
// processor has.
package kerneltest

import (
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// EachPath runs a test on each path that kernels may take (kernel.Paths). Those that the processor
// does not have are skipped, with the names of the missing instructions.
func EachPath(t *testing.T, test func(t *testing.T)) {
	for _, p := range kernel.Paths() {
		t.Run(p.Name, func(t *testing.T) {
			p.Take(t)
			test(t)
		})
	}
}
