package main

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/examples/experiment"
	"github.com/coppice-ml/coppice/lab/trial"
)

func TestRun(t *testing.T) {
	r, err := run(t.Context(), size{replicates: 12, seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for i := range order[1:] {
		if fall, bar, _ := r.step(i); fall < -bar { // the steps from 20 trees up are small
			t.Errorf("the risk rises by %.4f +- %.4f from %s to %s", -fall, bar, r.name(order[i]), r.name(order[i+1]))
		}
	}
	for _, c := range []struct{ larger, smaller contender }{
		{contender{bagged, 1}, contender{bagged, 10}}, {contender{bagged, 100}, contender{forest3, 10}}, {contender{forest3, 1}, contender{forest3, 10}},
		{contender{deepTree, 1}, contender{bagged, 100}}, {contender{bagged, 1}, contender{deepTree, 1}},
	} {
		larger, smaller := r.risks[c.larger.method].of(c.larger.trees), r.risks[c.smaller.method].of(c.smaller.trees)
		a, _ := trial.Mean(larger)
		if b, _ := trial.Mean(smaller); a < b+0.03 {
			t.Errorf("%s has risk %.3f, %s %.3f: want clearly more", r.name(c.larger), a, r.name(c.smaller), b)
		}
	}
	for _, m := range r.risks {
		if least := slices.Min(m.mean); least <= bayes {
			t.Errorf("%s has risk %g, below the Bayes risk", m.method.name, least)
		}
	}
	// in one column, with leaves of one row, a forest is a bag of trees; sums are rounded in different ways
	for i, risk := range r.risks[forest30].mean {
		if math.Abs(risk-r.risks[bagged].mean[i]) > 1e-9 {
			t.Errorf("%d trees: risk %g of the forest, %g of the bag", counts[i], risk, r.risks[bagged].mean[i])
		}
	}
	table, picture, err := experiment.Render(r)
	if err != nil || !strings.Contains(table, "forest of depth 5, 20") || strings.Contains(table+string(picture), "NaN") {
		t.Errorf("error %v, table\n%s", err, table)
	}
}

func TestTruth(t *testing.T) {
	for x, want := range map[float64]float64{-1: -1.5, -0.5: 1.5, 0: 0, 0.5: -1.5, 1: 1.5} {
		if got := truth(x); got != want {
			t.Errorf("the truth at %g is %g, want %g", x, got, want)
		}
	}
}
