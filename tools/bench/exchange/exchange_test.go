package exchange

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// A table comes back with the chosen rows in the chosen order, missing values included.
func TestRoundTrip(t *testing.T) {
	frame, err := data.FromColumns(
		data.NamedColumn{Name: "size", Values: []float64{1, math.NaN(), 2.5, -4}},
		data.NamedColumn{Name: "colour", Values: []string{"red", "", "blue", "red"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []data.Target{
		{Task: data.Regression, Y: [][]float64{{1, 2, 3, 0.25}}},
		{Task: data.Binary, Classes: []string{"no", "yes"}, Class: []uint32{1, 1, 0, 0}},
		{Task: data.Multiclass, Classes: []string{"a", "b", "c"}, Class: []uint32{2, 1, 0, 0}},
	} {
		dir := filepath.Join(t.TempDir(), "table")
		if err := Write(dir, &data.Dataset{Frame: frame, Target: target},
			[]int32{3, 1, 2}); err != nil {
			t.Fatal(err)
		}
		ds, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := ds.Columns[0].Numbers(); len(got) != 3 || got[0] != -4 || !math.IsNaN(got[1]) ||
			got[2] != 2.5 {
			t.Errorf("numbers are %v", got)
		}
		if got, want := ds.Columns[1].Codes(),
			[]uint32{1, data.MissingCode, 0}; !slices.Equal(got, want) {
			t.Errorf("codes are %v, want %v", got, want)
		}
		if ds.Target.Task != target.Task {
			t.Errorf("task is %s, want %s", ds.Target.Task, target.Task)
		}
		if target.Class == nil {
			if got, want := ds.Target.Y[0], []float64{0.25, 2, 3}; !slices.Equal(got, want) {
				t.Errorf("labels are %v, want %v", got, want)
			}
			continue
		}
		if got, want := ds.Target.Class,
			[]uint32{target.Class[3], target.Class[1], target.Class[2]}; !slices.Equal(got, want) {
			t.Errorf("classes are %v, want %v", got, want)
		}
		if got := ds.Target.NumClasses(); got != len(target.Classes) {
			t.Errorf("%d classes, want %d", got, len(target.Classes))
		}
	}
}
