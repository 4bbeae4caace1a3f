package isolation_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/model"
)

// frozen is testdata/sklearn.json, which testdata/freeze.py made.
type frozen struct {
	Paths struct {
		Rows      [][]float64
		Subsample int
		Trees     int
		Mean, SD  []float64 // of the path lengths of each row, over trees
	}
	Blobs struct {
		Rows      [][]float64
		Anomalies int // the last rows
	}
	AUC []struct {
		Name            string
		Rows, Anomalies int
		Seeds           int
		Mean, SD        float64 // over seeds
	}
}

func readFrozen(t *testing.T) *frozen { return reference.Read[frozen](t, "testdata/sklearn.json") }

// TestPathLengths: row by row, paths are as long on average as in scikit-learn's trees with exact
// c(n) in their leaves.
func TestPathLengths(t *testing.T) {
	want := readFrozen(t).Paths
	f, err := data.FromRows(want.Rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	const trees = 4000
	m := fit(t, &isolation.Learner{Trees: trees, Subsample: want.Subsample},
		&data.Dataset{Frame: f}, learn.Job{Seed: 1})
	unit := isolation.UsualPaths(want.Subsample)[want.Subsample]
	for i, got := range predict(t, m, f, model.Raw) {
		noise := want.SD[i] * math.Sqrt(1/float64(want.Trees)+1.0/trees)
		if d := got*unit - want.Mean[i]; math.Abs(d) > 4*noise {
			t.Errorf("row %d: length %.4f, scikit-learn has %.4f, noise %.4f", i, got*unit,
				want.Mean[i], noise)
		}
	}
}

// set is a table of which freeze.py takes some rows: every so many that are normal, and of the
// anomalies.
type set struct {
	file, label string
	anomaly     func(label string) bool
	normal, odd int
	ignore      []string
}

func sets() map[string]set {
	return map[string]set{
		"iris": {"iris/iris.csv", "species",
			func(l string) bool { return l == "Iris-virginica" }, 1, 5, nil},
		"spambase": {"spambase/spambase.csv", "spam", func(l string) bool { return l == "1" }, 1,
			20, nil},
		"kdd99": {"kdd99/kdd99-train-10pct.csv.gz", "label",
			func(l string) bool { return l != "normal." }, 20, 4000,
			[]string{"protocol_type", "service", "flag"}},
	}
}

func (s *set) read(t *testing.T) *data.Dataset {
	t.Helper()
	all := datatest.Read(t, s.file, data.Roles{Label: s.label, Ignore: s.ignore})
	var rows []int32
	target := twoClasses(0)
	for r, c := range all.Target.Class {
		class, every := uint32(0), s.normal
		if s.anomaly(all.Target.Classes[c]) {
			class, every = 1, s.odd
		}
		if r%every == 0 {
			rows, target.Class = append(rows, int32(r)), append(target.Class, class)
		}
	}
	return &data.Dataset{Frame: all.Subset(rows), Target: target}
}

// twoClasses is a label of so many normal rows.
func twoClasses(rows int) data.Target {
	return data.Target{Name: "odd", Task: data.Binary, Classes: []string{"no", "yes"},
		Class: make([]uint32, rows)}
}

// blobs are clusters whose last rows are noise.
func (f *frozen) blobs(t *testing.T) *data.Dataset {
	t.Helper()
	frame, err := data.FromRows(f.Blobs.Rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: frame, Target: twoClasses(frame.Rows())}
	for i := frame.Rows() - f.Blobs.Anomalies; i < frame.Rows(); i++ {
		ds.Target.Class[i] = 1
	}
	return ds
}

// TestAUC: forests separate anomalies from normal rows as well as scikit-learn's do, but for the
// noise between seeds.
func TestAUC(t *testing.T) {
	tier.NotShort(t, "grows forests on five sets")
	f := readFrozen(t)
	for _, want := range f.AUC {
		t.Run(want.Name, func(t *testing.T) {
			var ds *data.Dataset
			if s, ok := sets()[want.Name]; ok {
				ds = s.read(t)
			} else {
				ds = f.blobs(t)
			}
			if ds.Rows() != want.Rows {
				t.Fatalf("%d rows, scikit-learn had %d", ds.Rows(), want.Rows)
			}
			sum, squares, n := 0.0, 0.0, float64(want.Seeds)
			for seed := range uint64(want.Seeds) {
				r, err := eval.EvaluateRows(t.Context(),
					fit(t, isolation.New(), ds, learn.Job{Seed: seed}), ds, nil, model.Options{})
				if err != nil {
					t.Fatal(err)
				}
				auc, _ := r.Metrics.Get("auc")
				sum += auc
				squares += auc * auc
			}
			mean := sum / n
			variance := (squares - sum*mean) / (n - 1)
			noise := math.Sqrt((variance + want.SD*want.SD) / n)
			t.Logf("AUC %.4f, scikit-learn %.4f, noise %.4f", mean, want.Mean, noise)
			if math.Abs(mean-want.Mean) > 4*noise {
				t.Errorf("AUC %.4f, scikit-learn has %.4f, noise %.4f", mean, want.Mean, noise)
			}
		})
	}
}
