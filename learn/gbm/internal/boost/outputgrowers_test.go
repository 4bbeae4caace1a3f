package boost

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/model"
)

// classesTable is rows of six columns and of five classes, the last of which has one row.
func classesTable(t *testing.T, rows int) *data.Dataset {
	t.Helper()
	s := rng.New(9)
	columns := make([]data.NamedColumn, 6)
	for j := range columns {
		columns[j] = data.NamedColumn{Name: "x" + strconv.Itoa(j), Values: make([]float64, rows)}
	}
	class := make([]uint32, rows)
	for i := range rows {
		for j := range columns {
			columns[j].Values.([]float64)[i] = s.Float64()
		}
		a, b := columns[0].Values.([]float64)[i], columns[1].Values.([]float64)[i]
		class[i] = uint32(2*a+s.Float64()) + uint32(a*b+0.5)
	}
	class[0] = 4
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Multiclass,
		Class: class, Classes: []string{"a", "b", "c", "d", "e"}}}
}

// TestTreesBesideEachOther: models are the same whether trees of a round grow one after the other
// or at the same time, on all prepared rows or on some of them. Of five classes, with two or four
// growers, one is left over.
func TestTreesBesideEachOther(t *testing.T) {
	ds := classesTable(t, 9000)
	var train, valid []int32
	for i := range int32(9000) {
		if i%9 == 1 {
			valid = append(valid, i)
		} else {
			train = append(train, i)
		}
	}
	for _, of := range []struct {
		name   string
		change func(c *Config)
	}{
		{"all columns", func(c *Config) { c.Engine.ColumnsByTree = 1 }},
		{"half of the columns", func(c *Config) {
			c.Engine.ColumnsByTree, c.ValidFraction = 0.5, 0.2
		}},
		{"some rows", func(c *Config) { c.Fraction = 0.7 }},
		{"one class against the others", func(c *Config) {
			c.Loss.Name, c.LearningRate = "one_vs_all", 1
		}},
	} {
		for _, job := range []learn.Job{{Seed: 3}, {Seed: 3, Rows: train, Valid: valid}} {
			var want model.Model
			for _, workers := range []int{1, 2, 4} {
				job.Workers = workers
				b := begun(t, ds, job, func(c *Config) {
					c.Trees, c.Engine.Leaves = 4, 7
					of.change(c)
				})
				grower := b.grower.(*scalarGrower)
				if got := grower.atOnce != nil; got != (workers > 1) {
					t.Errorf("%s, %d workers: trees beside each other: %v", of.name, workers, got)
				}
				if err := b.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				got := b.ensemble.model
				if want == nil {
					want = got
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: another model by %d workers", of.name, workers)
				}
			}
		}
	}
}

// Growers take no more memory than derivatives of all outputs would, but there are two at least.
func TestMemoryOfGrowersBesideEachOther(t *testing.T) {
	m := &bins.Matrix{Columns: make([]bins.Column, 6)}
	for _, c := range []struct {
		outputs int
		byTree  float64
		want    int
	}{{3, 1, 4}, {2, 1, 2}, {1, 1, 2}, {9, 0.5, 9}, {10, 0.5, 10}, {30, 0.25, 35}} {
		o := hist.Config{Columns: hist.Columns{ColumnsByTree: c.byTree}}
		if got := mostBeside(m, &o, c.outputs); got != c.want {
			t.Errorf("%d outputs, %v of the columns: %d growers, want %d", c.outputs, c.byTree, got, c.want)
		}
	}
}
