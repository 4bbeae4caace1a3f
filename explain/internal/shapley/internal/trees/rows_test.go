package trees

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
)

// Single rows have the numbers of the definition with and without the processor's vectors, also
// those of trees without splits.
func TestRowsOfEachPath(t *testing.T) {
	kerneltest.EachPath(t, func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			c := newCase(t, Singles, false)
			g, err := newGames(&c.source, nil)
			if err != nil {
				t.Fatal(err)
			}
			c.check(t, "row by row", newSingly(g))
		})
	})
}
