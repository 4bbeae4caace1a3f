package coppice_test

import (
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// raceDetector is true in a build with -race.
var raceDetector bool

// sameBits also holds for NaN, which some models of other tools predict.
func sameBits(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }

// checkRows: single rows need no new memory, whatever is predicted of them, and have the same
// predictions if several goroutines predict them at once.
func checkRows(t *testing.T, m model.Model, s *data.Schema, rows [][]float64) {
	t.Helper()
	for _, output := range []model.Output{model.Raw, model.Response, model.Label} {
		p, err := m.Bind(s, model.Options{Output: output})
		if err != nil {
			t.Fatal(err)
		}
		want, dst, i := make([]float64, len(rows)*p.Width()), make([]float64, p.Width()), 0
		for r, row := range rows {
			if err := p.PredictRow(want[r*len(dst):], row); err != nil {
				t.Fatal(err)
			}
		}
		// The mean over many runs is rounded down: what the collector empties does not count. The
		// race detector empties pools at random.
		if n := testing.AllocsPerRun(100, func() {
			if err := p.PredictRow(dst, rows[i%len(rows)]); err != nil {
				t.Fatal(err)
			}
			i++
		}); n != 0 && !raceDetector {
			t.Errorf("%v allocates %v times a row", output, n)
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				dst := make([]float64, p.Width())
				for r, row := range rows {
					err := p.PredictRow(dst, row)
					w := want[r*len(dst):][:len(dst)]
					if err != nil || !slices.EqualFunc(dst, w, sameBits) {
						t.Errorf("%v of row %d: %v, alone %v, %v", output, r, dst, w, err)
					}
				}
			})
		}
		all.Wait()
	}
}

// TestRowsOfLearners checks rows of models of many kinds.
func TestRowsOfLearners(t *testing.T) {
	table, err := data.FromStructs(stays(1, 60, false))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([][]float64, table.Rows())
	for i := range rows {
		for k := range table.Columns {
			c := &table.Columns[k]
			x := 0.0
			if c.Codes() == nil {
				x = c.Number(i)
			} else if x = float64(c.Code(i)); c.Code(i) == data.MissingCode {
				x = math.NaN()
			}
			rows[i] = append(rows[i], x)
		}
	}
	for _, c := range []struct{ learner, settings, label string }{
		{"cart", "", "class"}, {"c45", "", "class"},
		{"gbm", "trees=5 rehearse=false", "class"}, {"gbm", "trees=5 linear_tree=true", "cost"},
		{"gbm", "trees=5 categories=target rehearse=false", "smoker"},
		{"forest", "trees=9", "cost"}, {"forest", "trees=9", "class"}, {"isolation", "trees=9", ""},
		{"adaboost", "rounds=5", "smoker"}, {"adaboost", "rounds=5", "cost"}, // a sum, and a median
		{"bag", "members=3 base=bayes", "class"}, {"calibrate", "base=cart", "class"},
		{"stack", "members=cart,bayes", "class"},
		{"stack", "members=cart,forest members.forest.trees=5", "cost"},
		{"stack", "members=cart,bayes meta_learner=cart passthrough=true", "smoker"},
		{"vote", "members=cart,bayes", "class"},
		{"vote", "members=cart,bayes vote=majority", "smoker"},
		{"vote", "members=cart,bayes vote=ranks", "class"},
		{"logistic", "", "class"}, {"knn", "", "class"}, {"rules", "", "class"},
	} {
		t.Run(c.learner+" "+c.settings+" "+c.label, func(t *testing.T) {
			roles := data.Roles{Label: c.label, Ignore: []string{"class", "cost"}}
			if c.label != "smoker" && c.label != "" {
				roles.Ignore = []string{map[string]string{"class": "cost", "cost": "class"}[c.label]}
			}
			ds, err := roles.Apply(table)
			if err != nil {
				t.Fatal(err)
			}
			m, err := coppice.Train(t.Context(), learnerOf(t, c.learner, c.settings), ds, coppice.Workers(1))
			if err != nil {
				t.Fatal(err)
			}
			checkRows(t, m, &table.Schema, rows)
		})
	}
}

// TestRowsOfOtherTools checks rows of models of all formats.
func TestRowsOfOtherTools(t *testing.T) {
	err := filepath.WalkDir("testdata/models", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		m, _, err := formats.Open(path, codec.Limits{})
		if err != nil {
			return nil
		}
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			s, r, rows := &m.Spec().Schema, rng.New(1), make([][]float64, 20)
			for i := range rows {
				for k := range s.Fields {
					x := 4*r.Float64() - 2
					if n := len(s.Fields[k].Levels); n > 0 {
						x = float64(r.Intn(n))
					}
					rows[i] = append(rows[i], x)
				}
			}
			checkRows(t, m, s, rows)
		})
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
