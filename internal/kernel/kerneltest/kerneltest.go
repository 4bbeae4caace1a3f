// Package kerneltest runs tests of packages that lean on kernels with each form of these that the
// processor has.
package kerneltest

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// short are the paths of the short tier.
var short = []string{"plain", "AVX2", "AVX-512 that does all"}

// EachPath runs a test on each path that kernels may take (kernel.Paths). Those that the processor
// does not have are skipped, with the names of the missing instructions. The short tier takes the
// plain path, and those of most forms with AVX2 and with AVX-512.
func EachPath(t *testing.T, test func(t *testing.T)) {
	for _, p := range kernel.Paths() {
		if testing.Short() && !slices.Contains(short, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			p.Take(t)
			test(t)
		})
	}
}
