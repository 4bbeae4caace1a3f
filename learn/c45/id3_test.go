package c45_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// TestPlayTennis: the gains of Quinlan's table, as his paper and every textbook since give them.
func TestPlayTennis(t *testing.T) {
	ds := readLabeled(t, "weather/weather.nominal.csv", "play")
	for column, want := range map[string]string{"outlook": "0.247", "temperature": "0.029",
		"humidity": "0.152", "windy": "0.048"} {
		if got := fmt.Sprintf("%.3f", gain(t, ds, column, nil)); got != want {
			t.Errorf("%s gains %s bit, want %s", column, got, want)
		}
	}
	_, grown := fitID3(t, ds, c45.NewID3(), nil)
	if math.Abs(grown.Stats.Impurity[0]-0.940286) > 1e-6 {
		t.Errorf("entropy %g at the root", grown.Stats.Impurity[0])
	}
}

// TestBuysComputer: the tree of Han & Kamber's table tests the age first, then student or
// credit rating; it has 5 leaves and no training error.
func TestBuysComputer(t *testing.T) {
	ds := readLabeled(t, "buys_computer/buys_computer.csv", "Buys_Computer")
	m, grown := fitID3(t, ds, c45.NewID3(), nil)
	want := map[string]string{"": "Age", "<=30": "Student", "31-40": "", ">40": "Credit_Rating"}
	tested := func(n int32) string {
		if grown.Kind(n) == tree.Leaf {
			return ""
		}
		return ds.Schema.Fields[grown.Feature(n)].Name
	}
	if got := tested(0); got != want[""] {
		t.Fatalf("the root tests %s", got)
	}
	for code, level := range ds.Schema.Fields[grown.Feature(0)].Levels {
		if got := tested(grown.NextCode(0, uint32(code))); got != want[level] {
			t.Errorf("Age %s: tests %q, want %q", level, got, want[level])
		}
	}
	if grown.NumLeaves() != 5 || grown.Depth() != 2 {
		t.Errorf("%d leaves, depth %d", grown.NumLeaves(), grown.Depth())
	}
	for row, got := range labels(t, m, ds.Frame) {
		if got != ds.Target.Class[row] {
			t.Errorf("row %d is predicted %s", row, ds.Target.Classes[got])
		}
	}
}

// labels returns the predicted classes of a table.
func labels(t interface{ Fatal(...any) }, m model.Model, f *data.Frame) []uint32 {
	p, err := m.Bind(&f.Schema, model.Options{Output: model.Label})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows())
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	classes := make([]uint32, len(dst))
	for i, c := range dst {
		classes[i] = uint32(c)
	}
	return classes
}

// TestLevelsWithoutRows: a level that no row of a node has predicts the node's majority; a missing
// or unseen value, the children's classes by their weights.
func TestLevelsWithoutRows(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{{Name: "a", Kind: data.Categorical,
		Levels: []string{"p", "q", "r"}}}}
	f, err := data.NewFrame(schema, []data.Column{data.Codes([]uint32{0, 0, 0, 2, 2})})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Binary,
		Classes: []string{"n", "y"}, Class: []uint32{1, 1, 1, 0, 0}}}
	m, grown := fitID3(t, ds, c45.NewID3(), nil)
	if grown.NumLeaves() != 3 {
		t.Errorf("%d leaves, want one per level", grown.NumLeaves())
	}
	p, err := m.Bind(&schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for value, want := range map[float64]float64{0: 1, 1: 0.6, 2: 0, -1: 0.6} {
		dst := make([]float64, 2)
		if err := p.PredictRow(dst, []float64{value}); err != nil {
			t.Fatal(err)
		}
		if math.Abs(dst[1]-want) > 1e-15 {
			t.Errorf("code %g: probability %g of y, want %g", value, dst[1], want)
		}
	}
}

// problem generates a table of categories with a label that depends on them in part.
func nominalTable(r *rapid.T) *data.Dataset {
	rows, columns := rapid.IntRange(1, 40).Draw(r, "rows"), rapid.IntRange(1, 4).Draw(r, "columns")
	var schema data.Schema
	var cols []data.Column
	for i := range columns {
		levels := []string{"a", "b", "c", "d"}[:rapid.IntRange(1, 4).Draw(r, "levels")]
		schema.Fields = append(schema.Fields,
			data.Field{Name: fmt.Sprint("x", i), Kind: data.Categorical, Levels: levels})
		cols = append(cols, data.Codes(rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(levels)-1)),
			rows, rows).Draw(r, "codes")))
	}
	f, err := data.NewFrame(schema, cols)
	if err != nil {
		r.Fatal(err)
	}
	classes := []string{"k", "l", "m"}[:rapid.IntRange(2, 3).Draw(r, "classes")]
	return &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Multiclass,
		Classes: classes,
		Class: rapid.SliceOfN(rapid.Uint32Range(0, uint32(len(classes)-1)), rows, rows).Draw(r,
			"labels")}}
}

func growID3(r *rapid.T, ds *data.Dataset, rows []int32) (model.Model, *tree.Tree) {
	f, err := c45.NewID3().Prepare(r.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		r.Fatal(err)
	}
	m, err := f.Fit(r.Context(), &ds.Target, learn.Job{Rows: rows})
	if err != nil {
		r.Fatal(err)
	}
	return m, m.(*model.Ensemble).Trees[0]
}

// TestLeavesAreFinished: at every leaf with rows of several classes, all columns are constant or
// gain nothing: then the classes are as frequent in each level.
func TestLeavesAreFinished(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		ds := nominalTable(r)
		_, grown := growID3(r, ds, nil)
		at := map[int32][]int32{}
		for row := range ds.Rows() {
			leaf := grown.Over(ds.Columns).LeafOf(int32(row))
			at[leaf] = append(at[leaf], int32(row))
		}
		for leaf, rows := range at {
			total := make([]float64, len(ds.Target.Classes))
			for _, row := range rows {
				total[ds.Target.Class[row]]++
			}
			for k, v := range grown.Value(leaf) {
				if v != total[k] {
					r.Fatalf("leaf %d has value %v for rows of %v", leaf, grown.Value(leaf), total)
				}
			}
			for i, c := range ds.Columns {
				for code := range ds.Schema.Fields[i].Levels {
					n, counts := 0.0, make([]float64, len(total))
					for _, row := range rows {
						if c.Code(int(row)) == uint32(code) {
							n++
							counts[ds.Target.Class[row]]++
						}
					}
					for k, v := range counts {
						if v*float64(len(rows)) != n*total[k] {
							r.Fatalf("column %d could split leaf %d: %v of level %d, %v in all", i,
								leaf, counts, code, total)
						}
					}
				}
			}
		}
	})
}
