package coppice_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

type home struct {
	Town  string `coppice:"town"`
	Floor *int   `coppice:"floor,categorical"`
}

// stay has a field of each kind that FromStructs takes.
type stay struct {
	Age    float64 `coppice:"age"`
	Weight *float32
	home
	Ward   uint8         `coppice:"ward,categorical"`
	Dose   float32       `coppice:"dose,categorical"`
	Smoker bool          `coppice:"smoker"`
	Stay   time.Duration `coppice:"stay"`
	Seen   time.Time     `coppice:"seen"`
	Note   string        `coppice:"-"`
	Class  string        `coppice:"class"`
	Cost   float64       `coppice:"cost"`
}

// stays returns random rows with some missing values. Towns are those of training and, with
// strange, others.
func stays(seed uint64, n int, strange bool) []stay {
	r := rng.New(seed, 1)
	towns := []string{"Rome", " Oslo ", "Bonn", "", "Lima", "Cork"}
	if !strange {
		towns = towns[:4]
	}
	rows := make([]stay, n)
	for i := range rows {
		v := &rows[i]
		v.Age, v.Town, v.Ward, v.Dose = float64(r.Intn(60)), towns[r.Intn(len(towns))], uint8(r.Intn(9)), float32(r.Intn(3))/10
		v.Smoker, v.Stay = r.Intn(2) == 0, time.Duration(r.Intn(1000))*time.Hour
		v.Seen = time.Date(2020, time.Month(1+r.Intn(12)), 1+r.Intn(28), r.Intn(24), 0, 0, 0, time.UTC)
		if weight, floor := float32(r.Intn(100)), r.Intn(200); r.Intn(3) > 0 {
			v.Weight, v.Floor = &weight, &floor
		}
		if r.Intn(9) == 0 {
			v.Age, v.Seen = math.NaN(), time.Time{}
		}
		v.Cost = float64(r.Intn(50)) + v.Age
		v.Class = []string{"a", "b", "c"}[(int(v.Ward)+r.Intn(2))%3]
		if v.Cost != v.Cost {
			v.Cost = 1
		}
	}
	return rows
}

// A struct has the prediction, bit for bit, that its row of a table has; of all kinds of models,
// with missing values and with categories that training did not have.
func TestPredictorIsPredict(t *testing.T) {
	fresh := stays(2, 200, true)
	table, err := data.FromStructs(fresh)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ learner, settings, label string }{
		{"cart", "", "class"}, {"gbm", "trees=20", "class"}, {"gbm", "trees=20 categories=target", "class"}, {"gbm", "trees=20", "cost"},
		{"gbm", "trees=20", "smoker"}, {"forest", "trees=20", "cost"}, {"forest", "trees=20", "class"}, {"knn", "", "cost"},
		{"logistic", "", "smoker"}, {"stack", "members=cart,bayes", "class"}, {"isolation", "trees=20", ""}, {"gbm", "trees=9 loss=quantile loss.quantiles=0.1,0.9", "cost"},
	} {
		roles := data.Roles{Label: c.label, Ignore: []string{"class", "cost"}}
		if c.label != "smoker" && c.label != "" {
			roles.Ignore = []string{map[string]string{"class": "cost", "cost": "class"}[c.label]}
		}
		m, err := coppice.TrainStructs(t.Context(), learnerOf(t, c.learner, c.settings), stays(1, 300, false), roles)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		if c.label == "smoker" {
			m.Spec().Decision.Threshold = .7
		}
		p, err := coppice.NewPredictor[stay](m)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		of, err := m.Bind(&table.Schema, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		named, err := m.Bind(&table.Schema, model.Options{Output: model.Label})
		if err != nil {
			t.Fatal(err)
		}
		w := of.Width()
		want, labels := make([]float64, w*len(fresh)), make([]float64, w*len(fresh))
		if err := errors.Join(of.Predict(want, table, nil), named.Predict(labels, table, nil)); err != nil {
			t.Fatal(err)
		}
		var into coppice.Prediction
		for i, row := range fresh {
			y, err := p.Predict(row)
			if err == nil {
				err = p.PredictInto(&into, &row)
			}
			if err != nil {
				t.Fatalf("%+v, row %d: %v", c, i, err)
			}
			for k, v := range want[i*w : (i+1)*w] {
				if math.Float64bits(y.Values[k]) != math.Float64bits(v) || math.Float64bits(into.Values[k]) != math.Float64bits(v) {
					t.Fatalf("%+v, row %d: %v and %v, want %v", c, i, y.Values, into.Values, want[i*w:(i+1)*w])
				}
			}
			spec := m.Spec()
			switch {
			case spec.Task.Classes():
				if class := spec.Classes[int(labels[i])]; y.Class != class || y.Probability(spec.Classes[w-1]) != want[i*w+w-1] || y.Value != y.Probability(class) {
					t.Fatalf("%+v, row %d: %+v, want class %s", c, i, y, class)
				}
			case y.Value != want[i*w] || y.Probability("a") == y.Probability("a"):
				t.Fatalf("%+v, row %d: %+v, want %v", c, i, y, want[i*w])
			case (spec.Task == data.Anomaly) != (y.Class != ""):
				t.Fatalf("%+v, row %d: class %q", c, i, y.Class)
			}
		}
	}
}

// A Predictor is used by many goroutines at once, and each has its own row's prediction.
func TestPredictorConcurrently(t *testing.T) {
	rows := stays(3, 400, false)
	l := gbm.New()
	l.Trees = 10
	m, err := coppice.TrainStructs(t.Context(), l, rows, data.Roles{Label: "class", Ignore: []string{"cost"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := coppice.NewPredictor[stay](m)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]coppice.Prediction, len(rows))
	for i := range rows {
		if want[i], err = p.Predict(rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			var y coppice.Prediction
			for i := range rows {
				if err := p.PredictInto(&y, &rows[i]); err != nil || !reflect.DeepEqual(y, want[i]) {
					t.Errorf("row %d: %+v, want %+v, %v", i, y, want[i], err)
				}
			}
		})
	}
	wait.Wait()
}

// A prediction into memory that is used again allocates nothing.
func TestPredictIntoAllocatesNothing(t *testing.T) {
	rows := stays(4, 300, false)
	for _, settings := range []string{"trees=10 categories=native", "trees=10 categories=target"} {
		m, err := coppice.TrainStructs(t.Context(), learnerOf(t, "gbm", settings), rows, data.Roles{Label: "class", Ignore: []string{"cost"}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := coppice.NewPredictor[stay](m)
		if err != nil {
			t.Fatal(err)
		}
		var y coppice.Prediction
		i := 0
		// The mean over many runs is rounded down: what the collector empties does not count.
		if n := testing.AllocsPerRun(500, func() {
			if err := p.PredictInto(&y, &rows[i%len(rows)]); err != nil {
				t.Fatal(err)
			}
			i++
		}); n != 0 {
			t.Errorf("%s: %v allocations for each prediction", settings, n)
		}
	}
}

func TestNewPredictorRefuses(t *testing.T) {
	type Sale struct {
		Price float64 `coppice:"price"`
		Shop  string  `coppice:"shop"`
		Day   time.Time
		Sold  float64
	}
	var sales []Sale
	for i := range 60 {
		sales = append(sales, Sale{float64(i % 7), fmt.Sprint("shop ", i%3), time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC), float64(i%7) + .5})
	}
	m, err := coppice.TrainStructs(t.Context(), learnerOf(t, "cart", ""), sales, data.Label("Sold"))
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	_, err = coppice.NewPredictor[struct {
		Price float64 `coppice:"prize"`
		Shop  string  `coppice:"shop"`
		Day   time.Time
	}](m)
	refuse(err, `has no field for the model's column "price": the nearest is "prize"; name it by the tag`)
	_, err = coppice.NewPredictor[struct {
		Price float64 `coppice:"price"`
		Shop  int     `coppice:"shop"`
		Day   time.Time
	}](m)
	refuse(err, `the field for the column "shop" is numeric, the model was trained on a categorical one; the tag option categorical`)
	_, err = coppice.NewPredictor[struct {
		Price float64 `coppice:"price"`
		Shop  string  `coppice:"shop"`
		Day   string
	}](m)
	refuse(err, `the field for the column "Day" is categorical, the model was trained on a date one`)
	_, err = coppice.NewPredictor[struct{ Parts []int }](m)
	refuse(err, "cannot use type []int")
	_, err = coppice.NewPredictor[int](m)
	refuse(err, "want a struct, got int")
	_, err = coppice.NewPredictor[*Sale](m)
	refuse(err, "want a struct, got *coppice_test.Sale")

	for i := range m.Spec().Schema.Fields {
		m.Spec().Schema.Fields[i].Unseen, m.Spec().Schema.Fields[i].Missing = data.Refuse, data.Refuse
	}
	p, err := coppice.NewPredictor[Sale](m)
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	if _, err := p.Predict(Sale{Price: 1, Shop: "shop 1", Day: day}); err != nil {
		t.Error(err)
	}
	_, err = p.Predict(Sale{Price: 1, Shop: "shop 9", Day: day})
	refuse(err, `column "shop": category never seen in training`)
	_, err = p.Predict(Sale{Price: math.NaN(), Shop: "shop 1", Day: day})
	refuse(err, `column "price": missing value`)
}

// A struct may have a number, or a pointer to one, for a column whose levels are bare codes.
func TestPredictorOfBareCodes(t *testing.T) {
	type Text struct {
		Zone string
		Sold float64
	}
	var rows []Text
	for i := range 60 {
		rows = append(rows, Text{fmt.Sprint(i % 3), float64(i % 3 * 10)})
	}
	m, err := coppice.TrainStructs(t.Context(), learnerOf(t, "cart", ""), rows, data.Label("Sold"))
	if err != nil {
		t.Fatal(err)
	}
	texts, err := coppice.NewPredictor[Text](m)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := coppice.NewPredictor[struct{ Zone float64 }](m)
	if err != nil {
		t.Fatal(err)
	}
	integers, err := coppice.NewPredictor[struct{ Zone *int }](m)
	if err != nil {
		t.Fatal(err)
	}
	for x, text := range map[float64]string{0: "0", 1: "1", 2: "2", 2.5: "2", 3: "3", -1: "-1", math.NaN(): ""} {
		want, err := texts.Predict(Text{Zone: text})
		if err != nil {
			t.Fatal(err)
		}
		if y, err := numbers.Predict(struct{ Zone float64 }{x}); err != nil || y.Value != want.Value {
			t.Errorf("zone %v: %v, %v, want %v", x, y.Value, err, want.Value)
		}
		zone := new(int)
		if *zone = int(x); x != x {
			zone = nil
		}
		if y, err := integers.Predict(struct{ Zone *int }{zone}); err != nil || y.Value != want.Value {
			t.Errorf("zone %v: %v, %v, want %v", x, y.Value, err, want.Value)
		}
	}
}
