package learntest_test

import (
	"testing"

	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
)

// TestCatalog runs the suite on every learner there is.
func TestCatalog(t *testing.T) {
	for _, row := range catalog.Table() {
		t.Run(row.Name, func(t *testing.T) { learntest.Run(t, row.New, row.Needs) })
	}
}
