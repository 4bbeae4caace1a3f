package data_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

func TestCosts(t *testing.T) {
	costs := data.Costs{{0, 1, 4}, {2, 0, 1}, {8, 1, 0}}
	if err := costs.Check(3); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		costs     data.Costs
		fractions []float64
		label     int
		cost      float64
	}{
		{nil, []float64{0.3, 0.5, 0.2}, 1, 0.5},
		{nil, []float64{0.4, 0.4, 0.2}, 0, 0.6},
		{costs, []float64{0.5, 0.1, 0.4}, 1, 0.9},
		{costs, []float64{0.9, 0.1, 0}, 0, 0.2},
		{costs, []float64{0, 1, 3}, 2, 1},
		{costs, []float64{0, 0, 0}, 0, 0},
		{data.Costs{{0, 1}, {1, 0}}, []float64{2, 2}, 0, 2},
	} {
		label := c.costs.Label(c.fractions)
		if cost := c.costs.Expected(c.fractions, label); label != c.label ||
			math.Abs(cost-c.cost) > 1e-12 {
			t.Errorf("probabilities %v, costs %v: label %d of cost %g, want %d of %g", c.fractions,
				c.costs, label, cost, c.label, c.cost)
		}
	}
	if got := costs.Total(); !slices.Equal(got, []float64{5, 3, 9}) ||
		data.Costs(nil).Total() != nil {
		t.Errorf("totals %v", got)
	}
}

func TestCostsCheck(t *testing.T) {
	for want, costs := range map[string]data.Costs{
		"costs of 1 classes for 2":      {{0}},
		"class 1 has 1 costs for 2":     {{0, 1}, {1}},
		"cost -1 of predicting class 1": {{0, -1}, {1, 0}},
		"cost NaN of predicting":        {{0, math.NaN()}, {1, 0}},
		"cost +Inf of predicting":       {{0, math.Inf(1)}, {1, 0}},
		"prediction of class 1 costs 2": {{0, 1}, {1, 2}},
		"for class 0 cost nothing":      {{0, 0}, {1, 0}},
	} {
		if err := costs.Check(2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %s", costs, err, want)
		}
	}
	if err := (data.Costs{{0, -1}, {1, 0}}).CheckOf([]string{"no", "yes"}); err == nil ||
		err.Error() != `cost -1 of predicting class "yes" for class "no": want a number from 0 up` {
		t.Errorf("error %v", err)
	}
	if err := data.Costs(nil).Check(5); err != nil {
		t.Error(err)
	}
}
