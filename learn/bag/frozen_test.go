package bag_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// read reads a shipped table.
func read(t *testing.T, file, label string, task data.Task) *data.Dataset {
	t.Helper()
	return datatest.Read(t, file, data.Roles{Label: label, Task: task})
}

// fingerprint hashes the summary of a model, which has out-of-bag errors, and the leaves or
// rules that rows reach.
func fingerprint(t *testing.T, m model.Model, f *data.Frame) string {
	t.Helper()
	h := sha256.New()
	for _, x := range leaves(t, m, f, 0) {
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
	}
	h.Write(modeltest.SummaryValues(m.Spec().Summary))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestFrozenBags holds bags to the bytes that they had when the hashes were taken: on every
// architecture, for any number of workers. A hash may change only with a change of the algorithm
// that is intended and listed in the changelog.
func TestFrozenBags(t *testing.T) {
	for _, c := range []struct {
		name, file, label string
		task              data.Task
		rows              int
		settings          []string
		hash              string
	}{
		{"trees", "adult/adult-train.csv.gz", "income", data.Binary, 600, []string{"members=8"},
			"dbc24912263b69d5"},
		{"numbers", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, 400,
			[]string{"members=8", "sample=subsample", "columns=0.7"}, "90f008737f87f16f"},
		{"votes of rules", "iris/iris.csv", "species", data.Multiclass, 150,
			[]string{"members=8", "base=rules", "columns=0.5", "vote=majority", "strata=balanced"},
			"1543f5d715777b57"},
		{"divided rows", "adult/adult-train.csv.gz", "income", data.Binary, 400,
			[]string{"members=8", "base=c45", "base.confidence=0.1", "weighted_sampling=true",
				"importance=permutation"}, "3c78380ced45e424"},
		{"settled", "iris/iris.csv", "species", data.Multiclass, 150,
			[]string{"members=80", "early_stopping=10", "base.mtry=1"}, "aa1ec0621c2e54d8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := read(t, c.file, c.label, c.task)
			// no short binary fractions: their products round, so a fused multiply-add would show
			for i := range ds.Rows() {
				ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
			}
			f, err := made(t, c.settings...).Prepare(t.Context(), ds.Frame, data.AllRows(c.rows),
				nil, learn.Env{})
			if err != nil {
				t.Fatal(err)
			}
			table := ds.Subset(data.AllRows(min(1000, ds.Rows())))
			for _, workers := range []int{1, 2, 7} {
				m, err := f.Fit(t.Context(), &ds.Target, learn.Job{Seed: 7, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if got := fingerprint(t, m, table); got != c.hash {
					t.Errorf("%d workers: %s, want %s", workers, got, c.hash)
				}
			}
		})
	}
}
