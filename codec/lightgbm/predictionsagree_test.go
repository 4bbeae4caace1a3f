package lightgbm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// difference returns by how much two numbers differ: relative to the second where it is above 1.
func difference(got, want float64) float64 {
	if got == want {
		return 0
	}
	return math.Abs(got-want) / max(1, math.Abs(want))
}

// compared are predictions of one kind.
type compared struct {
	width   int
	predict func(dst, row []float64)
}

// of returns the predictions of a sample that its want has.
func (s *sample) of(r codec.Reference) compared {
	switch {
	case s.leaves:
		return compared{r.Trees(), func(dst, row []float64) {
			numbers := make([]int32, r.Trees())
			r.Leaves(numbers, row)
			for k, n := range numbers {
				dst[k] = float64(n)
			}
		}}
	case s.raw:
		return compared{r.Scores(), r.Raw}
	}
	return compared{r.Outputs(), r.Response}
}

// check compares predictions with those of LightGBM. Files of two classes may have the second
// alone.
func (s *found) check(t *testing.T, what string, c compared) {
	t.Helper()
	largest := 0.0
	if len(s.want) != 0 && len(s.want) != len(s.rows) {
		t.Fatalf("%d rows and %d predictions", len(s.rows), len(s.want))
	}
	got := make([]float64, c.width)
	for i, want := range s.want {
		c.predict(got, s.rows[i])
		if len(want) != len(got) && (len(want) != 1 || len(got) != 2) {
			t.Fatalf("%d predictions, want %d", len(got), len(want))
		}
		for k := range want {
			largest = max(largest, difference(got[len(got)-len(want)+k], want[k]))
		}
	}
	t.Logf("%s: %d rows, largest difference of the %s %.2g", s.name(), len(s.want), what, largest)
	if !(largest <= 1e-12) {
		t.Errorf("the %s differs by %g", what, largest)
	}
}

// The reference predicts what LightGBM predicted.
func TestReference(t *testing.T) {
	samples(t, func(t *testing.T, s *found) {
		f := mustRead(t, s.model, s.bytes)
		if s.rounds > 0 {
			f.trees = f.trees[:s.rounds*f.scores]
		}
		s.check(t, "reference", s.of(reference{f}))
	})
}

// The model predicts what LightGBM predicted, and what the reference predicts of random rows.
func TestModel(t *testing.T) {
	samples(t, func(t *testing.T, s *found) {
		f := mustRead(t, s.model, s.bytes)
		e, err := f.ensemble(foreign.NewBudget(textName, int64(len(s.bytes)), codec.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		output := model.Response
		switch {
		case s.leaves:
			output = model.Leaf
		case s.raw:
			output = model.Raw
		}
		p, err := e.Bind(&e.Meta.Schema, model.Options{Output: output, Rounds: s.rounds, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		s.check(t, "model", compared{p.Width(), func(dst, row []float64) {
			if err := p.PredictRow(dst, known(e, row)); err != nil {
				t.Fatal(err)
			}
		}})
		agrees(t, e, reference{f}, s.rows)
	})
}

// The first rounds of a model predict what the file would predict if it had no more, and are the
// means of so many rounds where the file averages.
func TestFirstRounds(t *testing.T) {
	samples(t, func(t *testing.T, s *found) {
		f := mustRead(t, s.model, s.bytes)
		e, err := f.ensemble(foreign.NewBudget(textName, int64(len(s.bytes)), codec.Limits{}))
		if err != nil {
			t.Fatal(err)
		}
		if got := e.NumRounds(); got != f.iterations() {
			t.Fatalf("%d rounds of %d iterations", got, f.iterations())
		}
		all := f.trees
		for _, rounds := range []int{1, 2, f.iterations() / 2, f.iterations()} {
			if rounds < 1 || rounds > len(all)/f.scores {
				continue
			}
			f.trees = all[:rounds*f.scores]
			first, r := e.First(rounds), reference{f}
			want, got := make([]float64, f.scores), make([]float64, f.scores)
			p, err := first.Bind(&e.Meta.Schema, model.Options{Output: model.Raw, Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range s.rows[:min(50, len(s.rows))] {
				r.Raw(want, row)
				if err := p.PredictRow(got, known(e, row)); err != nil {
					t.Fatal(err)
				}
				for k := range want {
					if d := difference(got[k], want[k]); d > 1e-14 {
						t.Fatalf("%d rounds: score %d is %v, want %v", rounds, k, got[k], want[k])
					}
				}
			}
		}
	})
}

// known returns a row with -1 for codes beyond the levels of the model.
func known(e *model.Ensemble, row []float64) []float64 {
	row = slices.Clone(row)
	for i, f := range e.Meta.Schema.Fields {
		if f.Kind == data.Categorical && !(row[i] < float64(len(f.Levels))) && !math.IsNaN(row[i]) {
			row[i] = -1
		}
	}
	return row
}

// agrees checks that a model and the reference of its file agree, in all outputs, on rows and on
// random changes of them.
func agrees(t *testing.T, e *model.Ensemble, r codec.Reference, rows [][]float64) {
	t.Helper()
	if r.Trees() != len(e.Trees) || r.Scores() != e.Scores() || r.Outputs() != e.Outputs() {
		t.Fatalf("%d trees, %d scores, %d outputs; the reference has %d, %d, %d", len(e.Trees),
			e.Scores(), e.Outputs(), r.Trees(), r.Scores(), r.Outputs())
	}
	predictor := func(o model.Output) model.Predictor {
		p, err := e.Bind(&e.Meta.Schema, model.Options{Output: o, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	raw, response, leaf := predictor(model.Raw), predictor(model.Response), predictor(model.Leaf)
	random, points := rand.New(rand.NewPCG(1, 2)), splitPoints(e)
	wantLeaf := make([]int32, r.Trees())
	for i := range 300 {
		row := make([]float64, len(e.Meta.Schema.Fields))
		if i < len(rows) {
			row = known(e, rows[i])
		}
		for k := range row {
			if i >= len(rows) || i >= 100 && random.IntN(3) == 0 {
				row[k] = randomValue(random, &e.Meta.Schema.Fields[k], points[k])
			}
		}
		got, want := make([]float64, raw.Width()), make([]float64, raw.Width())
		r.Raw(want, row)
		same(t, "raw", raw, got, row, want)
		got, want = make([]float64, response.Width()), make([]float64, response.Width())
		r.Response(want, row)
		same(t, "response", response, got, row, want)
		r.Leaves(wantLeaf, row)
		got = make([]float64, leaf.Width())
		if err := leaf.PredictRow(got, row); err != nil {
			t.Fatal(err)
		}
		for k := range got {
			if got[k] != float64(wantLeaf[k]) {
				t.Fatalf("row %v ends in leaf %v of tree %d, by the reference in %d", row, got[k], k,
					wantLeaf[k])
			}
		}
	}
}

// same checks that a prediction is what the reference has.
func same(t *testing.T, what string, p model.Predictor, got, row, want []float64) {
	t.Helper()
	if err := p.PredictRow(got, row); err != nil {
		t.Fatal(err)
	}
	for k := range want {
		if !(difference(got[k], want[k]) <= 1e-12) {
			t.Fatalf("%s of row %v is %v, by the reference %v", what, row, got, want)
		}
	}
}

// splitPoints returns the split points of each column.
func splitPoints(e *model.Ensemble) [][]float64 {
	points := make([][]float64, len(e.Meta.Schema.Fields)+len(e.Inputs.Columns)+len(e.Inputs.Numbers))
	for _, t := range e.Trees {
		for n := range int32(t.Len()) {
			if t.Kind(n) == tree.Numeric {
				points[t.Feature(n)] = append(points[t.Feature(n)], t.SplitPoint(n))
			}
		}
	}
	return points
}

// randomValue returns a value of a column: a category, or a number at or beside a split point.
func randomValue(r *rand.Rand, f *data.Field, points []float64) float64 {
	if r.IntN(8) == 0 {
		return math.NaN()
	}
	if f.Kind == data.Categorical {
		return float64(r.IntN(len(f.Levels)+1) - 1)
	}
	if r.IntN(8) == 0 || len(points) == 0 {
		return []float64{0, math.Copysign(0, -1), 1e-35, -1e-35, 2e-35, -1, 1, 1e10}[r.IntN(8)]
	}
	x := points[r.IntN(len(points))]
	return []float64{x, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))}[r.IntN(3)]
}
