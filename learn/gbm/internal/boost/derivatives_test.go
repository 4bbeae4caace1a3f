package boost

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/loss"
)

// The first derivative that is not finite is reported with its row, whichever output it is of.
func TestFaultsOfDerivatives(t *testing.T) {
	for _, c := range []struct {
		at, row int
		g, h    float64
	}{{-1, 0, 0, 0}, {1, 7, math.NaN(), 1}, {2, 9, 1, math.Inf(1)}, {3, 3, math.Inf(-1), math.Inf(1)}, {5, 9, 1, math.NaN()}} {
		d := &storedDerivatives{train: &boosting.Set{Rows: []int32{3, 7, 9}}, loss: "softmax", workers: 1,
			g: []float64{1, -2, 0, 1e308, 5, 6}, h: []float64{1, 2, 3, 4, 5, 1e308}, raw: []float64{0, 1, 2, 3, 4, 5}}
		if c.at >= 0 {
			d.g[c.at], d.h[c.at] = c.g, c.h
		}
		err := d.fault(12)
		var label *loss.LabelError
		if c.at < 0 {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if !errors.As(err, &label) || label.Row != c.row || !strings.HasPrefix(label.Reason, "round 12: the derivatives of loss=softmax") ||
			!strings.Contains(label.Reason, "score, "+string(rune('0'+c.at))+":") {
			t.Errorf("place %d: %v", c.at, err)
		}
	}
}

// Derivatives by matrix row are those of the positions, output after output.
func TestDerivativesByMatrixRow(t *testing.T) {
	rows, err := newRowMap([]int32{2, 5, 9}, []int32{2, 4, 5, 8, 9})
	if err != nil {
		t.Fatal(err)
	}
	d := &storedDerivatives{rows: &rows, train: &boosting.Set{Rows: []int32{2, 5, 9}},
		g: []float64{1, 2, 3, 4, 5, 6}, h: []float64{10, 20, 30, 40, 50, 60}, byG: make([]float64, 5), byH: make([]float64, 5)}
	g, h := d.allByMatrixRow()
	if !slices.Equal(g, []float64{1, 0, 2, 0, 3, 4, 0, 5, 0, 6}) || !slices.Equal(h, []float64{10, 0, 20, 0, 30, 40, 0, 50, 0, 60}) {
		t.Errorf("%v %v", g, h)
	}
	for o, want := range [][]float64{{1, 0, 2, 0, 3}, {4, 0, 5, 0, 6}} {
		g, h := d.byMatrixRow(o)
		if !slices.Equal(g, want) || h[4] != 10*want[4] || h[1] != 0 {
			t.Errorf("output %d: %v %v", o, g, h)
		}
	}
	d.scale(&roundRows{Sampled: &sample.Sampled{Rows: []int32{0, 2}, Factor: []float64{2, 3}}})
	if !slices.Equal(d.g, []float64{2, 2, 9, 8, 5, 18}) || !slices.Equal(d.h, []float64{20, 20, 90, 80, 50, 180}) {
		t.Errorf("scaled: %v %v", d.g, d.h)
	}
}

// An error of growing names the row whose derivative is not finite, else what is too large.
func TestExplainedErrors(t *testing.T) {
	d := &storedDerivatives{train: &boosting.Set{Rows: []int32{3, 7}}, workers: 1, g: []float64{1, math.NaN()},
		h: []float64{1, 1}, raw: []float64{0, 0}}
	g := &scalarGrower{derivatives: d, scores: &scores{follow: noValid{}}}
	r := &roundPlan{number: 4}
	var label *loss.LabelError
	if err := g.explain(t.Context(), r, hist.ErrNotFinite); !errors.As(err, &label) || label.Row != 7 {
		t.Errorf("error %v", err)
	}
	d.g[1] = 5
	if err := g.explain(t.Context(), r, hist.ErrNotFinite); !errors.Is(err, hist.ErrNotFinite) ||
		!strings.HasPrefix(err.Error(), "round 4: ") || !strings.Contains(err.Error(), "divide the labels") {
		t.Errorf("error %v", err)
	}
	if err := g.explain(t.Context(), r, errNoRows); err != errNoRows {
		t.Errorf("error %v", err)
	}
	lost := errors.New("lost")
	g.scores.raw, g.scores.rows = []float64{1, 2}, rowMap{rows: 2}
	g.scores.others = &rankScores{missing: true, group: answering{all: func([]byte) ([][]byte, error) { return nil, lost }}}
	if err := g.explain(t.Context(), r, hist.ErrNotFinite); !errors.Is(err, lost) {
		t.Errorf("scores of other ranks are lost: %v", err)
	}
}

// Derivatives of sampled rows that the loss is asked for, some rows at a time, make the trees of
// stored ones, with factors and without, on all prepared rows and on some.
func TestDerivativesOfSampledRows(t *testing.T) {
	ds := orderedTable(t, 6000)
	train, valid := halves(6000)
	for _, job := range []learn.Job{{Seed: 4, Workers: 1}, {Seed: 4, Workers: 1, Rows: train, Valid: valid}} {
		for what, change := range map[string]func(c *Config){
			"few rows":  func(c *Config) { c.Fraction = 0.01 },
			"most rows": func(c *Config) { c.Fraction = 0.8 },
			"weighted":  func(c *Config) { c.Sampling = &sample.Bayesian{Temperature: 1} },
			"gradients": func(c *Config) { c.Sampling = &sample.GOSS{Top: 0.2, Other: 0.3} },
		} {
			begin := func() *Training {
				return begun(t, ds, job, func(c *Config) { c.Trees, c.Engine.Leaves = 3, 6; change(c) })
			}
			rowwise, stored := begin(), begin()
			if _, is := rowwise.derivatives.(*rowwiseDerivatives); is != (what != "gradients") {
				t.Errorf("%s: %T", what, rowwise.derivatives)
			}
			s := newStoredDerivatives(stored.setup, stored.scores)
			stored.derivatives, stored.grower.(*scalarGrower).derivatives = s, s
			for _, b := range []*Training{rowwise, stored} {
				if err := b.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if !reflect.DeepEqual(rowwise.ensemble.model.Trees, stored.ensemble.model.Trees) {
				t.Errorf("%s of %d: other trees", what, len(rowwise.setup.Rows))
			}
		}
	}
}
