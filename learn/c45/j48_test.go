package c45_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// frozen is what J48 made of some tables; testdata/weka/README.md describes the file.
type frozen struct {
	Sets  map[string]*frozenSet
	Cases []*frozenCase
}

type frozenSet struct {
	File, Label string
	Train, Held int
	Columns     []struct {
		Name   string
		Values []string
	}
	Predicted []int
}

type frozenCase struct {
	Set, Options   string
	Weighted       bool
	Leaves, Size   int
	Nodes          []frozenNode
	TrainingErrors int `json:"training_errors"`
	Predicted      []int
	Distributions  [][]float64
}

type frozenNode struct {
	Weight      []float64
	Class       int
	Empty       bool
	Column      *int
	At          *float64
	Gain, Ratio float64
	Branch      []float64
	Children    []int
}

func readFrozen(t *testing.T) *frozen {
	return reference.Read[frozen](t,
		"testdata/weka/j48.json.gz")
}

// table reads a set with the dictionaries in Weka's order, which numbers branches and classes.
func (s *frozenSet) table(t *testing.T) *data.Dataset {
	t.Helper()
	var o csvdata.Options
	for _, c := range s.Columns {
		if c.Values != nil {
			o.Categorical = append(o.Categorical, c.Name)
		} else {
			o.Numeric = append(o.Numeric, c.Name)
		}
	}
	f, err := csvdata.Open(o, reference.Table(t, s.File)).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{}
	var schema data.Schema
	var columns []data.Column
	for _, c := range s.Columns {
		at := f.Schema.Index(c.Name)
		if at < 0 {
			t.Fatalf("%s has no column %q", s.File, c.Name)
		}
		if c.Values == nil {
			schema.Fields, columns = append(schema.Fields, f.Schema.Fields[at]),
				append(columns, f.Columns[at])
			continue
		}
		codes := map[string]uint32{}
		for i, v := range c.Values {
			codes[v] = uint32(i)
		}
		col := make([]uint32, f.Rows())
		for i, code := range f.Columns[at].Codes() {
			col[i] = data.MissingCode
			if code != data.MissingCode {
				own, ok := codes[f.Schema.Fields[at].Levels[code]]
				if !ok {
					own = data.UnseenCode
				}
				col[i] = own
			}
		}
		if c.Name == s.Label {
			ds.Target = data.Target{Name: c.Name, Task: data.Multiclass, Class: col,
				Classes: c.Values}
			continue
		}
		schema.Fields = append(schema.Fields, data.Field{Name: c.Name, Kind: data.Categorical,
			Levels: c.Values})
		columns = append(columns, data.Codes(col))
	}
	if ds.Frame, err = data.NewFrame(schema, columns); err != nil {
		t.Fatal(err)
	}
	return ds
}

// learner translates Weka's options.
func (c *frozenCase) learner(t *testing.T) *c45.Learner {
	t.Helper()
	l := c45.New()
	words := strings.Fields(c.Options)
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "-U":
			l.Prune = c45.PruneNone
		case "-S":
			l.Raise = false
		case "-B":
			l.Binary = true
		case "-A":
			l.Laplace = true
		case "-M", "-C":
			v, err := strconv.ParseFloat(words[i+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if words[i] == "-M" {
				l.MinLeaf = v
			} else {
				l.Confidence = v
			}
			i++
		default:
			t.Fatalf("option %s", words[i])
		}
	}
	return l
}

// TestJ48 grows every frozen tree anew and compares it node by node, and its predictions.
func TestJ48(t *testing.T) {
	f := readFrozen(t)
	for _, c := range f.Cases {
		name := c.Set + " " + c.Options
		if c.Weighted {
			name += " weighted"
		}
		t.Run(name, func(t *testing.T) { c.compare(t, f.Sets[c.Set]) })
	}
}

func (c *frozenCase) compare(t *testing.T, s *frozenSet) {
	ds := s.table(t)
	if c.Weighted {
		ds.Target.Weight = make([]float64, ds.Rows())
		for i := range ds.Target.Weight {
			ds.Target.Weight[i] = 0.5 + float64(7*i%5)/2
		}
	}
	fitter, err := c.learner(t).Prepare(t.Context(), ds.Frame, data.AllRows(s.Train), nil,
		learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := fitter.Fit(t.Context(), &ds.Target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	grown := m.(*model.Ensemble).Trees[0]
	walk := &comparison{c: c, s: s, ds: ds, t: t, tree: grown}
	walk.node(0, 0)
	if grown.Len() != c.Size || grown.NumLeaves() != c.Leaves {
		t.Errorf("%d nodes, %d leaves; J48 has %d and %d", grown.Len(), grown.NumLeaves(), c.Size,
			c.Leaves)
	}
	t.Logf("%d nodes compared", walk.compared)
	c.comparePredictions(t, s, ds, m)
}

// comparison walks both trees side by side.
type comparison struct {
	c        *frozenCase
	s        *frozenSet
	ds       *data.Dataset
	t        *testing.T
	tree     *tree.Tree
	compared int
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }

func (w *comparison) node(n int32, k int) {
	t, g, want := w.t, w.tree, &w.c.Nodes[k]
	w.compared++
	if w.compared > 1 && t.Failed() {
		return
	}
	if (g.Kind(n) == tree.Leaf) != (want.Column == nil) {
		t.Errorf("node %d: kind %d, J48's node %d has column %v", n, g.Kind(n), k, want.Column)
		return
	}
	if !want.Empty {
		for i, v := range g.Value(n) {
			if strings.Contains(w.c.Options, "-A") {
				v--
			}
			if !near(v, want.Weight[i]) {
				t.Errorf("node %d: weight %g of class %d, J48 has %g", n, v, i, want.Weight[i])
				return
			}
		}
	}
	if want.Column == nil {
		return
	}
	if name := w.s.Columns[*want.Column].Name; w.ds.Schema.Fields[g.Feature(n)].Name != name {
		t.Errorf("node %d looks at %s, J48's node %d at %s", n,
			w.ds.Schema.Fields[g.Feature(n)].Name, k, name)
		return
	}
	switch {
	case g.Kind(n) == tree.Numeric && g.SplitPoint(n) != *want.At:
		t.Errorf("node %d: split point %g, J48 has %g", n, g.SplitPoint(n), *want.At)
	case (g.Kind(n) == tree.SetFirst) && !tree.InSet(g.Set(n), uint32(*want.At)):
		t.Errorf("node %d: set %v, J48 tests for value %g", n, g.Set(n), *want.At)
	case int(g.Arity(n)) != len(want.Children):
		t.Errorf("node %d: %d children, J48 has %d", n, g.Arity(n), len(want.Children))
		return
	}
	total := 0.0
	for _, b := range want.Branch {
		total += b
	}
	for i, child := range want.Children {
		if got := g.Fraction[g.Child(n)+int32(i)]; !near(got, want.Branch[i]/total) {
			t.Errorf("node %d: fraction %g of child %d, J48 has %g", n, got, i, want.Branch[i]/total)
		}
		w.node(g.Child(n)+int32(i), child)
	}
}

func (c *frozenCase) comparePredictions(t *testing.T, s *frozenSet, ds *data.Dataset,
	m model.Model) {
	p, err := m.Bind(&ds.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]int32, len(s.Predicted))
	for i, r := range s.Predicted {
		rows[i] = int32(r)
	}
	k := p.Width()
	got := make([]float64, len(rows)*k)
	if err := p.Predict(got, ds.Frame, rows); err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i := range rows {
		for j, want := range c.Distributions[i] {
			if math.Abs(got[i*k+j]-want) > 1e-9 {
				if wrong++; wrong < 4 {
					t.Errorf("row %d: distribution %v, J48 has %v", rows[i], got[i*k:(i+1)*k],
						c.Distributions[i])
				}
				break
			}
		}
	}
	if wrong > 3 {
		t.Errorf("%d of %d rows are predicted otherwise", wrong, len(rows))
	}
}
