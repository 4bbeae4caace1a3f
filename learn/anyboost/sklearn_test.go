package anyboost_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/anyboost"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
	"github.com/coppice-ml/coppice/tree"
)

// frozenSet is a table: numeric columns, and a label of numbers or of names of classes.
type frozenSet struct {
	X [][]float64
	Y json.RawMessage
}

// frozenCase is what freeze.py stored of one training.
type frozenCase struct {
	Set, Loss string
	Settings  map[string]string
	Depth     int
	Rate      float64
	Weight    []float64
	Start     []float64
	Trees     [][]nodes // by round and output
	Stages    []int
	Staged    [][]float64
}

// nodes are those of a tree in preorder; leaves have a feature below 0.
type nodes struct {
	Feature    []int32
	SplitPoint []float64 `json:"split_point"`
	Value      []float64
}

// dataset makes a table with initial scores for each of its rows, the same for all.
func (s *frozenSet) dataset(t *testing.T, start, weight []float64) *data.Dataset {
	t.Helper()
	ds := &data.Dataset{Target: data.Target{Name: "y", Task: data.Regression, Weight: weight}}
	var names []string
	if json.Unmarshal(s.Y, &names) == nil {
		code := map[string]uint32{}
		for _, name := range names {
			if _, ok := code[name]; !ok {
				code[name] = 0
			}
		}
		for c := range code {
			for other := range code {
				if other < c {
					code[c]++
				}
			}
		}
		ds.Target.Classes = make([]string, len(code))
		for name, c := range code {
			ds.Target.Classes[c] = name
		}
		for _, name := range names {
			ds.Target.Class = append(ds.Target.Class, code[name])
		}
		if ds.Target.Task = data.Multiclass; len(code) == 2 {
			ds.Target.Task = data.Binary
		}
	} else {
		ds.Target.Y = make([][]float64, 1)
		if err := json.Unmarshal(s.Y, &ds.Target.Y[0]); err != nil {
			t.Fatal(err)
		}
	}
	fields, columns := []data.Field{}, []data.Column{}
	for i, x := range s.X {
		fields, columns = append(fields, data.Field{Name: fmt.Sprintf("x%d", i)}),
			append(columns, data.Numbers(x))
	}
	var err error
	if ds.Frame, err = data.NewFrame(data.Schema{Fields: fields}, columns); err != nil {
		t.Fatal(err)
	}
	for range ds.Rows() {
		ds.Target.Offset = append(ds.Target.Offset, start...)
	}
	return ds
}

// newLearner makes a learner with cart as its base, and settings.
func newLearner(t testing.TB, set ...string) *anyboost.Learner {
	t.Helper()
	return learntest.Made(t, anyboost.New(resolve), set...)
}

func fit(t testing.TB, l learn.Learner, ds *data.Dataset, job learn.Job) model.Model {
	t.Helper()
	return learntest.MustFit(t, learn.Env{Resolve: resolve}, l, ds, job)
}

func predict(t testing.TB, m model.Model, f *data.Frame, o model.Options) []float64 {
	t.Helper()
	return modeltest.Predict(t, m, f, o, nil)
}

// near reports whether two numbers agree but for rounding, seen from numbers of some size.
func near(a, b, size float64) bool {
	return math.Abs(a-b) <= 1e-9*max(size, math.Abs(a),
		math.Abs(b))
}

// TestScikitLearn: trees, leaf values and staged scores of gradient boosting are scikit-learn's.
func TestScikitLearn(t *testing.T) {
	frozen := reference.Read[struct {
		Sets  map[string]frozenSet
		Cases []frozenCase
	}](t, "testdata/sklearn.json.gz")
	if len(frozen.Cases) < 15 {
		t.Fatalf("%d cases", len(frozen.Cases))
	}
	for _, c := range frozen.Cases {
		t.Run(c.Set+" "+c.Loss, func(t *testing.T) {
			set := frozen.Sets[c.Set]
			ds := set.dataset(t, c.Start, c.Weight)
			l := newLearner(t, "step=leaf", "loss="+c.Loss, fmt.Sprint("rounds=", len(c.Trees)),
				fmt.Sprint("base.depth=", c.Depth), fmt.Sprint("learning_rate=", c.Rate))
			for k, v := range c.Settings {
				if err := l.Params().Set([]string{k + "=" + v}); err != nil {
					t.Fatal(err)
				}
			}
			e := fit(t, l, ds, learn.Job{}).(*model.Ensemble)
			k := len(c.Start)
			if len(e.Trees) != len(c.Trees)*k {
				t.Fatalf("%d trees, want %d", len(e.Trees), len(c.Trees)*k)
			}
			size, nodes, alike := 0.0, 0, 0
			for _, v := range c.Staged[len(c.Staged)-1] {
				size = max(size, math.Abs(v))
			}
			for i, tr := range e.Trees {
				if e.Output[i] != int32(i%k) || e.Weights[i] != c.Rate {
					t.Fatalf("tree %d feeds output %d with weight %g", i, e.Output[i], e.Weights[i])
				}
				p := pair{frame: ds.Frame, ours: tr, theirs: c.Trees[i/k][i%k], size: size}
				if !p.same(0, data.AllRows(ds.Rows())) || p.at != len(p.theirs.Feature) {
					t.Fatalf("round %d, output %d: another tree, from its node %d on", i/k+1, i%k,
						p.at)
				}
				nodes, alike = nodes+p.at, alike+p.alike
			}
			if alike > nodes/4 {
				t.Errorf("%d of %d nodes are not compared", alike, nodes)
			}
			for s, n := range c.Stages {
				raw := predict(t, e, ds.Frame, model.Options{Output: model.Raw, Rounds: n})
				rows := (ds.Rows() + 6) / 7
				for j, want := range c.Staged[s] {
					row, o := j%rows*7, j/rows
					if got := raw[row*k+o] + c.Start[o]; !near(got, want, size) {
						t.Fatalf("after %d rounds row %d has score %g, want %g", n, row, got, want)
					}
				}
			}
		})
	}
}

// pair is a tree beside one of scikit-learn's, whose nodes stand in preorder.
type pair struct {
	frame  *data.Frame
	ours   *tree.Tree
	theirs nodes
	size   float64 // of scores
	at     int     // node of theirs
	alike  int     // nodes that were passed over
}

// same compares the nodes from n and at on. Splits that partition the rows alike, by one column or
// another, are equally good: the nodes below them are passed over, since scores are compared too.
func (p *pair) same(n int32, rows []int32) bool {
	i := p.at
	if i >= len(p.theirs.Feature) {
		return false
	}
	feature, leaf := p.theirs.Feature[i], p.ours.Kind(n) == tree.Leaf
	if leaf || feature < 0 {
		p.at++
		return leaf && feature < 0 && near(p.ours.Value(n)[0], p.theirs.Value[i], p.size)
	}
	split := func(feature int32, splitPoint float64) (below, above []int32) {
		for _, r := range rows {
			if p.frame.Columns[feature].Number(int(r)) <= splitPoint {
				below = append(below, r)
			} else {
				above = append(above, r)
			}
		}
		return below, above
	}
	below, above := split(p.ours.Feature(n), p.ours.SplitPoint(n))
	if p.ours.Feature(n) != feature || !near(p.ours.SplitPoint(n), p.theirs.SplitPoint[i], 0) {
		first, last := split(feature, p.theirs.SplitPoint[i])
		p.pass()
		p.alike += p.at - i
		return slices.Equal(below, first) || slices.Equal(below, last) && slices.Equal(above, first)
	}
	p.at++
	return p.same(p.ours.Child(n), below) && p.same(p.ours.Child(n)+1, above)
}

// pass goes behind the node and all below it.
func (p *pair) pass() {
	leaf := p.theirs.Feature[p.at] < 0
	if p.at++; !leaf {
		p.pass()
		p.pass()
	}
}

// resolve finds the bases of these tests: those of the catalog, and ramp.
func resolve(name string) (string, learn.Learner, error) {
	if name == "ramp" {
		return name, newRamp(), nil
	}
	return catalog.Resolve(name)
}
