package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/forest"
)

// importanceTable samples a column of two categories and the noise columns. The label is a class
// that the first column makes more or less probable by effect.
func importanceTable(s importanceSize, number uint64, effect float64) (*data.Dataset, error) {
	stream := rng.New(s.seed, number)
	draw := func(categories int) []int {
		codes := make([]int, s.rows)
		for i := range codes {
			codes[i] = stream.Intn(categories)
		}
		return codes
	}
	informative := draw(2)
	columns := []data.NamedColumn{{Name: "informative", Values: informative, Categorical: true}}
	for c, n := range categories {
		columns = append(columns, data.NamedColumn{Name: noiseName(c), Values: draw(n),
			Categorical: true})
	}
	numbers, label := make([]float64, s.rows), make([]bool, s.rows)
	for i := range numbers {
		numbers[i] = stream.Float64()
		second := 0.5 + float64(effect*float64(2*informative[i]-1))
		label[i] = stream.Float64() < second
	}
	columns = append(columns, data.NamedColumn{Name: noiseName(len(categories)), Values: numbers},
		data.NamedColumn{Name: "label", Values: label})
	f, err := data.FromColumns(columns...)
	if err != nil {
		return nil, err
	}
	return data.Roles{Label: "label"}.Apply(f)
}

// noiseImportances grows forests on a table, and returns the importances of its columns by kind.
func noiseImportances(ctx context.Context, s importanceSize, number uint64, effect float64) ([][]float64, error) {
	ds, err := importanceTable(s, number, effect)
	if err != nil {
		return nil, err
	}
	found := make([][]float64, len(kinds))
	for _, f := range []struct {
		set   string
		kinds []string
	}{
		{"subset_levels=0", kinds[:limited]},
		{"subset_levels=32", kinds[:1]},
	} {
		m, err := fit(ctx, ds, learn.Job{Seed: number}, "forest",
			fmt.Sprint("trees=", s.trees), "importance="+strings.Join(f.kinds, ","), f.set)
		if err != nil {
			return nil, err
		}
		var reported forest.Summary
		if err := learn.ReadSummary(m, &reported); err != nil {
			return nil, err
		}
		for _, i := range reported.Importances {
			k := slices.Index(kinds, i.Kind)
			if len(f.kinds) == 1 {
				k = limited
			}
			for _, column := range i.Columns {
				value := column.Value
				if units[k] != "" {
					value *= 100
				}
				found[k] = append(found[k], value)
			}
		}
	}
	return found, nil
}
