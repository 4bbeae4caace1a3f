package gbm_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
)

// sparseTables returns a table twice, with dense and with sparse columns: of many columns few rows
// have a value, one column is dense, and one has categories.
func sparseTables(t *testing.T, rows int, task data.Task) (dense, sparse *data.Dataset) {
	t.Helper()
	s := rng.New(6)
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: task, Y: [][]float64{nil}}}
	var schema data.Schema
	var columns, stored []data.Column
	score := make([]float64, rows)
	for j := range 80 {
		x, away := make([]float64, rows), []int{150, 60, 30, 10}[j%4]
		absent := []float64{0, 0, math.NaN()}[j%3]
		var row []int32
		var value []float64
		for i := range x {
			if x[i] = absent; s.Intn(away) > 0 {
				continue
			}
			x[i] = float64(s.Intn(30)-10) / 4
			if score[i] += x[i] * float64(j%7-3); s.Intn(20) == 0 {
				x[i] = math.NaN()
			}
			row, value = append(row, int32(i)), append(value, x[i])
		}
		schema.Fields = append(schema.Fields, data.Field{Name: fmt.Sprint("x", j)})
		columns = append(columns, data.Numbers(x))
		stored = append(stored, data.Sparse(rows, absent, row, value))
	}
	number, code := make([]float64, rows), make([]uint32, rows)
	for i := range rows {
		number[i], code[i] = s.Float64(), uint32(s.Intn(5))
		score[i] += 4*number[i] + float64(code[i]%3) + s.Float64()
		ds.Target.Weight = append(ds.Target.Weight, 1+float64(i/20%7)/10)
		ds.Target.Group = append(ds.Target.Group, int64(i/20))
	}
	more := []data.Column{data.Numbers(number), data.Codes(code)}
	schema.Fields = append(schema.Fields, data.Field{Name: "number"}, data.Field{Name: "code",
		Kind: data.Categorical, Levels: []string{"a", "b", "c", "d", "e"}})
	labels(ds, score)
	twin := *ds
	for k, to := range []*data.Dataset{ds, &twin} {
		f, err := data.NewFrame(schema, slices.Concat([][]data.Column{columns, stored}[k], more))
		if err != nil {
			t.Fatal(err)
		}
		to.Frame = f
	}
	return ds, &twin
}

// labels makes labels of scores that suit the task.
func labels(ds *data.Dataset, score []float64) {
	t := &ds.Target
	if t.Task == data.Regression {
		t.Y[0] = score
		return
	}
	t.Y[0] = nil
	for _, v := range score {
		t.Class = append(t.Class, uint32(min(2, max(0, v/4+1))))
		t.Y[0] = append(t.Y[0], math.Floor(min(4, max(0, v/4+1))))
	}
	switch t.Task {
	case data.Ranking:
		t.Class = nil
	default:
		t.Y, t.Classes = nil, []string{"0", "1", "2"}
	}
}

// TestSparseStorage: the storage of a table decides nothing of a model, whatever is set, with
// listed columns among the others.
func TestSparseStorage(t *testing.T) {
	rows := tier.Count(600, 1200, 1200)
	valid := rows / 4
	for _, c := range []struct {
		task     data.Task
		settings []string
	}{
		{data.Regression, nil},
		{data.Regression, []string{"min_leaf=20", "sampling=goss", "categories=native"}},
		{data.Regression, []string{"linear_tree=true", "leaves=6"}},
		{data.Regression, []string{"growth=symmetric", "depth=4"}},
		{data.Regression, []string{"boosting=dart", "monotone=x2=1", "min_bin=3"}},
		{data.Regression, []string{"boosting=ordered", "categories=target", "leaves=8"}},
		{data.Regression, []string{"loss=absolute", "extra_trees=true"}},
		{data.Regression, []string{"compat=lightgbm", "min_leaf=5"}},
		{data.Regression, []string{"compat=xgboost", "growth=depth", "depth=4"}},
		{data.Multiclass, []string{"colsample=0.5"}},
		{data.Multiclass, []string{"multi_output=true", "min_leaf=4"}},
		{data.Ranking, []string{"loss=lambdamart", "leaves=10"}},
	} {
		t.Run(fmt.Sprint(c.task, c.settings), func(t *testing.T) {
			dense, sparse := sparseTables(t, rows, c.task)
			all := data.AllRows(rows)
			job := learn.Job{Seed: 3, Rows: all[:rows-valid], Valid: all[rows-valid:]}
			want := ""
			for _, ds := range []*data.Dataset{dense, sparse} {
				for _, job.Workers = range []int{1, 3} {
					if testing.Short() && (ds == sparse) != (job.Workers == 3) {
						continue
					}
					l := learner(t, append([]string{"trees=6", "learning_rate=0.2"},
						c.settings...)...)
					f, err := l.Prepare(t.Context(), ds.Frame, job.Rows, ds.Target.Weight,
						learn.Env{Workers: job.Workers})
					if err != nil {
						t.Fatal(err)
					}
					m, err := f.Fit(t.Context(), &ds.Target, job)
					if err != nil {
						t.Fatal(err)
					}
					got := fmt.Sprint(fingerprint(m), string(m.Spec().Summary))
					if want == "" {
						want = got
					}
					if got != want {
						t.Errorf("sparse: %v, %d workers: %s, want %s", ds == sparse, job.Workers,
							got, want)
					}
				}
			}
		})
	}
}
