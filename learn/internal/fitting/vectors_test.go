package fitting_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/param"
)

// table has a number and a category in five rows:
//
//	row      0   1   2   3   4
//	x        1   3   1   3  99
//	colour   r   g   r   g   b
func table(t testing.TB) *data.Frame {
	t.Helper()
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{
		{Name: "x"},
		{Name: "colour", Kind: data.Categorical, Levels: []string{"r", "g", "b"}},
	}}, []data.Column{data.Numbers([]float64{1, 3, 1, 3, 99}), data.Codes([]uint32{0, 1, 0, 1, 2})})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// prepare is what Prepare of a learner does before it makes a Fitter.
func prepare(
	learner string, params param.Set, features data.Features, rows []int32, weight []float64, most int,
) (fitting.VectorTable, error) {
	f, rows, err := fitting.Frame(params, features, rows)
	if err != nil {
		return fitting.VectorTable{}, err
	}
	return fitting.Vectors(learner, weight, most)(f, rows)
}

// The encoding is that of the prepared rows: row 4, which is not among them, has no effect.
func TestPrepareByHand(t *testing.T) {
	e, err := prepare("mine", nil, table(t), []int32{3, 0, 2, 1, 0}, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(e.Rows, []int32{0, 1, 2, 3}) {
		t.Errorf("rows %v, want them distinct and ascending", e.Rows)
	}
	// x has mean 2 and standard deviation 1; places are x, r and g
	want := []float64{-1, 1, 0, 1, 0, 1, -1, 1, 0, 1, 0, 1}
	if got := e.Encoding.Matrix(e.Frame, e.Rows, 1); !slices.Equal(got, want) {
		t.Errorf("vectors %v, want %v", got, want)
	}
	all, err := prepare("mine", nil, table(t), nil, nil, 4)
	if err != nil || !slices.Equal(all.Rows, data.AllRows(5)) {
		t.Errorf("rows %v, %v, want all", all.Rows, err)
	}
}

func TestPrepareRefuses(t *testing.T) {
	var width *learn.LimitError
	if _, err := prepare("mine", nil, table(t), nil, nil, 3); !errors.As(err, &width) ||
		!strings.HasPrefix(err.Error(), "mine takes up to 3 columns, with one for each category, "+
			"the table has 4: ") {
		t.Errorf("four places where three are allowed: %v", err)
	}
	var row *data.RowError
	if _, err := prepare("mine", nil, table(t), []int32{5}, nil, 9); !errors.As(err, &row) {
		t.Errorf("row 5 of 5 rows: %v", err)
	}
	k := 0
	params := param.Set{param.Int(&k, "k", 1, 1, 9, "neighbours")}
	if _, err := prepare("mine", params, table(t), nil, nil, 9); err == nil {
		t.Error("a parameter out of its range is accepted")
	}
}

// Gather takes the rows of the job, of which a repeated one counts again, and weighs the classes.
func TestGatherByHand(t *testing.T) {
	e, err := prepare("mine", nil, table(t), nil, nil, 9)
	if err != nil {
		t.Fatal(err)
	}
	target := &data.Target{Task: data.Binary, Classes: []string{"no", "yes"},
		Class: []uint32{0, 1, 0, 0, 1}}
	own, pop, factors, err := e.Gather("mine", target, &learn.Job{Rows: []int32{1, 0, 0}},
		data.ClassWeight{Of: []param.Named{{Name: "yes", Value: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(pop.Rows, []int32{0, 1}) || pop.Multiplicity(0) != 2 || pop.WeightAt(0) != 2 ||
		pop.WeightAt(1) != 3 {
		t.Errorf("population %+v", pop)
	}
	if !slices.Equal(factors, []float64{1, 3}) {
		t.Errorf("factors %v", factors)
	}
	// The encoding is that of rows of these weights: x has the mean (1+3*3+1+3+3*99) / 9.
	weighed, err := prepare("mine", nil, table(t), nil, []float64{1, 3, 1, 1, 3}, 9)
	if err != nil {
		t.Fatal(err)
	}
	got, want := own.Encoding.Matrix(e.Frame, e.Rows, 1), weighed.Encoding.Matrix(e.Frame, e.Rows, 1)
	if !slices.Equal(got, want) || slices.Equal(got, e.Encoding.Matrix(e.Frame, e.Rows, 1)) {
		t.Errorf("vectors %v, want %v", got, want)
	}
	if _, pop, _, err = e.Gather("mine", target, &learn.Job{}, data.ClassWeight{}); err != nil || len(pop.Rows) != 5 {
		t.Errorf("%+v, %v, want all prepared rows", pop, err)
	}
	var row *data.RowError
	if _, _, _, err := e.Gather("mine", target, &learn.Job{Valid: []int32{7}}, data.ClassWeight{}); !errors.As(err,
		&row) {
		t.Errorf("row 7 of 5 rows: %v", err)
	}
	var task *learn.TaskError
	ranking := &data.Target{Task: data.Ranking, Y: [][]float64{{1, 0, 2, 1, 0}},
		Group: []int64{1, 1, 1, 2, 2}}
	if _, _, _, err := e.Gather("mine", ranking, &learn.Job{}, data.ClassWeight{}); !errors.As(err, &task) ||
		task.Learner != "mine" {
		t.Errorf("rankings: %v", err)
	}
}

// Chunks visits each row once with its vector, and keeps results in the order of the rows.
func TestChunksVisitAllRowsInOrder(t *testing.T) {
	f := table(t)
	e, err := prepare("mine", nil, f, nil, nil, 9)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.Int32Range(0, 4), 0, 40).Draw(t, "rows")
		size := rapid.IntRange(1, 50).Draw(t, "size")
		workers := rapid.IntRange(1, 4).Draw(t, "workers")
		var got []float64
		next := 0
		err := fitting.Chunks(context.Background(), &e, rows, size, workers,
			func(c fitting.Chunk) ([]float64, error) {
				if c.Hi-c.Lo > size || len(c.X) != (c.Hi-c.Lo)*e.Encoding.Width() {
					t.Errorf("chunk of %d rows and %d values", c.Hi-c.Lo, len(c.X))
				}
				own := append([]float64{float64(c.Lo)}, c.X...)
				clear(c.X) // the callback may overwrite them
				return own, nil
			}, func(x []float64) error {
				if int(x[0]) != next {
					t.Errorf("the chunk of row %g comes after %d rows", x[0], next)
				}
				next += (len(x) - 1) / e.Encoding.Width()
				got = append(got, x[1:]...)
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if want := e.Encoding.Matrix(f, rows, 1); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// Sums that keep adds up have the same bits for any number of workers.
func TestChunksSumAlike(t *testing.T) {
	e, err := prepare("mine", nil, table(t), nil, nil, 9)
	if err != nil {
		t.Fatal(err)
	}
	rows := slices.Repeat([]int32{0, 4, 1, 2, 3, 1}, 30)
	sum := func(workers int) (total float64) {
		err := fitting.Chunks(t.Context(), &e, rows, 7, workers,
			func(c fitting.Chunk) (float64, error) {
				s := 0.0
				for i, x := range c.X {
					s += x / float64(i+3)
				}
				return s, nil
			}, func(s float64) error { total += s; return nil })
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	want := sum(1)
	for workers := 2; workers <= 5; workers++ {
		if got := sum(workers); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%d workers: %v, want %v", workers, got, want)
		}
	}
}

// Chunks ends with the first error of either callback, or of the context.
func TestChunksFail(t *testing.T) {
	e, err := prepare("mine", nil, table(t), nil, nil, 9)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	zero := func(fitting.Chunk) (int, error) { return 0, nil }
	pass := func(int) error { return nil }
	fail := func(fitting.Chunk) (int, error) { return 0, enough }
	if err := fitting.Chunks(t.Context(), &e, data.AllRows(5), 2, 2, fail, pass); !errors.Is(err,
		enough) {
		t.Errorf("do fails: %v", err)
	}
	refuse := func(int) error { return enough }
	if err := fitting.Chunks(t.Context(), &e, data.AllRows(5), 2, 2, zero, refuse); !errors.Is(err,
		enough) {
		t.Errorf("keep fails: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := fitting.Chunks(ctx, &e, data.AllRows(5), 2, 2, zero, pass); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
