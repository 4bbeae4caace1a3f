package eval_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// least is the least limit of memory.
const least memory.Limit = 1 << 20

// blocksOf is a frame in blocks of some rows.
type blocksOf struct {
	*data.Frame
	rows int
}

func (b *blocksOf) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		all := data.AllRows(b.Rows())
		for first := 0; first < len(all); first += b.rows {
			if !yield(data.RowBlock{Frame: b.Subset(all[first:min(first+b.rows, len(all))]), First: first}, nil) {
				return
			}
		}
	}
}

// labeledTable is a table of a feature x from 0 to 3, and labels, weights and groups.
func labeledTable(t *testing.T, rows int) *data.Frame {
	t.Helper()
	random := rng.New(3)
	columns := make([][]float64, 5)
	for range rows {
		for c, v := range []float64{float64(random.Intn(4)), float64(random.Intn(2)), float64(random.Intn(3)), random.Float64(),
			float64(len(columns[0]) / 9)} {
			columns[c] = append(columns[c], v)
		}
	}
	var named []data.NamedColumn
	for c, name := range []string{"x", "class", "grade", "w", "g"} {
		named = append(named, data.NamedColumn{Name: name, Values: columns[c], Categorical: name == "class"})
	}
	f, err := data.FromColumns(named...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Evaluation in blocks has the reports of evaluation in memory, to the last bit, with little memory
// and much, with labels that are read with the features and with labels in memory. All rows pass
// Each. Nothing is left of scratch files.
func TestEvaluateBlocks(t *testing.T) {
	const rows = 70_000 // so that the least memory does not hold what is kept of them
	f, folder := labeledTable(t, rows), t.TempDir()
	some := data.AllRows(rows)[rows/3:]
	for task, label := range map[data.Task]string{data.Binary: "class", data.Regression: "grade", data.Ranking: "grade", data.Survival: "grade"} {
		for _, weight := range []string{"", "w"} {
			if testing.Short() && weight == "" && task != data.Survival {
				continue
			}
			if weight != "" && task == data.Survival {
				continue // pairs of rows take long
			}
			r := data.Roles{Label: label, Weight: weight, Task: task, Ignore: []string{"w", "g", "class", "grade"}}
			ignored := map[string]bool{label: true, weight: true}
			if r.Task == data.Binary {
				r.Classes = []string{"0", "1"}
			}
			if task == data.Ranking {
				r.Group, ignored["g"] = "g", true
			}
			var ignore []string
			for _, column := range r.Ignore {
				if !ignored[column] {
					ignore = append(ignore, column)
				}
			}
			r.Ignore = ignore
			ds, err := r.Apply(f)
			if err != nil {
				t.Fatal(err)
			}
			var m model.Model = reported(t, []string{"0", "1"}, []float64{3, 7}, []float64{1, 0}, []float64{5, 5}, []float64{2, 9})
			if task != data.Binary {
				m = rising(t, ds, nil)
			}
			sets := [][]int32{nil, some}
			var want []*eval.Report
			for _, rows := range sets {
				one, err := eval.EvaluateRows(t.Context(), m, ds, rows, model.Options{})
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, one)
			}
			kept, err := r.ApplyBlocks(t.Context(), &blocksOf{f, 30_011})
			if err != nil {
				t.Fatal(err)
			}
			streamed, err := r.StreamBlocks(t.Context(), &blocksOf{f, 1009})
			if err != nil {
				t.Fatal(err)
			}
			for name, c := range map[string]*data.BlockDataset{"in memory": {Dataset: *ds, Features: ds.Frame}, "kept": kept, "streamed": streamed} {
				if testing.Short() && name != "streamed" && task != data.Binary {
					continue
				}
				seen := make([]int, len(sets))
				got, err := eval.EvaluateSets(t.Context(), m, c, sets, eval.SetOptions{Options: model.Options{Memory: least}, Scratch: folder,
					Each: func(set int, s *metric.Sample) { seen[set] += s.Rows() }})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(text(t, want), text(t, got)); d != "" {
					t.Errorf("%s, %s, weights %q: %s", task, name, weight, d)
				}
				if d := cmp.Diff([]int{rows, len(some)}, seen); d != "" {
					t.Error(d)
				}
			}
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// Rows of a table in memory may have any order, in which metrics sum them, also where memory does
// not hold their predictions. Rows that several blocks cannot give in their order are an error.
func TestEvaluateUnorderedRows(t *testing.T) {
	f := labeledTable(t, 5000)
	r := data.Roles{Label: "class", Classes: []string{"0", "1"}, Ignore: []string{"g", "grade"}, Weight: "w"}
	ds, err := r.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	m := reported(t, []string{"0", "1"}, []float64{3, 7}, []float64{1, 1}, []float64{5, 5}, []float64{2, 9})
	rows := append(data.AllRows(5000)[2000:], data.AllRows(2500)...)
	s, err := eval.Sample(t.Context(), m, ds, rows, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, _, err := metric.Evaluate(data.Binary, s)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []memory.Limit{0, 1 << 16} {
		got, err := eval.EvaluateRows(t.Context(), m, ds, rows, model.Options{Memory: limit})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(eval.Metrics(want), got.Metrics); d != "" || got.Rows != len(rows) {
			t.Errorf("memory %d, %d rows: %s", limit, got.Rows, d)
		}
	}
	kept, err := r.ApplyBlocks(t.Context(), &blocksOf{f, 1000})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eval.EvaluateSets(t.Context(), m, kept, [][]int32{rows}, eval.SetOptions{}); err == nil ||
		!strings.Contains(err.Error(), "ascending order") {
		t.Error(err)
	}
}

// Raw scores take the place of predictions where the rows that are compared have the model's.
func TestRawScoresTakeThePlaceOfPredictions(t *testing.T) {
	f := labeledTable(t, 40_000)
	r := data.Roles{Label: "class", Classes: []string{"0", "1"}, Ignore: []string{"w", "g", "grade"}}
	ds, err := r.ApplyBlocks(t.Context(), &blocksOf{f, 30_011})
	if err != nil {
		t.Fatal(err)
	}
	m := reported(t, []string{"0", "1"}, []float64{3, 7}, []float64{1, 0}, []float64{5, 5}, []float64{2, 9})
	n := f.Rows()
	byRow := modeltest.Predict(t, m, f, model.Options{Output: model.Raw}, data.AllRows(n))
	raw := make([]float64, len(byRow))
	for i := range byRow {
		raw[i%2*n+i/2] = byRow[i]
	}
	loss := func(raw []float64) float64 {
		t.Helper()
		got, err := eval.EvaluateSets(t.Context(), m, ds, [][]int32{nil}, eval.SetOptions{Raw: raw})
		if err != nil {
			t.Fatal(err)
		}
		v, _ := got[0].Metrics.Get("logloss")
		return v
	}
	want := loss(nil)
	for name, c := range map[string]struct {
		row  int
		same bool
	}{"none": {-1, true}, "one of the compared rows": {0, true}, "one of the second block": {30_011, true}, "another": {1, false}} {
		own := slices.Clone(raw)
		if c.row >= 0 {
			own[c.row], own[n+c.row] = 0.01, 0.99
		}
		if got := loss(own); (got == want) != c.same {
			t.Errorf("scores that differ in %s: the loss is %v, by predictions %v", name, got, want)
		}
	}
	m.Meta.Schema.Fields[0].Missing = data.Refuse
	if got := loss(make([]float64, len(raw))); got != want {
		t.Errorf("a model that refuses values has the loss %v, want %v", got, want)
	}
}

// A folder without scratch files is an error where one is needed. Errors about a row name that of
// the table, whatever its block.
func TestEvaluateBlocksFails(t *testing.T) {
	f := labeledTable(t, 70_000)
	r := data.Roles{Label: "class", Classes: []string{"0", "1"}, Ignore: []string{"w", "g", "grade"}}
	ds, err := r.StreamBlocks(t.Context(), &blocksOf{f, 1000})
	if err != nil {
		t.Fatal(err)
	}
	m := reported(t, []string{"0", "1"}, []float64{3, 7}, []float64{1, 0})
	none := filepath.Join(t.TempDir(), "none")
	_, err = eval.EvaluateSets(t.Context(), m, ds, [][]int32{nil}, eval.SetOptions{Options: model.Options{Memory: least}, Scratch: none})
	if err == nil || !strings.HasPrefix(err.Error(), "cannot make a scratch file in "+none) {
		t.Error(err)
	}
	coverage := model.NewCoverage(m)
	o := eval.SetOptions{Watch: func(b *data.LabeledBlock) error { return coverage.Add(b.Frame) }}
	if _, err = eval.EvaluateSets(t.Context(), m, ds, [][]int32{nil}, o); err != nil {
		t.Error(err)
	}
	if columns := coverage.Columns(); len(columns) != 1 || columns[0].Rows != 70_000 {
		t.Errorf("%+v are counted", columns)
	}
	f.Columns[0].Numbers()[2345], m.Meta.Schema.Fields[0].Missing = math.NaN(), data.Refuse
	var refused *model.ValueError
	_, err = eval.EvaluateSets(t.Context(), m, ds, [][]int32{nil}, eval.SetOptions{})
	if !errors.As(err, &refused) || refused.Row != 2345 {
		t.Errorf("%v, want the row 2345", err)
	}
}
