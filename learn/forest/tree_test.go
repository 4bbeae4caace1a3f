package forest

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// TestOneTreeIsCART: a forest of one tree on all rows and columns is the tree of cart, in
// its splits, what it predicts, and how much its columns matter.
func TestOneTreeIsCART(t *testing.T) {
	for _, c := range []struct {
		file, label string
		task        data.Task
		weighted    bool
		settings    []string
	}{
		{"iris/iris.csv", "species", data.Multiclass, false, []string{"vote=probability"}},
		{"spambase/spambase.csv", "spam", data.Binary, true,
			[]string{"vote=probability", "class_weight=balanced"}},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, true,
			[]string{"criterion=poisson", "subset_levels=0"}},
	} {
		j := begun(t, c.file, c.label, c.task, 150, c.weighted,
			append(c.settings, "trees=1", "sample=none", "mtry=all", "node_size=3")...)
		m, err := j.Fit(t.Context(), learn.Job{})
		if err != nil {
			t.Fatal(err)
		}
		single := cart.New()
		single.Prune, single.MinSplit, single.ClassWeight = "none", 4, j.learner.ClassWeight
		if c.task == data.Regression {
			single.Criterion = learn.CriterionPoisson
		}
		f, err := single.Prepare(t.Context(), j.frame, data.AllRows(150), nil, learn.Env{})
		if err != nil {
			t.Fatal(err)
		}
		one, err := f.Fit(t.Context(), j.target, learn.Job{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := predicted(t, m, j.frame),
			predicted(t, one, j.frame); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the forest of one tree predicts otherwise than cart", c.label)
		}
		importances, err := explain.Impurity(one.(*model.Ensemble))
		if err != nil {
			t.Fatal(err)
		}
		probabilities := map[string]float64{}
		for _, i := range summaryOf(t, m).Importances[0].Columns {
			probabilities[i.Column] = i.Fraction
		}
		for _, i := range importances {
			if math.Abs(probabilities[i.Feature]-i.Value) > 1e-12 {
				t.Errorf("%s: column %s has importance %g, want %g", c.label, i.Feature,
					probabilities[i.Feature], i.Value)
			}
		}
	}
}

func predicted(t *testing.T, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, f.Rows()*p.Width())
	if err := p.Predict(dst, f, nil); err != nil {
		t.Fatal(err)
	}
	return dst
}

// TestPrune: a pruned tree has fewer leaves and, on the rows out of its bag, no more errors.
func TestPrune(t *testing.T) {
	for _, c := range []struct {
		file, label string
		task        data.Task
	}{
		{"spambase/spambase.csv", "spam", data.Binary},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression},
	} {
		j := begun(t, c.file, c.label, c.task, 900, true, "prune=oob")
		for i := range 3 {
			count := j.sampler.count(i)
			full, err := j.prepared.series(&j.config).Grow(t.Context(), j.population(count),
				j.config.Seed)
			if err != nil {
				t.Fatal(err)
			}
			pruned, err := pruning{j.setup}.apply(full, &bag{count: count})
			if err != nil {
				t.Fatal(err)
			}
			before, after := lossOut(pruning{j.setup}, full, count),
				lossOut(pruning{j.setup}, pruned, count)
			if after > before || pruned.NumLeaves() >= full.NumLeaves() {
				t.Errorf("%s: %d leaves, loss %g; pruned %d leaves, loss %g", c.label,
					full.NumLeaves(), before, pruned.NumLeaves(), after)
			}
		}
		if same, err := (pruning{j.setup}).apply(&tree.Tree{},
			&bag{count: []uint32{1, 2}}); err != nil || same.Len() != 0 {
			t.Errorf("without rows out of the bag: error %v", err)
		}
	}
}

// lossOut is what a tree costs on the rows out of its bag.
func lossOut(j pruning, t *tree.Tree, bag []uint32) (sum float64) {
	for i, n := range bag {
		if row := j.pop.Rows[i]; n == 0 {
			sum += j.rowWeight(row) * j.loss(t.Value(t.Over(j.frame.Columns).LeafOf(row)), row)
		}
	}
	return sum
}

// TestPopulation: all trees share rows and labels, and a row weighs what its copies in the bag do.
func TestPopulation(t *testing.T) {
	j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, true,
		"class_weight=Iris-virginica=3")
	bag := j.sampler.count(0)
	p := j.population(bag)
	if &p.Rows[0] != &j.pop.Rows[0] || &p.Class[0] != &j.pop.Class[0] {
		t.Error("rows or classes are copied")
	}
	for i, n := range bag {
		want := float64(n) * (0.5 + float64(i%4))
		if i >= 100 {
			want *= 3
		}
		if p.Weight[i] != want {
			t.Fatalf("row %d, %d times in the bag, weighs %g, want %g", i, n, p.Weight[i], want)
		}
	}
	j = begun(t, "iris/iris.csv", "species", data.Multiclass, 150, true, "weighted_sampling=true")
	if p := j.population(j.sampler.count(0)); p.Weight != nil {
		t.Error("rows that were sampled by weight have weights")
	}
	light, heavy := 0, 0
	for i := range 40 {
		for k, n := range j.sampler.count(i) {
			switch k % 4 {
			case 0:
				light += int(n)
			case 3:
				heavy += int(n)
			}
		}
	}
	if ratio := float64(heavy) / float64(light); !(ratio > 6 && ratio < 8) { // of weight 3.5 to 0.5
		t.Errorf("rows of 7 times the weight are drawn %.2f times as often", ratio)
	}
}

// TestGathered: rows that stand several times among those to train on are drawn as often as that
// many rows, and weigh it.
func TestGathered(t *testing.T) {
	once := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false)
	var rows []int32
	for r := range int32(60) {
		rows = append(rows, r, r, r)
	}
	for r := range int32(30) {
		rows = append(rows, 60+r)
	}
	j, err := begin(once.learner, once.from, once.target, learn.Job{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	if got := j.accumulators.trained.Rows; got != 210 || len(j.pop.Rows) != 90 {
		t.Errorf("%d rows, %d of them distinct", got, len(j.pop.Rows))
	}
	often, seldom := 0, 0
	for i := range 50 {
		bag := j.sampler.count(i)
		if sum(bag) != 210 {
			t.Fatalf("%d sampled rows", sum(bag))
		}
		often, seldom = often+sum(bag[:60]), seldom+sum(bag[60:])
	}
	if ratio := float64(often) / float64(seldom); !(ratio > 5.5 && ratio < 6.5) {
		t.Errorf("180 of 210 rows are drawn %.2f times as often as the others", ratio)
	}
	j.learner.Sample.Method = sample.All
	if p := j.population(j.sampler.count(0)); p.Multiplicity(0) != 3 || p.Multiplicity(60) != 1 ||
		p.WeightAt(0) != 3 {
		t.Error("without sampling rows do not count as often as they stand there")
	}
}

// TestCutShort: a forest whose training is cancelled, or ended by the observer, is the first trees
// of the whole one.
func TestCutShort(t *testing.T) {
	j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false, "trees=300")
	m, err := j.Fit(t.Context(), learn.Job{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	whole := m.(*model.Ensemble).Trees
	ctx, cancel := context.WithCancel(t.Context())
	enough := errors.New("enough")
	for want, c := range map[error]struct {
		ctx  context.Context
		stop func() error
	}{
		context.Canceled: {ctx, func() error { cancel(); return nil }},
		enough:           {t.Context(), func() error { return enough }},
	} {
		rounds := 0
		m, err := j.Fit(c.ctx, learn.Job{Seed: 4, Workers: 3, Observe: func(r learn.Round) error {
			if rounds++; r.N != rounds || r.Of != 300 {
				t.Errorf("round %d is %+v", rounds, r)
			}
			if r.N == 20 {
				return c.stop()
			}
			return nil
		}})
		if !errors.Is(err, want) || m == nil {
			t.Fatalf("error %v, want %v", err, want)
		}
		trees := m.(*model.Ensemble).Trees
		if n := len(trees); n < 20 || n == 300 || !reflect.DeepEqual(trees, whole[:n]) ||
			summaryOf(t, m).OutOfBag.Members != n {
			t.Errorf("%v: %d trees, which are not the first of all", want, n)
		}
	}
}
