package boost

import (
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	report "github.com/coppice-ml/coppice/model/training"
)

// What a training has chosen is reported, and all columns of a tree are 1.
func TestEffect(t *testing.T) {
	few := begun(t, orderedTable(t, 60), learn.Job{Workers: 1}, func(c *Config) {
		c.Trees, c.Engine.Leaves, c.LearningRate = 1, 7, 0.25
	})
	want := Effect{Trees: 3, LearningRate: 0.25, Leaves: 7, MinLeaf: few.setup.Config.FewestRows(60), ColumnsByTree: 1,
		ColumnsByNode: 1, Fraction: 1, Steps: 1, Categories: table.NativeEncoding}
	if got := *few.effect(3); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	many := begun(t, classesTable(t, 60), learn.Job{Workers: 1}, func(c *Config) {
		c.Trees, c.Engine.Depth, c.Engine.ColumnsByTree, c.Engine.Policy, c.Steps = 1, 4, 0.5, hist.Symmetric, 2
		c.Categories = table.AutoEncoding
	})
	many.setup.Rehearsal = &report.Rehearsal{}
	many.setup.Choice = &report.Choice{Later: []RateFrom{{Round: 1, Rate: 0.2}}}
	want = Effect{Trees: 1, LearningRate: 0.1, Depth: 4, Leaves: 31, Symmetric: true, MinLeaf: many.setup.Config.FewestRows(60),
		ColumnsByTree: 0.5, ColumnsByNode: 1, Fraction: 1, Steps: 2, Categories: table.AutoEncoding, Rehearsed: true,
		Later: []RateFrom{{Round: 1, Rate: 0.2}}}
	if got := *many.effect(1); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
