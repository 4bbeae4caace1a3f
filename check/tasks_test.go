package check_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/learn/learntest"
)

// inTurn returns the rows of a table in blocks, of which every other one has a dictionary of its
// own.
func inTurn(t *testing.T, f *data.Frame, block int) (blocks []*data.Frame) {
	for rows := range slices.Chunk(data.AllRows(f.Rows()), block) {
		b := f.Subset(rows)
		for i, field := range b.Schema.Fields {
			if field.Name != "query" || len(blocks)%2 == 1 {
				continue
			}
			levels, codes := slices.Clone(field.Levels), slices.Clone(b.Columns[i].Codes())
			slices.Reverse(levels)
			for k, c := range codes {
				codes[k] = uint32(len(levels)) - 1 - c
			}
			b = with(b, "query", data.Field{Name: "query", Kind: data.Text, Levels: levels}, data.Codes(codes))
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// Rankings, whose queries have rows in many blocks, and scores of anomalies have the metrics of an
// evaluation, whatever the blocks.
func TestMetricsOfRankingsAndAnomalies(t *testing.T) {
	const rows = 600
	r := rng.New(3)
	x, grade, bad, query := make([]float64, rows), make([]float64, rows), make([]uint32, rows), make([]uint32, rows)
	for i := range rows {
		x[i], query[i] = normal(r), uint32(r.Intn(40))
		grade[i] = math.Floor(min(3, max(0, x[i]+normal(r)+1)))
		if math.Abs(x[i]) > 2 && i > 100 {
			bad[i] = 1
		}
	}
	names := make([]string, 40)
	for i := range names {
		names[i] = fmt.Sprint("q", i)
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "query", Kind: data.Categorical, Levels: names},
		{Name: "grade"}, {Name: "bad", Kind: data.Categorical, Levels: []string{"no", "yes"}}}},
		[]data.Column{data.Numbers(x), data.Codes(query), data.Numbers(grade), data.Codes(bad)})
	if err != nil {
		t.Fatal(err)
	}
	for label, c := range map[string]struct {
		l     learn.Learner
		roles data.Roles
		f     *data.Frame
	}{
		"grade": {learntest.Made(t, gbm.New(), "loss=lambdarank", "trees=3"), data.Roles{Group: "query", Task: data.Ranking}, f.Select([]int{0, 1, 2})},
		"bad":   {isolation.New(), data.Roles{RareLast: true}, f.Select([]int{0, 3})},
	} {
		c.roles.Label = label
		ds, err := c.roles.Apply(c.f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := coppice.Train(t.Context(), c.l, ds)
		if err != nil {
			t.Fatal(err)
		}
		want, err := eval.Evaluate(t.Context(), m, ds)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range []int{rows, 97} {
			k := check.New(m, check.Options{Label: label})
			for _, b := range inTurn(t, c.f, block) {
				if err := k.Add(t.Context(), b); err != nil {
					t.Fatal(err)
				}
			}
			got, err := k.Report(t.Context())
			if err != nil || got.Evaluation == nil {
				t.Fatalf("%s in blocks of %d: %s %v", label, block, got.Unevaluated, err)
			}
			if diff := cmp.Diff(want.Metrics, got.Evaluation.Metrics); diff != "" || len(got.Intervals) < 2 {
				t.Errorf("%s in blocks of %d: %d intervals, %s", label, block, len(got.Intervals), diff)
			}
			k.Close()
		}
		if label == "bad" {
			m.Spec().Classes = nil
			if got := checked(t, m, c.f); got.Evaluation != nil || !strings.Contains(got.Unevaluated, "no names") {
				t.Errorf("anomalies without a name: %q", got.Unevaluated)
			}
		}
	}
}
