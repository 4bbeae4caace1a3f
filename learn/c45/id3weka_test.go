package c45_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// frozen is what Weka's Id3 made of some tables; testdata/weka/id3.md describes the file.
type frozenID3 struct {
	Sets  map[string]*id3Set
	Cases []*id3Case
}

type id3Set struct {
	File, Label string
	Columns     []struct {
		Name   string
		Values []string
	}
	Predicted []int32
}

type id3Case struct {
	Set            string
	Nodes          []id3Node
	TrainingErrors int `json:"training_errors"`
	Predicted      []int
}

type id3Node struct {
	Weight   []float64
	Class    int
	Column   *int
	Gains    []float64
	Children []int
}

func readID3(t *testing.T) *frozenID3 {
	return reference.Read[frozenID3](t,
		"testdata/weka/id3.json.gz")
}

// read reads a table of categories.
func readLabeled(t *testing.T, file, label string) *data.Dataset {
	t.Helper()
	var o csvdata.Options
	o.AllCategorical = true
	return datatest.ReadWith(t, file, data.Roles{Label: label}, o)
}

// table reads a set with the dictionaries in Weka's order, which numbers children and classes.
func (s *id3Set) table(t *testing.T) *data.Dataset {
	t.Helper()
	read := readLabeled(t, s.File, s.Label)
	ds := &data.Dataset{Target: read.Target}
	var schema data.Schema
	var columns []data.Column
	for _, c := range s.Columns {
		if c.Name == s.Label {
			ds.Target.Class, ds.Target.Classes = recode(read.Target.Class, read.Target.Classes,
				c.Values), c.Values
			continue
		}
		at := read.Schema.Index(c.Name)
		if at < 0 {
			t.Fatalf("%s has no column %q", s.File, c.Name)
		}
		schema.Fields = append(schema.Fields, data.Field{Name: c.Name, Kind: data.Categorical,
			Levels: c.Values})
		columns = append(columns, data.Codes(recode(read.Columns[at].Codes(),
			read.Schema.Fields[at].Levels, c.Values)))
	}
	var err error
	if ds.Frame, err = data.NewFrame(schema, columns); err != nil {
		t.Fatal(err)
	}
	return ds
}

// recode turns codes of one dictionary into those of another.
func recode(codes []uint32, from, to []string) []uint32 {
	code := map[string]uint32{}
	for i, text := range to {
		code[text] = uint32(i)
	}
	out := make([]uint32, len(codes))
	for i, c := range codes {
		out[i] = code[from[c]]
	}
	return out
}

// fit grows a tree on some rows, nil = all.
func fitID3(t *testing.T, ds *data.Dataset, l *c45.ID3,
	rows []int32) (*model.Ensemble, *tree.Tree) {
	t.Helper()
	e := learntest.MustFit(t, learn.Env{}, l, ds, learn.Job{Rows: rows}).(*model.Ensemble)
	return e, e.Trees[0]
}

// TestWeka grows the frozen trees anew and compares them node by node, with the gains of all
// columns. There is one difference: a level without rows makes a leaf that predicts its parent's
// majority, where Weka's Id3 predicts nothing.
func TestWeka(t *testing.T) {
	f := readID3(t)
	for _, c := range f.Cases {
		t.Run(c.Set, func(t *testing.T) {
			s := f.Sets[c.Set]
			ds := s.table(t)
			m, grown := fitID3(t, ds, c45.NewID3(), nil)
			if grown.Len() != len(c.Nodes) {
				t.Errorf("%d nodes, Id3 has %d", grown.Len(), len(c.Nodes))
			}
			w := &id3Comparison{t: t, c: c, s: s, ds: ds, tree: grown}
			w.node(0, 0, data.AllRows(ds.Rows()))
			if w.compared != len(c.Nodes) {
				t.Errorf("%d nodes compared of %d", w.compared, len(c.Nodes))
			}
			w.predictions(m)
		})
	}
}

// comparison walks both trees side by side.
type id3Comparison struct {
	t        *testing.T
	c        *id3Case
	s        *id3Set
	ds       *data.Dataset
	tree     *tree.Tree
	compared int
}

func (w *id3Comparison) node(n, k int, rows []int32) {
	t, g, want := w.t, w.tree, &w.c.Nodes[k]
	w.compared++
	if (g.Kind(int32(n)) == tree.Leaf) != (want.Column == nil) {
		t.Errorf("node %d: kind %d, Id3's node %d has column %v", n, g.Kind(int32(n)), k,
			want.Column)
		return
	}
	if want.Column == nil && want.Class < 0 {
		parent := g.Parents()[n]
		if g.Stats.Rows[n] != 0 ||
			model.ArgMax(g.Value(int32(n))) != model.ArgMax(g.Value(parent)) {
			t.Errorf("node %d has %d rows and value %v, its parent %v", n, g.Stats.Rows[n],
				g.Value(int32(n)), g.Value(parent))
		}
		return
	}
	for i, v := range g.Value(int32(n)) {
		if v != want.Weight[i] {
			t.Errorf("node %d: %g rows of class %d, Id3 has %g", n, v, i, want.Weight[i])
		}
	}
	if want.Column == nil {
		return
	}
	if name := w.s.Columns[*want.Column].Name; w.ds.Schema.Fields[g.Feature(int32(n))].Name != name {
		t.Errorf("node %d tests %s, Id3's node %d tests %s", n,
			w.ds.Schema.Fields[g.Feature(int32(n))].Name, k, name)
		return
	}
	if gain := g.Stats.Gain[n] / g.Stats.Weight[n]; math.Abs(gain-want.Gains[*want.Column]) > 1e-9 {
		t.Errorf("node %d gains %g, Id3 has %g", n, gain, want.Gains[*want.Column])
	}
	w.gains(n, rows, want.Gains)
	if int(g.Arity(int32(n))) != len(want.Children) {
		t.Errorf("node %d has %d children, Id3's has %d", n, g.Arity(int32(n)), len(want.Children))
		return
	}
	codes := w.ds.Columns[g.Feature(int32(n))].Codes()
	for i, child := range want.Children {
		var below []int32
		for _, r := range rows {
			if int(codes[r]) == i {
				below = append(below, r)
			}
		}
		w.node(int(g.Child(int32(n)))+i, child, below)
	}
}

// gains compares the gain of every column among the rows of a node.
func (w *id3Comparison) gains(n int, rows []int32, want []float64) {
	w.t.Helper()
	for i, c := range w.s.Columns {
		if c.Name == w.s.Label {
			continue
		}
		if got := gain(w.t, w.ds, c.Name, rows); math.Abs(got-want[i]) > 1e-9 {
			w.t.Errorf("node %d: %s gains %g, Id3 has %g", n, c.Name, got, want[i])
		}
	}
}

// gain returns the information gain, in bits, of one column among some rows, nil = all: that of a
// tree which has no other.
func gain(t *testing.T, ds *data.Dataset, column string, rows []int32) float64 {
	t.Helper()
	one := &data.Dataset{Frame: ds.Select([]int{ds.Schema.Index(column)}), Target: ds.Target}
	_, stump := fitID3(t, one, c45.NewID3(), rows)
	return stump.Stats.Gain[0] / stump.Stats.Weight[0]
}

func (w *id3Comparison) predictions(m model.Model) {
	p, err := m.Bind(&w.ds.Schema, model.Options{Output: model.Label})
	if err != nil {
		w.t.Fatal(err)
	}
	got := make([]float64, w.ds.Rows())
	if err := p.Predict(got, w.ds.Frame, nil); err != nil {
		w.t.Fatal(err)
	}
	for i, r := range w.s.Predicted {
		if int(got[r]) != w.c.Predicted[i] {
			w.t.Errorf("row %d is class %g, Id3 has %d", r, got[r], w.c.Predicted[i])
		}
	}
	wrong := 0
	for r, c := range w.ds.Target.Class {
		if got[r] != float64(c) {
			wrong++
		}
	}
	if wrong != w.c.TrainingErrors {
		w.t.Errorf("%d training errors, Id3 makes %d", wrong, w.c.TrainingErrors)
	}
}
