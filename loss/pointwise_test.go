package loss_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/loss/losstest"
)

// The functions of a loss that the table has make the same objective.
func TestPointwiseIsTheTablesLoss(t *testing.T) {
	squared := &loss.Pointwise{Loss: func(y, x float64) float64 { return (y - x) * (y - x) / 2 },
		Derive: func(y, x float64) (g, h float64) { return x - y, 1 }}
	logistic := &loss.Pointwise{Link: link.Logistic(),
		Loss: func(y, x float64) float64 { return math.Log1p(math.Exp(x)) - y*x },
		Derive: func(y, x float64) (g, h float64) {
			p := 1 / (1 + math.Exp(-x))
			return p - y,
				p * (1 - p)
		}}
	weight, rows := []float64{1, 2, 0, 3, 1}, data.AllRows(5)
	for _, c := range []struct {
		own, table loss.Loss
		target     *data.Target
	}{
		{squared, losstest.New("squared"), &data.Target{Task: data.Regression, Y: [][]float64{{3, -1, 9, 4, 4}}, Weight: weight}},
		{logistic, losstest.New("logistic"), &data.Target{Task: data.Binary, Class: []uint32{0, 1, 1, 1, 0}, Classes: []string{"a", "b"}, Weight: weight}},
	} {
		own, err := c.own.Bind(c.target, rows)
		if err != nil {
			t.Fatal(err)
		}
		table, err := c.table.Bind(c.target, rows)
		if err != nil {
			t.Fatal(err)
		}
		var all [2][]float64
		for i, o := range []loss.Objective{own, table} {
			start, g, h, raw := make([]float64, 1), make([]float64, 5), make([]float64, 5),
				[]float64{1, -2, 0.5, 0, 3}
			o.Init(start)
			o.Gradients(g, h, raw, 2)
			all[i] = append(append(append(start, g...), h...), o.Value(raw, 2), o.Weight(),
				float64(o.Outputs()))
		}
		for i, v := range all[0] {
			if math.Abs(v-all[1][i]) > 1e-9 {
				t.Errorf("%T: value %d is %v, want %v", c.table, i, v, all[1][i])
			}
		}
		if own.Link() != table.Link() {
			t.Errorf("%T: link %v, want %v", c.table, own.Link(), table.Link())
		}
	}
}

// Classes of one kind alone leave a finite start value.
func TestPointwiseOfOneClass(t *testing.T) {
	l := &loss.Pointwise{Link: link.Logistic(), Loss: func(y, x float64) float64 { return 0 },
		Derive: func(y, x float64) (g, h float64) {
			p := 1 / (1 + math.Exp(-x))
			return p - y,
				p * (1 - p)
		}}
	o, err := l.Bind(&data.Target{Task: data.Binary, Class: []uint32{1, 1},
		Classes: []string{"a", "b"}}, data.AllRows(2))
	if err != nil {
		t.Fatal(err)
	}
	start := make([]float64, 1)
	if o.Init(start); !(start[0] > 30 && start[0] <= 36) {
		t.Errorf("start %v", start)
	}
}

func TestPointwiseRefuses(t *testing.T) {
	numbers := &data.Target{Task: data.Regression, Y: [][]float64{{1, math.Inf(1)}}}
	classes := &data.Target{Task: data.Binary, Class: []uint32{0, 1}, Classes: []string{"a", "b"}}
	whole := &loss.Pointwise{Loss: func(y, x float64) float64 { return 0 },
		Derive: func(y, x float64) (g, h float64) { return 0, 1 }}
	for _, c := range []struct {
		loss   *loss.Pointwise
		target *data.Target
		want   string
	}{
		{&loss.Pointwise{Loss: whole.Loss}, numbers, "needs both Loss and Derive"},
		{whole, numbers, "needs labels that are finite"},
		{whole, classes, "needs a Link for two classes"},
	} {
		if _, err := c.loss.Bind(c.target, data.AllRows(2)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
