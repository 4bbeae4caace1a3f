package boost

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
)

// Where splits are compared by weights, these take the place of second derivatives for each output.
// Noise is in proportion to the root of the mean square of each output's gradients.
func TestWeightsInPlaceOfHessians(t *testing.T) {
	ds := classesTable(t, 60)
	ds.Target.Weight = nil
	for i := range 60 {
		ds.Target.Weight = append(ds.Target.Weight, float64(1+i%3))
	}
	b := begun(t, ds, learn.Job{Workers: 1}, func(c *Config) {
		c.Trees, c.Engine.Leaves, c.ByWeight, c.Noise = 1, 3, true, 0.5
	})
	d := b.derivatives.(*storedDerivatives)
	if err := d.update(&roundPlan{number: 1}); err != nil {
		t.Fatal(err)
	}
	outputs := len(d.h) / 60
	if outputs < 3 || !slices.Equal(d.h, slices.Repeat(ds.Target.Weight, outputs)) {
		t.Errorf("second derivatives %v of %d outputs", d.h, outputs)
	}
	for o, got := range d.deviation {
		sum := 0.0
		for _, g := range d.g[o*60 : (o+1)*60] {
			sum += g * g
		}
		if want := math.Sqrt(sum / 60); math.Abs(got-want) > 1e-12 || want == 0 {
			t.Errorf("output %d: deviation %v, want %v", o, got, want)
		}
	}
	if len(d.deviation) != outputs {
		t.Errorf("%d deviations", len(d.deviation))
	}
}

// A category that no row of the training set has is new to trees on ordered categories, whether or
// not other rows were prepared that have it.
func TestCategoriesOfOtherRows(t *testing.T) {
	const rows = 120
	ds := withCategories(t, rows, false)
	column := slices.IndexFunc(ds.Columns, func(c data.Column) bool { return c.Codes() != nil })
	codes := ds.Columns[column].Codes()
	for i, y := range ds.Target.Y[0] {
		ds.Target.Y[0][i] = y + 3*float64(codes[i]%4)
	}
	train := slices.DeleteFunc(data.AllRows(rows), func(r int32) bool { return codes[r] == 4 })
	for _, encoding := range []table.Encoding{table.OrdinalEncoding, table.NativeEncoding} {
		run := func(prepared []int32) *Training {
			b, err := beginOn(t, ds, prepared, learn.Env{Workers: 1}, learn.Job{Seed: 3, Workers: 1, Rows: train}, func(c *Config) {
				c.Trees, c.Engine.Leaves, c.Categories, c.User = 4, 6, encoding, anyone{}
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			return b
		}
		all, own := run(nil), run(train)
		if !reflect.DeepEqual(all.ensemble.model.Trees, own.ensemble.model.Trees) {
			t.Errorf("categories %v: another model where all rows were prepared", encoding)
		}
		tests := false
		for _, one := range own.ensemble.model.Trees {
			tests = tests || len(one.Sets) > 0
		}
		if !tests {
			t.Errorf("categories %v: no tree splits by them", encoding)
		}
	}
}
