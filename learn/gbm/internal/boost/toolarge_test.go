package boost

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
)

// Derivatives whose sums are not finite end a training with the round and advice, whether trees
// have one output or all.
func TestSumsThatAreTooLarge(t *testing.T) {
	for _, several := range []bool{false, true} {
		ds := classesTable(t, 60)
		ds.Target.Weight = slices.Repeat([]float64{1e308}, 60)
		b := begun(t, ds, learn.Job{Workers: 1}, func(c *Config) {
			c.Trees, c.Engine.Leaves, c.MultiOutput, c.BaseScore = 3, 4, several, "0"
		})
		err := b.Run(t.Context())
		if !errors.Is(err, hist.ErrNotFinite) || !strings.HasPrefix(err.Error(), "round 1: ") || !strings.Contains(err.Error(), "divide the labels") {
			t.Errorf("several outputs %v: %v", several, err)
		}
	}
}

// Categories that were left open are reported as target statistics where trees have such columns.
func TestEffectOfStatistics(t *testing.T) {
	b := begun(t, withCategories(t, 60, false), learn.Job{Workers: 1}, func(c *Config) {
		c.Trees, c.Categories = 1, table.AutoEncoding
	})
	if e := b.effect(1); e.Categories != table.NativeEncoding {
		t.Errorf("categories are split by %v", e.Categories)
	}
	own := *b.table
	b.table = &own
	b.table.Inputs.Columns = []input.Column{{Kind: input.Count}}
	if e := b.effect(1); e.Categories != table.TargetEncoding {
		t.Errorf("categories with statistics are split by %v", e.Categories)
	}
	b.setup.Config.Categories = table.OrdinalEncoding
	if e := b.effect(1); e.Categories != table.OrdinalEncoding {
		t.Errorf("categories that were not left open are split by %v", e.Categories)
	}
}
