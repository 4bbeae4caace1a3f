package model_test

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// BenchmarkChecks compares a prediction of 28 numbers by 28 stumps, the least that uses all of
// them, and of them by as many trees as boosting usually has, with the checks of such a row.
func BenchmarkChecks(b *testing.B) {
	fields := make([]data.Field, 28)
	p := &model.Profile{Rows: 1000}
	low, high := -1.0, 2.0
	row := make([]float64, len(fields))
	r := rng.New(1)
	for i := range fields {
		fields[i].Name = fmt.Sprint("x", i)
		p.Columns = append(p.Columns, model.ColumnProfile{Name: fields[i].Name, Distinct: 9,
			Numbers: &model.NumberProfile{Min: &low, Max: &high}})
		row[i] = r.Float64()
	}
	m := stumps(b, fields...)
	m.Meta.Profile = p
	s := &m.Meta.Schema
	checks := model.FlagAll.Bind(m, s)
	b.Run("checks", func(b *testing.B) {
		var flags []model.Flag
		for b.Loop() {
			var err error
			if flags, err = checks.Row(flags[:0], row); err != nil || len(flags) > 0 {
				b.Fatal(flags, err)
			}
		}
	})
	for _, times := range []int{1, 10} {
		many := *m
		many.Trees = nil
		for range times {
			many.Trees = append(many.Trees, m.Trees...)
		}
		bound, err := many.Bind(s, model.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(len(many.Trees), " trees"), func(b *testing.B) {
			dst := make([]float64, 1)
			for b.Loop() {
				if err := bound.PredictRow(dst, row); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
