package coppice_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
)

// visit is a row that requests bring, each in a table of its own.
type visit struct {
	Age  float64
	City string
}

// A predictor that is bound once, to a table of samples, predicts the table of each request.
func TestPredictRequests(t *testing.T) {
	rows := make([]visit, 90)
	ds := &data.Dataset{Target: data.Target{Name: "paid", Task: data.Binary, Class: make([]uint32, len(rows)), Classes: []string{"no", "yes"}}}
	for i := range rows {
		rows[i] = visit{float64(20 + i%7), []string{"Rome", "Oslo", "Bern"}[i%3]}
		if i%3 == 1 || i%6 == 0 { // all of Oslo, half of Rome
			ds.Target.Class[i] = 1
		}
	}
	sample, err := data.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	ds.Frame = sample
	m := learntest.MustFit(t, learn.Env{}, learntest.Made(t, cart.New(), "prune=none"), ds, learn.Job{})
	p, err := m.Bind(&sample.Schema, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]float64, 2*len(rows))
	if err := p.Predict(all, sample, nil); err != nil {
		t.Fatal(err)
	}
	different := map[float64]bool{}
	for i := range 3 { // a city each, whose code is 0 in every request
		request, err := data.FromStructs(rows[i : i+1])
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, 2)
		if err := p.Predict(got, request, nil); err != nil || !slices.Equal(got, all[2*i:2*i+2]) {
			t.Errorf("the request %+v is predicted %v, %v, in the table %v", rows[i], got, err, all[2*i:2*i+2])
		}
		different[got[1]] = true
	}
	if len(different) != 3 {
		t.Errorf("three cities have %d predictions: the example shows nothing", len(different))
	}
}

func readAdult(t *testing.T, part string) *data.Dataset {
	t.Helper()
	f, err := csvdata.Open(csvdata.Options{}, "testdata/adult/adult-"+part+".csv.gz").Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	roles := data.Roles{Label: f.Schema.Fields[len(f.Columns)-1].Name}
	ds, err := roles.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// A predictor that is bound to the training file is as accurate on the test file as one that is
// bound to it. The test file's dictionaries lack some categories and have another order.
func TestPredictOtherFile(t *testing.T) {
	train, test := readAdult(t, "train"), readAdult(t, "test")
	m, err := coppice.Train(t.Context(), learntest.Made(t, gbm.New(), "trees=20", "learning_rate=0.3"), train)
	if err != nil {
		t.Fatal(err)
	}
	accuracy := func(s *data.Schema) float64 {
		p, err := m.Bind(s, model.Options{Output: model.Label})
		if err != nil {
			t.Fatal(err)
		}
		classes := make([]float64, test.Rows())
		if err := p.Predict(classes, test.Frame, nil); err != nil {
			t.Fatal(err)
		}
		right := 0
		for i, c := range test.Target.Class {
			if classes[i] == float64(c) {
				right++
			}
		}
		return float64(right) / float64(test.Rows())
	}
	same := 0
	for i, f := range train.Schema.Fields {
		if slices.Equal(f.Levels, test.Schema.Fields[i].Levels) {
			same++
		}
	}
	if same == len(train.Schema.Fields) {
		t.Fatal("the files have the same dictionaries: the example shows nothing")
	}
	if got, want := accuracy(&train.Schema), accuracy(&test.Schema); got != want || want < 0.85 {
		t.Errorf("accuracy %.4f where the training file was bound, %.4f where the test file was", got, want)
	}
}
