package coppice_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// largeForest is a forest for two classes on 28 numeric columns: some different trees again and
// again.
func largeForest(trees, different, nodes int) *model.Ensemble {
	e := &model.Ensemble{Meta: model.Spec{Task: data.Binary, Label: "y", Classes: []string{"no", "yes"}, Learner: "forest"}, Combine: model.Mean}
	for c := range 28 {
		e.Meta.Schema.Fields = append(e.Meta.Schema.Fields, data.Field{Name: fmt.Sprintf("x%d", c)})
	}
	for i := range trees {
		if i < different {
			e.Trees = append(e.Trees, treetest.Large(nodes, 28, uint64(i)))
		} else {
			e.Trees = append(e.Trees, e.Trees[i-different])
		}
	}
	return e
}

// BenchmarkOpen measures how long it takes to open the file of a forest of 500 trees with 28,001
// nodes each and their covers, as full depth on 100,000 rows makes them: read into memory, mapped,
// and mapped with the prediction of a first row.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "forest.coppice")
	mustSave(b, path, largeForest(500, 20, 28_001))
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	run := func(name string, open func() (model.Model, error)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if m, err := open(); err != nil || len(model.Inner(m).(*model.Ensemble).Trees) != 500 {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(info.Size())/1e6, "MB")
		})
	}
	run("Open", func() (model.Model, error) { return coppice.Open(path) })
	run("OpenMapped", func() (model.Model, error) { return coppice.OpenMapped(path) })
	run("OpenMapped and a row", func() (model.Model, error) {
		m, err := coppice.OpenMapped(path)
		if err != nil {
			return nil, err
		}
		p, err := m.Bind(&m.Spec().Schema, model.Options{Workers: 1})
		if err != nil {
			return nil, err
		}
		return m, p.PredictRow(make([]float64, p.Width()), make([]float64, 28))
	})
}
