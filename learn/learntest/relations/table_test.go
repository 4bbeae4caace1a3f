package relations

import (
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
)

// table is a random table to train on.
type table struct {
	*data.Dataset             // the training rows, and below them the validation set
	valid         int         // rows of the validation set
	fresh         *data.Frame // rows of neither, with missing values and categories that are unseen
}

// The columns, by their places.
const (
	age   = iota // integers from 0 to 31, some of them missing
	width        // eighths from 0 to 8
	kind         // four categories, some of them missing
	soil         // seven categories
)

// trained is the number of training rows, and held that of the validation set of every other table.
const (
	trained = 44
	held    = 12
)

var levels = [][]string{kind: {"oak", "elm", "ash", "fir", "none"},
	soil: {"clay", "sand", "peat", "loam", "silt", "chalk", "marl", "none"}}

// newTable makes a table that a learner takes. No category "none" has a row in training. Every
// second table has a validation set.
func newTable(task data.Task, needs learn.Needs, seed uint64) *table {
	r := rng.New(41, seed)
	t := &table{Dataset: &data.Dataset{}}
	if seed%2 == 1 {
		t.valid = held
	}
	n := trained + t.valid
	t.Frame = newFrame(r, n, needs, false)
	t.fresh = newFrame(r, 16, needs, true)
	t.Target = newTarget(r, task, scores(r, t.Frame))
	return t
}

// newFrame makes rows. Fresh ones have values between those of training and beyond them.
func newFrame(r *rng.Stream, n int, needs learn.Needs, fresh bool) *data.Frame {
	var s data.Schema
	var columns []data.Column
	for j, name := range []string{"age", "width", "kind", "soil"} {
		missing := fresh || !needs.Complete && (j == age || j == kind)
		numbers, codes := make([]float64, n), make([]uint32, n)
		for i := range n {
			switch {
			case j == age && fresh:
				numbers[i] = float64(r.Intn(160))/4 - 4
			case j == age:
				numbers[i] = float64(r.Intn(32))
			case j == width:
				numbers[i] = float64(r.Intn(64)) / 8
			default:
				known := len(levels[j]) - 1
				if fresh {
					known++
				}
				codes[i] = uint32(r.Intn(known))
			}
			switch gone := r.Intn(12); {
			case missing && gone == 0:
				numbers[i], codes[i] = math.NaN(), data.MissingCode
			case fresh && gone < 3:
				numbers[i], codes[i] = math.Inf(1-2*(gone%2)), data.UnseenCode
			}
		}
		field := data.Field{Name: name}
		switch {
		case j >= kind:
			field.Kind, field.Levels = data.Categorical, levels[j]
		case needs.Categorical:
			field.Kind = data.Categorical
			field.Levels, codes = asCategories(numbers)
		}
		s.Fields = append(s.Fields, field)
		if field.Kind == data.Categorical {
			columns = append(columns, data.Codes(codes))
		} else {
			columns = append(columns, data.Numbers(numbers))
		}
	}
	return mustFrame(s, columns)
}

// asCategories makes eight categories of numbers, for learners that take no numbers.
func asCategories(numbers []float64) (names []string, codes []uint32) {
	for c := range 8 {
		names = append(names, strconv.Itoa(c))
	}
	for _, x := range numbers {
		code := data.MissingCode
		if !math.IsNaN(x) && !math.IsInf(x, 0) {
			code = uint32(max(0, int(x)) % 8)
		}
		codes = append(codes, code)
	}
	return append(names, "none"), codes
}

// scores returns a number for each row that the columns explain in part. No two are equal.
func scores(r *rng.Stream, f *data.Frame) []float64 {
	y := make([]float64, f.Rows())
	for i := range y {
		y[i] = 1 + 2*r.Float64()
		for j := range f.Columns {
			switch c := &f.Columns[j]; {
			case f.IsMissing(i, j):
				y[i]++
			case c.Codes() != nil:
				y[i] += float64(c.Code(i)*uint32(j+3)%5) / 2
			case j == age:
				y[i] += c.Number(i) / 8
			default:
				y[i] += math.Abs(c.Number(i)-4) / 2
			}
		}
	}
	return y
}

// newTarget makes labels of scores: classes of about as many rows, times of which a quarter is
// censored, or relevances in groups of six rows.
func newTarget(r *rng.Stream, task data.Task, y []float64) data.Target {
	t := data.Target{Name: "y", Task: task}
	switch task {
	case data.Auto:
		return data.Target{}
	case data.Binary:
		t.Classes, t.Class = []string{"no", "yes"}, graded(y, 2)
	case data.Multiclass:
		t.Classes, t.Class = []string{"big", "mid", "small"}, graded(y, 3)
	case data.Ranking:
		grades := make([]float64, len(y))
		for i, g := range graded(y, 4) {
			grades[i] = float64(g)
			t.Group = append(t.Group, int64(i/6))
		}
		t.Y = [][]float64{grades}
	case data.Survival:
		t.Event = make([]uint8, len(y))
		for i := range y {
			t.Event[i] = uint8(min(1, r.Intn(4)))
		}
		t.Y = [][]float64{y}
	default:
		t.Y = [][]float64{y}
	}
	return t
}

// graded divides rows by their scores into grades of as many rows.
func graded(y []float64, grades int) []uint32 {
	sorted := slices.Sorted(slices.Values(y))
	out := make([]uint32, len(y))
	for i, v := range y {
		at, _ := slices.BinarySearch(sorted, v)
		out[i] = uint32(at * grades / len(y))
	}
	return out
}

// job trains on the training rows, with the validation set if there is one.
func (t *table) job(seed uint64) learn.Job {
	job := learn.Job{Seed: seed, Workers: 1, Rows: data.AllRows(t.rows())}
	if t.valid > 0 {
		job.Valid = data.AllRows(t.Rows())[t.rows():]
	}
	return job
}

// rows returns the number of training rows.
func (t *table) rows() int { return t.Rows() - t.valid }

// seen returns the training rows as a table to predict.
func (t *table) seen() *data.Frame { return t.Frame.Subset(data.AllRows(t.rows())) }

// with returns the table with other features of the same rows.
func (t *table) with(f *data.Frame) *table {
	own := *t
	own.Dataset = &data.Dataset{Frame: f, Target: t.Target}
	return &own
}

// labelled returns the table with another target.
func (t *table) labelled(target data.Target) *table {
	own := *t
	own.Dataset = &data.Dataset{Frame: t.Frame, Target: target}
	return &own
}

// weighing returns the table with other weights.
func (t *table) weighing(weight []float64) *table {
	target := t.Target
	target.Weight = weight
	return t.labelled(target)
}

// reordered returns the table of some training rows, each as often as it is named, with the same
// validation set.
func (t *table) reordered(training []int32) *table {
	rows := slices.Concat(training, data.AllRows(t.Rows())[t.rows():])
	own := *t
	own.Dataset = &data.Dataset{Frame: t.Frame.Subset(rows), Target: t.Target.Subset(rows)}
	return &own
}

// joined returns the table without a validation set: its rows are training rows.
func (t *table) joined() *table {
	own := *t
	own.valid = 0
	return &own
}

// weights returns a random weight for each row, around 1, so that no two sums of them are equal.
func weights(r *rng.Stream, n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.5 + r.Float64()
	}
	return w
}

func mustFrame(s data.Schema, c []data.Column) *data.Frame {
	f, err := data.NewFrame(s, c)
	if err != nil {
		panic(err) // the suite's own tables are sound
	}
	return f
}
