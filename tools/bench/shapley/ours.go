//go:build linux

package shapley

import (
	"context"
	"runtime"
	"strconv"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tools/bench/tables/recipe"
)

// columns is the width of the table higgs.
var columns = recipe.ByName("higgs").Features

// explainRows is the job of our ways: path, background or row. The arguments are the model, the
// rows, their number, threads, the number of background rows, and the file for the contributions.
// The background is rows that come before those of the training.
func explainRows(what string, a []string) (*pairs.Result, error) {
	m, err := coppice.Open(a[0])
	if err != nil {
		return nil, err
	}
	var n [3]int
	for i := range n {
		if n[i], err = strconv.Atoi(a[2+i]); err != nil {
			return nil, err
		}
	}
	rows, threads := n[0], n[1]
	runtime.GOMAXPROCS(threads)
	x, err := exchange.ReadAll[float32](a[1])
	if err != nil {
		return nil, err
	}
	x = x[:rows*columns]
	o := explain.ShapleyOptions{Workers: threads}
	if what == "background" {
		values, _ := recipe.ByName("higgs").Matrix(0, n[2])
		if o.Background, err = frame(values); err != nil {
			return nil, err
		}
	}
	ctx := context.Background()
	start := time.Now()
	f, err := frame(x)
	if err != nil {
		return nil, err
	}
	if what == "row" {
		return single(ctx, m, f, o)
	}
	c, err := explain.Shapley(ctx, m, f, nil, o)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(start).Seconds()
	all := make([]float64, 0, rows*(columns+1))
	for row := range rows {
		all = append(append(all, c.Row(row, 0)...), c.Bias[0])
	}
	return result(seconds, rows), exchange.WriteNumbers(a[5], all)
}

func frame(x []float32) (*data.Frame, error) {
	return data.FromMatrix(data.RowMajor[float32]{Values: x, Columns: columns}, nil)
}

// single explains rows one by one, after tables were made.
func single(ctx context.Context, m model.Model, f *data.Frame, o explain.ShapleyOptions) (
	*pairs.Result, error) {
	e, err := explain.NewShapleyExplainer(ctx, m, &f.Schema, o)
	if err != nil {
		return nil, err
	}
	row, dst := make([]float64, columns), make([]float64, e.Scores*columns)
	start := time.Now()
	for i := range f.Rows() {
		for c := range row {
			row[c] = f.Columns[c].Number(i)
		}
		if err := e.Row(dst, row); err != nil {
			return nil, err
		}
	}
	return result(time.Since(start).Seconds(), f.Rows()), nil
}

// result has the most memory that this process had. Unlike the figure of getrusage, that of the
// program that started it does not count.
func result(seconds float64, rows int) *pairs.Result {
	return &pairs.Result{Seconds: seconds, Facts: map[string]float64{"rows": float64(rows),
		"peak": pairs.Memory("VmHWM")}}
}
