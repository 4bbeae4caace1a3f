package random

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/internal/exact"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/growth"
	"github.com/coppice-ml/coppice/learn/internal/exact/internal/scan"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// TestTogether: columns that are scanned together give the trees of columns that are scanned one by
// one, whatever the labels and weights, for one worker and for several.
func TestTogether(t *testing.T) {
	tier.NotShort(t, "grows forests many times")
	kerneltest.EachPath(t, func(t *testing.T) {
		for _, criteria := range []struct {
			name    string
			classes int
		}{{"gini", 2}, {"gini", 5}, {"gain_ratio", 2}, {"squared_error", 0}} {
			for weights := range 3 {
				for _, mtry := range []int{0, 3} {
					name := fmt.Sprint(criteria, " weights ", weights, " mtry ", mtry)
					definition, _ := criterion.ByName(criteria.name)
					rows := 400
					if weights == 0 && mtry == 3 { // more than a tile and a subtree have
						rows = tileRows + growth.SubtreeRows - 1
					}
					single := (mtry == 3) == (weights != 1) && (weights > 0 || criteria.classes != 5)
					p, pop := problem(t, rows, criteria.classes, weights, single)
					if (p.numbers.singles != nil) != single {
						t.Fatalf("%s: in single precision %v, want %v", name, !single, single)
					}
					cfg := Config{Options: exact.Options{Criterion: definition, Mtry: mtry,
						Workers: 1, Redraw: 10, Limits: grow.Limits{MinLeaf: 1 + weights}},
						Thresholds: 1, Majority: mtry == 3 && weights == 1}
					want := grown(t, p, pop, cfg, true)
					if want.Len() < rows/4 {
						t.Fatalf("%s: only %d nodes, the test shows nothing", name, want.Len())
					}
					if !reflect.DeepEqual(grown(t, p, pop, cfg, false), want) {
						t.Errorf("%s: another tree", name)
					}
					cfg.Workers = 2
					if !reflect.DeepEqual(grown(t, p, pop, cfg, false), want) {
						t.Errorf("%s: another tree by two workers", name)
					}
				}
			}
		}
	})
}

// problem makes columns of every kind: numbers that are continuous, few, with missing values, with
// zeros of both signs, with infinite ones, constant, and categories. In single precision all
// numbers are those of float32.
func problem(
	t *testing.T, rows, classes, weights int, single bool,
) (*Prepared, *grow.Population) {
	t.Helper()
	r := rng.New(uint64(rows), uint64(classes))
	columns := make([]data.NamedColumn, 11)
	zeros := []float64{0, math.Copysign(0, -1), math.SmallestNonzeroFloat64}
	for j := range columns {
		x := make([]float64, rows)
		for i := range x {
			switch x[i] = r.Float64() - 0.25; j {
			case 0:
				x[i] = float64(r.Intn(4))
			case 1:
				if r.Intn(5) == 0 {
					x[i] = math.NaN()
				}
			case 2:
				x[i] = zeros[r.Intn(3)]
			case 3:
				if r.Intn(100) == 0 {
					x[i] = math.Inf(1 - 2*r.Intn(2))
				}
			case 4:
				x[i] = 7
			}
			if single {
				x[i] = float64(float32(x[i]))
			}
		}
		columns[j] = data.NamedColumn{Name: fmt.Sprint("x", j), Values: x}
	}
	category := make([]string, rows)
	for i := range category {
		category[i] = string(rune('a' + r.Intn(6)))
	}
	columns = append(columns, data.NamedColumn{Name: "category", Values: category})
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(context.Background(), f, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	pop := &grow.Population{Rows: p.Rows(), Classes: classes}
	for range rows {
		if classes > 0 {
			pop.Class = append(pop.Class, uint32(r.Intn(classes)))
		} else {
			pop.Y = append(pop.Y, r.Float64())
		}
		if weights > 0 {
			pop.Count = append(pop.Count, uint32(r.Intn(3)))
		}
		if weights > 1 {
			n := float64(pop.Count[len(pop.Count)-1])
			pop.Weight = append(pop.Weight, n*(0.5+r.Float64()))
		}
	}
	return p, pop
}

// grown grows a tree, with columns scanned one by one where apart.
func grown(t *testing.T, p *Prepared, pop *grow.Population, cfg Config, apart bool) *tree.Tree {
	t.Helper()
	missing := growth.Learned
	if cfg.Majority {
		missing = growth.Majority
	}
	l := growth.NewLabels(pop, &cfg.Criterion, false, false)
	g := newGrowth(p, scan.NewTask(l, missing, cfg.Limits.MinLeaf), &cfg)
	if apart {
		above := g.Strategy.(*strategy)
		above.together = nil
		g.Deferred.Grower = func() growth.SubtreeGrower {
			s := newSubtree(above, g.Growth)
			s.s.together = nil
			return s
		}
	}
	got, err := g.Grow(context.Background(), growth.RowsOf(pop, nil), 3)
	if err != nil {
		t.Fatal(err)
	}
	return got
}
