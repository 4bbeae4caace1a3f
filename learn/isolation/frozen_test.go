package isolation_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// fingerprint hashes the splits and values of all trees of a model, the scores of a table, the
// threshold and the summary.
func fingerprint(t *testing.T, m *model.Ensemble, f *data.Frame) string {
	h := sha256.New()
	put := func(numbers ...float64) {
		for _, x := range numbers {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	for _, grown := range m.Trees {
		for n := range int32(grown.Len()) {
			if len(grown.Looks(n)) == 0 {
				put(grown.Value(n)...)
				continue
			}
			s := grown.SplitOf(n)
			put(float64(s.Kind), float64(s.Feature), s.SplitPoint, float64(s.Missing))
			for _, word := range s.Set {
				put(math.Float64frombits(word))
			}
		}
	}
	put(predict(t, m, f, model.Response)...)
	put(m.Meta.Decision.Threshold)
	h.Write(modeltest.SummaryValues(m.Meta.Summary))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// TestFrozen holds forests to the bytes that they had when the hashes were taken: on every
// architecture, for any number of workers. A hash may change only with a change of the algorithm
// that is intended and listed in the changelog.
func TestFrozen(t *testing.T) {
	for _, c := range []struct {
		name, file, label string
		rows              int
		weighted          bool
		settings          []string
		hash              string
	}{
		{"numbers", "spambase/spambase.csv", "spam", 1500, false, nil, "de80dd406ca13fb8"},
		{"categories and missing values, weighted", "adult/adult-train.csv.gz", "income", 1500,
			true, []string{"contamination=0.03"}, "52a376f01597bd2e"},
		{"all rows", "iris/iris.csv", "species", 150, false,
			[]string{"subsample=1000", "contamination=0.1"}, "5882ed8a39bdfa31"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := datatest.Read(t, c.file, data.Roles{Label: c.label})
			if c.weighted {
				for i := range ds.Rows() {
					ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
				}
			}
			l := learntest.Made(t, isolation.New(), append(c.settings, "trees=25")...)
			for _, workers := range []int{1, 2, 7} {
				m := fit(t, l, ds, learn.Job{Rows: data.AllRows(c.rows), Seed: 7, Workers: workers})
				if got := fingerprint(t, m, ds.Subset(data.AllRows(c.rows))); got != c.hash {
					t.Errorf("%d workers: %s, want %s", workers, got, c.hash)
				}
			}
		})
	}
}
