package forest

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// read reads a shipped table.
func read(t *testing.T, file, label string, task data.Task) *data.Dataset {
	t.Helper()
	return datatest.Read(t, file, data.Roles{Label: label, Task: task})
}

// begunFit is a training that has begun. Fit trains again, by the parameters and the target as they
// are by then.
type begunFit struct {
	*stages
	from *prepared
}

func (b *begunFit) Fit(ctx context.Context, job learn.Job) (model.Model, error) {
	return b.learner.fit(ctx, b.from, b.target, job)
}

// begun begins a training on the first rows of a shipped table.
func begun(t *testing.T, file, label string, task data.Task, rows int, weighted bool,
	settings ...string) *begunFit {
	t.Helper()
	ds := read(t, file, label, task)
	for i := 0; weighted && i < ds.Rows(); i++ {
		ds.Target.Weight = append(ds.Target.Weight, 0.5+float64(i%4))
	}
	l := New()
	if err := l.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	table, err := l.prepare(t.Context(), ds.Frame, data.AllRows(rows), 0)
	if err != nil {
		t.Fatal(err)
	}
	from := &prepared{ds.Frame, table}
	f, err := begin(l, from, &ds.Target, learn.Job{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	return &begunFit{f, from}
}

// TestHonestSets: the two sets of a bag make the bag, and the first has its fraction of the rows.
func TestHonestSets(t *testing.T) {
	j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false, "honest=0.4")
	for i := range 5 {
		b, err := j.sampler.sample(i)
		if err != nil {
			t.Fatal(err)
		}
		rows, chosen := 0, 0
		for k, n := range b.count {
			if b.structure[k]+b.leaves[k] != n || min(b.structure[k], b.leaves[k]) > 0 {
				t.Fatalf("row %d is %d times in the bag, %d and %d times in its sets", k, n,
					b.structure[k], b.leaves[k])
			}
			if n > 0 {
				rows++
			}
			if b.structure[k] > 0 {
				chosen++
			}
		}
		if want := int(math.Floor(0.4*float64(rows) + 0.5)); chosen != want {
			t.Errorf("%d of %d rows choose splits, want %d", chosen, rows, want)
		}
	}
	b, err := (&honesty{j.setup}).divide(nil, 0)
	if err != nil || sum(b.structure) != 60 || sum(b.leaves) != 90 {
		t.Errorf("sets of %d and %d of all 150 rows, error %v", sum(b.structure), sum(b.leaves),
			err)
	}
}

// TestHonestSetsAreNeverEmpty: however near its bounds the fraction is, rows choose splits and rows
// make leaves.
func TestHonestSetsAreNeverEmpty(t *testing.T) {
	for _, grouped := range []bool{false, true} {
		for _, fraction := range []float64{1e-9, 0.9999} {
			j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false)
			for i := range j.frame.Rows() {
				j.target.Group = append(j.target.Group, int64(i%12))
			}
			j.learner.Honest, j.learner.Sample.Grouped = fraction, grouped
			b, err := (&honesty{j.setup}).divide(nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := 1 // row
			if grouped {
				want = 12 // rows of a group, 13 of six
			}
			few, many := sum(b.structure), sum(b.leaves)
			if fraction > 0.5 {
				few, many = many, few
			}
			if few < want || few > want+1 || few+many != 150 {
				t.Errorf("grouped %v, fraction %g: %d rows choose splits, %d make leaves", grouped,
					fraction, sum(b.structure), sum(b.leaves))
			}
		}
	}
}

// TestHonestSetsOfGroups: a group chooses splits or makes leaves, not both.
func TestHonestSetsOfGroups(t *testing.T) {
	j := begun(t, "iris/iris.csv", "species", data.Multiclass, 150, false)
	for i := range j.frame.Rows() {
		j.target.Group = append(j.target.Group, int64(i%12))
	}
	j.learner.Honest, j.learner.Sample.Grouped = 0.5, true
	b, err := (&honesty{j.setup}).divide(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range b.structure {
		if b.structure[i] != b.structure[i%12] || b.leaves[i] != b.leaves[i%12] {
			t.Errorf("row %d is separated from row %d of its group", i, i%12)
		}
	}
	if sum(b.structure) == 0 || sum(b.leaves) == 0 {
		t.Error("all groups are in one set")
	}
}

func sum(counts []uint32) (n int) {
	for _, c := range counts {
		n += int(c)
	}
	return n
}

// TestHonestValues compares the values of leaves with those that follow from the definition: the
// rows of the other set that end there, else those of the nearest node above which some pass.
func TestHonestValues(t *testing.T) {
	for _, c := range []struct {
		file, label string
		task        data.Task
		rows        int
		weighted    bool
		settings    []string
	}{
		{"spambase/spambase.csv", "spam", data.Binary, 600, true,
			[]string{"class_weight=balanced"}},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, 800, true, nil},
		{"adult/adult-train.csv.gz", "hours-per-week", data.Regression, 500, true,
			[]string{"criterion=absolute_error"}},
	} {
		j := begun(t, c.file, c.label, c.task, c.rows, c.weighted,
			append(c.settings, "honest=0.7", "node_size=1")...)
		b, err := j.sampler.sample(0)
		if err != nil {
			t.Fatal(err)
		}
		grown, err := j.prepared.series(&j.config).Grow(t.Context(), j.population(b.structure),
			j.config.Seed)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&honesty{j.setup}).apply(grown, &b)
		if err != nil {
			t.Fatal(err)
		}
		empty := 0
		for n := range int32(grown.Len()) {
			want := byDefinition(j.setup, grown, n, b.leaves)
			if grown.Kind(n) == tree.Leaf && want == nil {
				empty++
			}
			for up := n; want == nil; want = byDefinition(j.setup, grown, up, b.leaves) {
				up = grown.Parents()[up]
			}
			for k, w := range want {
				if math.Abs(got.Value(n)[k]-w) > 1e-9*(1+math.Abs(w)) {
					t.Fatalf("%s, node %d: %v, want %v", c.label, n, got.Value(n), want)
				}
			}
		}
		if empty == 0 {
			t.Errorf("%s: no leaf is empty", c.label)
		}
	}
}

// byDefinition returns what the counted rows that pass node n make it predict, nil if there are
// none.
func byDefinition(j *setup, t *tree.Tree, n int32, count []uint32) []float64 {
	var value, y []float64
	total := 0.0
	for i, times := range count {
		passes := false
		row := j.pop.Rows[i]
		t.Over(j.frame.Columns).Visit(row, func(at int32, _ float64, _ bool) {
			passes = passes ||
				at == n
		})
		if times == 0 || !passes {
			continue
		}
		w := float64(times) * j.target.WeightAt(row)
		if value == nil {
			value = make([]float64, t.Leaf.Width)
		}
		total += w
		switch {
		case j.pop.Class != nil:
			value[j.pop.Class[i]] += w * j.factorOf(j.pop.Class[i])
		case j.config.Criterion.Name == "absolute_error":
			for range int(2 * w) { // weights are multiples of a half
				y = append(y, j.pop.Y[i])
			}
		default:
			value[0] += w * j.pop.Y[i]
		}
	}
	if value != nil && j.pop.Class == nil {
		value[0] /= total
	}
	if y != nil {
		slices.Sort(y)
		value[0] = y[(len(y)-1)/2]
	}
	return value
}

func (j *setup) factorOf(class uint32) float64 {
	if j.factor == nil {
		return 1
	}
	return j.factor[class]
}

func summaryOf(t *testing.T, m model.Model) Summary {
	t.Helper()
	var s Summary
	if err := json.Unmarshal(m.Spec().Summary, &s); err != nil {
		t.Fatal(err)
	}
	return s
}
