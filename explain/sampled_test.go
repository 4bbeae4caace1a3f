package explain_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/knn"
	"github.com/coppice-ml/coppice/model"
)

// sampled explains rows of a table by samples, with a background of its first rows.
func sampled(
	t *testing.T, m model.Model, f *data.Frame, rows []int32, o explain.SampledOptions,
) *explain.SampledContributions {
	t.Helper()
	if o.Background == nil {
		o.Background = f.Subset(data.AllRows(20))
	}
	c, err := explain.Sampled(context.Background(), m, f, rows, o)
	if err != nil {
		t.Fatal(err)
	}
	sampledAddUp(t, m, f, rows, o, c)
	return c
}

// sampledAddUp compares the sums of contributions and bias with predictions.
func sampledAddUp(
	t *testing.T, m model.Model, f *data.Frame, rows []int32, o explain.SampledOptions,
	c *explain.SampledContributions,
) {
	t.Helper()
	p, err := m.Bind(&f.Schema, model.Options{Output: o.Output, Rounds: o.Rounds})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, len(rows)*p.Width())
	if err := p.Predict(want, f, rows); err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		sum, size := c.Bias[i%c.Scores], 0.0
		for _, v := range c.Row(i/c.Scores, i%c.Scores) {
			sum, size = sum+v, size+math.Abs(v)
		}
		if !(math.Abs(sum-w) <= 1e-9*max(1, size)) {
			t.Fatalf("row %d, output %d: contributions add up to %v, the prediction is %v",
				rows[i/c.Scores], i%c.Scores, sum, w)
		}
	}
}

// learned trains a learner of the catalog on fourColumns.
func learned(
	t *testing.T, name string, task data.Task, settings ...string,
) (model.Model, *data.Frame) {
	t.Helper()
	entry, err := catalog.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	ds := fourColumns(task, learn.Needs{})
	return fitted(t, entry.New(), ds, data.AllRows(ds.Rows()), settings...), ds.Frame
}

// Estimates are those of the exact computation within their standard errors. The background has
// another dictionary than the rows, and fewer or more rows than samples.
func TestSampledOfTrees(t *testing.T) {
	for _, task := range []data.Task{data.Regression, data.Multiclass} {
		m, f := learned(t, "gbm", task)
		rows := []int32{3, 50, 60, 70, 239}
		for _, background := range []int{1, 7, 100} {
			other := reordered(t, f.Subset(data.AllRows(background)))
			exact, err := explain.Shapley(context.Background(), m, f, rows,
				explain.ShapleyOptions{Background: other})
			if err != nil {
				t.Fatal(err)
			}
			got := sampled(t, m, f, rows, explain.SampledOptions{Output: model.Raw, Samples: 60,
				Seed: 1, Background: other})
			if diff := cmp.Diff(exact.Features, got.Features); diff != "" {
				t.Error(diff)
			}
			for k, want := range exact.Bias {
				if math.Abs(got.Bias[k]-want) > 1e-12 {
					t.Errorf("bias %v, want %v", got.Bias[k], want)
				}
			}
			for i, want := range exact.Values {
				if !(math.Abs(got.Values[i]-want) <= 4*got.StdError[i]+1e-12) {
					t.Errorf("%s, background of %d, value %d: %v ± %v, want %v", task, background,
						i, got.Values[i], got.StdError[i], want)
				}
			}
		}
	}
}

// reordered returns a table whose dictionaries have another order, and one more level.
func reordered(t *testing.T, f *data.Frame) *data.Frame {
	t.Helper()
	schema, columns := f.Schema.Clone(), make([]data.Column, len(f.Columns))
	for j := range columns {
		columns[j] = f.Columns[j]
		levels := schema.Fields[j].Levels
		if levels == nil {
			continue
		}
		schema.Fields[j].Levels = []string{"another"}
		for c := range levels {
			schema.Fields[j].Levels = append(schema.Fields[j].Levels, levels[len(levels)-1-c])
		}
		var codes []uint32
		for _, c := range f.Columns[j].Codes() {
			if int(c) < len(levels) {
				c = uint32(len(levels)) - c
			}
			codes = append(codes, c)
		}
		columns[j] = data.Codes(codes)
	}
	g, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Standard errors decrease with the root of the number of samples.
func TestSampledErrorsDecrease(t *testing.T) {
	m, f := learned(t, "gbm", data.Regression)
	mean := func(samples int) float64 {
		c := sampled(t, m, f, data.AllRows(20), explain.SampledOptions{Samples: samples})
		sum := 0.0
		for _, e := range c.StdError {
			sum += e
		}
		return sum / float64(len(c.StdError))
	}
	if few, many := mean(50), mean(800); !(few/many > 3.5 && few/many < 4.5) {
		t.Errorf("mean standard errors of 50 samples are %v, of 800 %v: want a quarter", few, many)
	}
}

// Models of any learner are explained on both scales, by the same bytes for any number of workers,
// whether rows are explained alone or together.
func TestSampledOfLearners(t *testing.T) {
	for _, learner := range []string{"knn", "stack", "calibrate", "gbm"} {
		t.Run(learner, func(t *testing.T) {
			m, f := learned(t, learner, data.Binary)
			for _, output := range []model.Output{model.Response, model.Raw} {
				o := explain.SampledOptions{Output: output, Samples: tier.Count(100, 400, 400), Workers: 1}
				rows := []int32{5, 100, 7}
				one := sampled(t, m, f, rows, o)
				o.Workers = 3
				if diff := cmp.Diff(one, sampled(t, m, f, rows, o)); diff != "" {
					t.Errorf("1 and 3 workers differ:\n%s", diff)
				}
				alone := sampled(t, m, f, []int32{7}, o)
				for k := range one.Scores {
					if diff := cmp.Diff(one.Row(2, k), alone.Row(0, k)); diff != "" {
						t.Errorf("a row alone:\n%s", diff)
					}
				}
				o.Seed = 1
				if cmp.Equal(one.Values, sampled(t, m, f, rows, o).Values) {
					t.Error("another seed has the same values")
				}
			}
		})
	}
}

// computed is a model that predicts what a function makes of the columns.
type computed struct {
	model.Model
	spec  model.Spec
	value func(row []float64) float64
}

func (c *computed) Spec() *model.Spec { return &c.spec }

func (c *computed) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	return model.RowEvaluator{Columns: data.AllRows(len(c.spec.Schema.Fields)), Width: 1,
		Start: func() func(dst, row []float64) {
			return func(dst, row []float64) { dst[0] = c.value(row) }
		}}.Bind(&c.spec.Schema, s, o.Workers)
}

// Parts of a date contribute together, and a column without effect has exactly 0.
func TestSampledPlayers(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{
		{Name: "d_year", From: &data.DatePart{Source: "d", Part: data.Year}},
		{Name: "d_month", From: &data.DatePart{Source: "d", Part: data.Month}},
		{Name: "x"}, {Name: "unused"}}}
	var columns []data.Column
	for _, x := range []float64{2, 3, 5, 7} {
		columns = append(columns, data.Numbers([]float64{0, x}))
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	m := &computed{spec: model.Spec{Task: data.Regression, Schema: schema},
		value: func(row []float64) float64 {
			return float64(row[0]*row[1]) + float64(row[0]*row[2])
		}}
	c := sampled(t, m, f, []int32{1}, explain.SampledOptions{Samples: 3,
		Background: f.Subset([]int32{0})})
	// The date alone makes 6, and x adds 10 after it: 6 + 5 of the date, 5 of x.
	if diff := cmp.Diff([]float64{5.5, 5.5, 5, 0}, c.Values); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0, 0, 0, 0}, c.StdError); diff != "" {
		t.Errorf("pairs of one background row are alike: %s", diff)
	}
	// Background rows vary, and the samples are too few to meet all of them equally often.
	many := f.Subset([]int32{0, 0, 0, 1, 0, 0, 1})
	c = sampled(t, m, f, []int32{1}, explain.SampledOptions{Samples: 9, Background: many})
	if c.Values[3] != 0 || c.StdError[3] != 0 || c.StdError[0] == 0 || c.Values[0] != c.Values[1] {
		t.Errorf("contributions %v ± %v", c.Values, c.StdError)
	}
}

// The mixed rows of a pair of orders of many columns are predicted in several batches.
func TestSampledManyColumns(t *testing.T) {
	const n = 1000
	m := &computed{spec: model.Spec{Task: data.Regression},
		value: func(row []float64) float64 {
			sum := 0.0
			for j, x := range row {
				sum += float64(float64(j) * x)
			}
			return sum
		}}
	columns := make([]data.Column, n)
	for j := range columns {
		m.spec.Schema.Fields = append(m.spec.Schema.Fields, data.Field{Name: fmt.Sprint("c", j)})
		columns[j] = data.Numbers([]float64{0, float64(j % 3), math.Inf(1)})
	}
	f, err := data.NewFrame(m.spec.Schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	o := explain.SampledOptions{Samples: 3, Background: f.Subset([]int32{0})}
	c := sampled(t, m, f, []int32{1}, o)
	for j, got := range c.Values {
		if want := float64(j * (j % 3)); math.Abs(got-want) > 1e-9 {
			t.Fatalf("column %d contributes %v, want %v", j, got, want)
		}
	}
	_, err = explain.Sampled(context.Background(), m, f, []int32{2}, o)
	if !errors.Is(err, explain.ErrNotFinite) {
		t.Errorf("an infinite prediction: %v", err)
	}
}

func TestSampledErrors(t *testing.T) {
	m, f := learned(t, "gbm", data.Binary)
	ctx, background := context.Background(), f.Subset(data.AllRows(5))
	explained := func(m model.Model, rows []int32, o explain.SampledOptions) error {
		_, err := explain.Sampled(ctx, m, f, rows, o)
		return err
	}
	for _, none := range []*data.Frame{nil, f.Subset(nil)} {
		err := explained(m, nil, explain.SampledOptions{Background: none})
		if !errors.Is(err, explain.ErrNoBackground) {
			t.Errorf("no background: %v", err)
		}
	}
	for _, o := range []explain.SampledOptions{
		{Background: background, Output: model.Label},
		{Background: background, Samples: 1},
		{Background: background, Samples: -3},
		{Background: background.Select([]int{0, 1, 2})},
	} {
		if explained(m, nil, o) == nil {
			t.Errorf("no error for %+v", o)
		}
	}
	var row *data.RowError
	err := explained(m, []int32{240}, explain.SampledOptions{Background: background})
	if !errors.As(err, &row) {
		t.Errorf("a row that does not exist: %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err = explain.Sampled(cancelled, m, f, nil, explain.SampledOptions{Background: background})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
	// A numeric column of the rows is categorical in the background.
	fields := background.Schema.Clone()
	fields.Fields[0].Kind, fields.Fields[0].Levels = data.Categorical, []string{"0", "1"}
	columns := append([]data.Column{data.Codes(make([]uint32, 5))}, background.Columns[1:]...)
	other, err := data.NewFrame(fields, columns)
	if err != nil {
		t.Fatal(err)
	}
	if explained(m, nil, explain.SampledOptions{Background: other}) == nil {
		t.Error("no error for a column of another kind")
	}
}

// The probability of a class by its nearest neighbours, which no exact computation explains.
func ExampleSampled() {
	ctx := context.Background()
	ds, err := csvdata.ReadDataset(ctx, "../testdata/iris/iris.csv", data.Label("species"))
	if err != nil {
		log.Fatal(err)
	}
	m, err := coppice.Train(ctx, knn.New(), ds)
	if err != nil {
		log.Fatal(err)
	}
	versicolor := ds.Frame.Subset(data.AllRows(100)[50:])
	c, err := explain.Sampled(ctx, m, ds.Frame, []int32{0},
		explain.SampledOptions{Background: versicolor, Samples: 200})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean probability of setosa: %.2f\n", c.Bias[0])
	for j, name := range c.Features {
		fmt.Printf("%-12s %+.2f ± %.2f\n", name, c.Row(0, 0)[j], c.RowErrors(0, 0)[j])
	}
	// Output:
	// mean probability of setosa: 0.00
	// sepal_length +0.10 ± 0.01
	// sepal_width  +0.26 ± 0.03
	// petal_length +0.33 ± 0.03
	// petal_width  +0.31 ± 0.03
}
