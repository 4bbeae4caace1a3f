package learntest_test

import (
	"testing"

	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
)

// TestCatalog runs the suite on every learner there is.
func TestCatalog(t *testing.T) {
	for _, row := range catalog.Table() {
		t.Run(row.Name, func(t *testing.T) {
			for _, p := range row.New().Params() {
				if p.Value() != p.Default {
					t.Errorf("%s is %q at the start, its default is %q", p.Name, p.Value(), p.Default)
				}
			}
			learntest.Run(t, row.New, row.Needs)
		})
	}
}
