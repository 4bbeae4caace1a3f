package explain

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// TestBlocks: the rows of a wide table come in order, block by block, and with their bias the
// contributions of each add up to its raw score.
func TestBlocks(t *testing.T) {
	const rows, columns = 500, 10_000
	m := data.CSR{Start: []int{0}, Columns: columns}
	y := make([]float64, rows)
	for i := range rows {
		for j := range 10 {
			m.Index = append(m.Index, int32(j*1000+i%7))
			m.Value = append(m.Value, float64(1+i*(j+3)%11))
		}
		m.Start = append(m.Start, len(m.Index))
		y[i] = float64(i * 5 % 11)
	}
	f, err := data.FromCSR(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f,
		Target: data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}}
	l := gbm.New()
	if err := l.Params().Set([]string{"trees=3", "min_leaf=2"}); err != nil {
		t.Fatal(err)
	}
	trained, err := coppice.Train(t.Context(), l, ds)
	if err != nil {
		t.Fatal(err)
	}
	p, err := trained.Bind(&f.Schema, model.Options{Output: model.Raw})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, rows)
	if err := p.Predict(want, f, nil); err != nil {
		t.Fatal(err)
	}
	whole := &data.RowBlock{Frame: f}
	parts := func(yield func(*data.RowBlock, error) bool) { yield(whole, nil) }
	e := &explained{model: trained, parts: parts, table: whole, output: model.Raw}
	if e.columns, err = newColumns(trained, ""); err != nil {
		t.Fatal(err)
	}
	next, blocks := 0, 0
	err = e.each(t.Context(), func(row int, of rowValues) error {
		if row != next {
			t.Fatalf("row %d comes where %d should", row, next)
		}
		if next++; of.at == 0 {
			blocks++
		}
		sum := of.Bias[0]
		for _, x := range of.Row(of.at, 0) {
			sum += x
		}
		if math.Abs(sum-want[row]) > 1e-9 {
			t.Errorf("row %d: the contributions add up to %v, its score is %v", row, sum, want[row])
		}
		return nil
	})
	if err != nil || next != rows || blocks < 2 {
		t.Errorf("%d rows in %d blocks, error %v", next, blocks, err)
	}
}
