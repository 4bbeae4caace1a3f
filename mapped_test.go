package coppice_test

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// mappedModels are models whose files are mapped, and how to find nodes or values in the mapping.
func mappedModels(t *testing.T) map[string]model.Model {
	t.Helper()
	forest := largeForest(10, 10, 10_000)
	ds := numbered(t, 50_000, []string{"red", "blue"})
	stored, err := coppice.Train(t.Context(), learnerOf(t, "knn", ""), ds)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]model.Model{
		"trees":     forest,
		"committee": &committee.Committee{Meta: forest.Meta, Members: []model.Model{forest, largeForest(5, 5, 1000)}},
		"knn":       stored,
	}
}

// inFile is a slice of a mapped file, which does not keep it mapped.
func inFile(t *testing.T, m model.Model) (mapped func() bool) {
	t.Helper()
	var nodes []tree.Node
	switch m := model.Inner(m).(type) {
	case *model.Ensemble:
		nodes = m.Trees[0].Nodes
	case *committee.Committee:
		nodes = m.Members[1].(*model.Ensemble).Trees[4].Nodes
	case *dense.Neighbours:
		values := m.Rows
		return func() bool { return outside.Mapped(values) }
	}
	return func() bool { return outside.Mapped(nodes) }
}

// mapped saves and maps a model. It skips on systems that cannot map files.
func mapped(t *testing.T, m model.Model) (own *coppice.Mapped, still func() bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.coppice")
	mustSave(t, path, m)
	if info, err := os.Stat(path); err != nil || info.Size() < 1<<20 {
		t.Fatal("the file is too small to be mapped", info, err)
	}
	own, err := coppice.OpenMapped(path)
	if err != nil {
		t.Fatal(err)
	}
	if still = inFile(t, own); !still() {
		t.Skip("this system does not map files")
	}
	return own, still
}

// collected reports whether the garbage collector unmaps a file, which it does in its own time.
func collected(still func() bool) bool {
	for range 100 {
		if runtime.GC(); !still() {
			return true
		}
		runtime.Gosched()
	}
	return false
}

// values returns the values of a row, which are different for each.
func values(m model.Model, row int) []float64 {
	x := make([]float64, len(m.Spec().Schema.Fields))
	for i := range x {
		if x[i] = math.Sin(float64(row*len(x) + i)); m.Spec().Schema.Fields[i].Kind == data.Categorical {
			x[i] = float64(row % 2)
		}
	}
	return x
}

func predictRows(t *testing.T, p model.Predictor, m model.Model, rows int) []float64 {
	t.Helper()
	all := make([]float64, rows*p.Width())
	for r := range rows {
		if err := p.PredictRow(all[r*p.Width():], values(m, r)); err != nil {
			t.Error(err)
		}
	}
	return all
}

func bindOwn(t *testing.T, m model.Model) model.Predictor {
	t.Helper()
	p, err := m.Bind(&m.Spec().Schema, model.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A predictor of a closed model goes on to predict, and no other can be bound. The file is unmapped
// when the last one has ended, also if they predict while Close is called.
func TestClose(t *testing.T) {
	for name, of := range mappedModels(t) {
		t.Run(name, func(t *testing.T) {
			const rows, readers = 20, 4
			want := predictRows(t, bindOwn(t, of), of, rows)
			var still func() bool
			func() {
				var m *coppice.Mapped
				m, still = mapped(t, of)
				first := bindOwn(t, m)
				var wg sync.WaitGroup
				started := make(chan bool, readers)
				for range readers {
					p := bindOwn(t, m)
					wg.Go(func() {
						for i := range 5 {
							if i == 1 {
								started <- true
							}
							if got := predictRows(t, p, of, rows); !slices.Equal(got, want) {
								t.Error("other predictions while the model is closed")
							}
						}
					})
				}
				for range readers {
					<-started
				}
				closes := func() error { return errors.Join(m.Close(), m.Close()) }
				if err := closes(); err != nil {
					t.Error(err)
				}
				if _, err := m.Bind(&m.Spec().Schema, model.Options{}); !errors.Is(err, fs.ErrClosed) {
					t.Errorf("binding a closed model: %v", err)
				}
				wg.Wait()
				runtime.GC()
				runtime.GC()
				if !still() || !slices.Equal(predictRows(t, first, of, rows), want) {
					t.Error("the predictor has no mapping")
				}
			}()
			if !collected(still) {
				t.Error("the file stays mapped though nothing uses the closed model")
			}
		})
	}
}

// Explainers keep a closed model mapped, too, and find the same as for one that was read.
func TestCloseWithExplainer(t *testing.T) {
	forest := largeForest(3, 3, 101)
	forest.State = make([]byte, 1<<20)
	explained := func(m model.Model) (*explain.ShapleyExplainer, error) {
		return explain.NewShapleyExplainer(t.Context(), m, &forest.Meta.Schema, explain.ShapleyOptions{})
	}
	row := func(x *explain.ShapleyExplainer) []float64 {
		dst := make([]float64, x.Scores*len(x.Features))
		if err := x.Row(dst, values(forest, 3)); err != nil {
			t.Error(err)
		}
		return dst
	}
	read, err := explained(forest)
	if err != nil {
		t.Fatal(err)
	}
	var still func() bool
	func() {
		m, is := mapped(t, forest)
		still = is
		x, err := explained(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		m = nil
		runtime.GC()
		runtime.GC()
		if !slices.Equal(row(x), row(read)) {
			t.Error("other reasons than of the model that was read")
		}
		if !still() {
			t.Error("the explainer has no mapping")
		}
		runtime.KeepAlive(x)
	}()
	if !collected(still) {
		t.Error("the file stays mapped without the explainer")
	}
}

// What is not closed stays mapped, and what was read can be closed as well.
func TestCloseOfOthers(t *testing.T) {
	func() {
		_, still := mapped(t, largeForest(10, 10, 10_000))
		for range 3 {
			runtime.GC()
		}
		if !still() {
			t.Error("a model was unmapped that nobody closed")
		}
	}()
	path := filepath.Join(t.TempDir(), "m.coppice")
	mustSave(t, path, codectest.Tiny())
	m, err := coppice.OpenMapped(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	type row struct {
		X float64 `coppice:"x"`
	}
	if _, err := coppice.NewPredictor[row](m); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a predictor of a closed model: %v", err)
	}
}
