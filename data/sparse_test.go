package data_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

// twins are the same table twice: sparse or in single precision, and dense in double precision.
type twins struct{ sparse, dense *data.Frame }

// drawTwins makes tables of random columns, of which some have NaN for what is absent.
func drawTwins(t *rapid.T, label string, width int) twins {
	rows := rapid.IntRange(0, 60).Draw(t, label+" rows")
	var columns [2][]data.Column
	schema := data.Schema{}
	for j := range width {
		absent := rapid.SampledFrom([]float64{0, math.NaN()}).Draw(t, "absent")
		values := make([]float64, rows)
		var row []int32
		var stored []float64
		for i := range values {
			values[i] = absent
			if rapid.IntRange(0, 3).Draw(t, "stored") == 0 {
				values[i] = rapid.SampledFrom([]float64{0, 1, -2.5, math.NaN(), math.Inf(1),
					1e300}).Draw(t, "value")
				row, stored = append(row, int32(i)), append(stored, values[i])
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "single") == 0 {
			single := make([]float32, rows)
			for i, v := range values {
				single[i] = float32(v)
				values[i] = float64(single[i])
			}
			columns[0] = append(columns[0], data.Numbers32(single))
		} else {
			columns[0] = append(columns[0], data.Sparse(rows, absent, row, stored))
		}
		columns[1] = append(columns[1], data.Numbers(values))
		schema.Fields = append(schema.Fields, data.Field{Name: string(rune('a' + j))})
	}
	var frames [2]*data.Frame
	for k := range frames {
		f, err := data.NewFrame(schema, columns[k])
		if err != nil {
			t.Fatal(err)
		}
		frames[k] = f
	}
	return twins{frames[0], frames[1]}
}

// same fails unless two tables have the same values, by every way to read them.
func (w twins) same(t *rapid.T, what string) {
	a, b := w.sparse, w.dense
	if a.Rows() != b.Rows() || len(a.Columns) != len(b.Columns) {
		t.Fatalf("%s: %d rows, want %d", what, a.Rows(), b.Rows())
	}
	rows := rapid.SliceOfN(rapid.Int32Range(0, int32(max(a.Rows(), 1)-1)), 0, 30).Draw(t, "rows")
	if a.Rows() == 0 {
		rows = nil
	}
	if rapid.Bool().Draw(t, "ascending") {
		slices.Sort(rows)
	}
	from := rapid.IntRange(0, a.Rows()).Draw(t, "from")
	to := rapid.IntRange(from, a.Rows()).Draw(t, "to")
	for j := range a.Columns {
		x, y := &a.Columns[j], &b.Columns[j]
		if !x.Equal(*y) || !y.Equal(*x) || x.Len() != y.Len() || x.Codes() != nil {
			t.Fatalf("%s: column %d: %v, want %v", what, j, x.Numbers(), y.Numbers())
		}
		wantNumbers(t, x.Numbers(), y.Numbers())
		wantNumbers(t, x.NumbersIn(from, to, make([]float64, to-from+1)), y.Numbers()[from:to])
		picked, want := make([]float64, len(rows)), make([]float64, len(rows))
		x.PickNumbers(picked, rows)
		y.PickNumbers(want, rows)
		wantNumbers(t, picked, want)
		if _, _, absent, sparse := x.Stored(); sparse && slices.IsSorted(rows) {
			places, stored := x.AppendStored(nil, nil, rows)
			for i := range picked {
				picked[i] = absent
			}
			for i, at := range places {
				picked[at] = stored[i]
			}
			wantNumbers(t, picked, want)
		}
		for i, row := range rows {
			wantNumbers(t, []float64{x.Number(int(row))}, want[i:i+1])
			if a.IsMissing(int(row), j) != math.IsNaN(want[i]) {
				t.Fatalf("%s: column %d, row %d: IsMissing of %v", what, j, row, want[i])
			}
		}
	}
	summary := func(f *data.Frame) string {
		text, err := json.Marshal(data.Describe(f, 1))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if diff := cmp.Diff(summary(b), summary(a)); diff != "" {
		t.Fatalf("%s: %s", what, diff)
	}
	for _, chosen := range [][]int32{nil, rows} {
		one, other := data.Dataset{Frame: a}, data.Dataset{Frame: b}
		if one.Hash(chosen, 1) != other.Hash(chosen, 1) {
			t.Fatalf("%s: another hash of the rows %v", what, chosen)
		}
	}
}

func wantNumbers(t *rapid.T, got, want []float64) {
	if a, b := data.Numbers(got), data.Numbers(want); !a.Equal(b) {
		t.Fatalf("%v, want %v", got, want)
	}
}

func TestSparseColumnsBehaveAsDenseOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawTwins(t, "table", rapid.IntRange(1, 4).Draw(t, "width"))
		w.same(t, "whole")
		twins{w.sparse.Select([]int{0}), w.dense.Select([]int{0})}.same(t, "selected")
		if n := w.sparse.Rows(); n > 0 {
			rows := rapid.SliceOfN(rapid.Int32Range(0, int32(n-1)), 0, 90).Draw(t, "subset")
			if rapid.Bool().Draw(t, "sorted") {
				slices.Sort(rows)
			}
			part := w.sparse.Subset(rows)
			for j := range part.Columns {
				if part.Columns[j].IsSparse() != w.sparse.Columns[j].IsSparse() ||
					part.Columns[j].InPlace() {
					t.Fatal("a subset is stored in another way")
				}
			}
			twins{part, w.dense.Subset(rows)}.same(t, "subset")
		}
		more := drawTwins(t, "more", len(w.sparse.Columns))
		for _, pair := range [][2]*data.Frame{{w.sparse, more.sparse}, {w.sparse, more.dense},
			{w.dense, more.sparse}} {
			joined, err := data.Concat(pair[0], pair[1])
			if err != nil {
				t.Fatal(err)
			}
			want, err := data.Concat(w.dense, more.dense)
			if err != nil {
				t.Fatal(err)
			}
			twins{joined, want}.same(t, "concatenated")
		}
	})
}

// A split of a sparse table finds the whole again, also where a set stores no row of a column.
func TestSplitOfSparseTable(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "z"}}},
		[]data.Column{data.Sparse(12, 0, []int32{1, 4, 8}, []float64{3, 2, 5}),
			data.Sparse(12, math.NaN(), []int32{2}, []float64{1})})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Task: data.Regression,
		Y: [][]float64{make([]float64, 12)}}}
	for i := range 12 {
		ds.Target.Time = append(ds.Target.Time, int64(i))
	}
	train, _, test, err := split.HoldOut{Kind: split.ByTime, Test: .5}.Dataset(ds)
	if err != nil {
		t.Fatal(err)
	}
	wantColumn(t, train.Columns[0], 0, 3, 0, 0, 2, 0)
	wantColumn(t, test.Columns[0], 0, 0, 5, 0, 0, 0)
	if !math.IsNaN(test.Columns[1].Number(2)) {
		t.Error("the value of row 8 is not missing")
	}
	all, _, _, err := train.With(test)
	if err != nil {
		t.Fatal(err)
	}
	if _, stored, _, _ := all.Columns[0].Stored(); &stored[0] != &values(ds, 0)[0] {
		t.Error("the sets were copied to make the whole")
	}
	test.Columns[0] = data.Sparse(6, 0, []int32{2}, []float64{5})
	if all, _, _, err = train.With(test); err != nil {
		t.Fatal(err)
	}
	if _, stored, _, _ := all.Columns[0].Stored(); &stored[0] == &values(ds, 0)[0] {
		t.Error("a set with another column counts as part of the whole")
	}
	wantColumn(t, all.Columns[0], 0, 3, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0)
}

// values returns the stored values of a column.
func values(ds *data.Dataset, column int) []float64 {
	_, stored, _, _ := ds.Columns[column].Stored()
	return stored
}

func wantColumn(t *testing.T, c data.Column, want ...float64) {
	t.Helper()
	if !c.Equal(data.Numbers(want)) {
		t.Errorf("%v, want %v", c.Numbers(), want)
	}
}

func TestNewFrameRefusesSparse(t *testing.T) {
	numbers := func(n int) []float64 { return make([]float64, n) }
	for _, c := range []struct {
		kind   data.Kind
		column data.Column
		want   string
	}{
		{data.Numeric, data.Sparse(-1, 0, nil, nil), `column "a": a sparse column of -1 rows`},
		{data.Numeric, data.Sparse(3, 0, []int32{1}, nil), `column "a": 0 values for 1 stored rows`},
		{data.Numeric, data.Sparse(3, 1, nil, nil), `column "a": the value of rows that are not stored is 1, want 0 or NaN`},
		{data.Numeric, data.Sparse(3, 0, []int32{-1}, numbers(1)), `column "a": there is no row -1`},
		{data.Numeric, data.Sparse(3, 0, []int32{1, 1}, numbers(2)), `column "a": the stored rows do not ascend: row 1 follows row 1 at place 1`},
		{data.Numeric, data.Sparse(3, 0, []int32{2, 1}, numbers(2)), `column "a": the stored rows do not ascend: row 1 follows row 2 at place 1`},
		{data.Numeric, data.Sparse(3, 0, []int32{3}, numbers(1)), `column "a": row 3 is stored, and there are 3 rows`},
		{data.Categorical, data.Sparse(3, 0, nil, nil), `column "a" is categorical and holds numbers`},
		{data.Date, data.Sparse(3, 0, []int32{2}, []float64{math.Inf(1)}), `column "a", row 2: the date is infinite`},
	} {
		_, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "a", Kind: c.kind}}},
			[]data.Column{c.column})
		wantError(t, err, c.want)
	}
}
