package coppice_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/bag"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// review has a text, of which nil is missing and "" is not.
type review struct {
	Price float64 `coppice:"price"`
	Text  *string `coppice:"text,text"`
	Stars float64 `coppice:"stars"`
}

func reviews() []review {
	words := strings.Fields("lamp chair great broken slow lovely the a my")
	rows := make([]review, 90)
	for i := range rows {
		var picked []string
		stars := 3.0
		for k := range i % 5 {
			w := words[(i*7+k*i/3)%len(words)]
			picked = append(picked, w)
			stars += map[string]float64{"great": 1, "lovely": 1, "broken": -1, "slow": -1}[w]
		}
		text := strings.Join(picked, " ")
		rows[i] = review{float64(i % 11), &text, stars}
		if i%17 == 3 {
			rows[i].Text = nil
		}
	}
	return rows
}

// A model of texts predicts the same for the texts as for their columns: as a table, row by row,
// as sparse rows and from structs, whatever the learner.
func TestTextsPredictAlike(t *testing.T) {
	rows := reviews()
	f, err := data.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "stars", Task: data.Regression}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	short := gbm.New()
	short.Trees = 20
	bagged := bag.New(catalog.Resolve)
	bagged.Members = 3
	for _, l := range []learn.Learner{short, cart.New(), linear.New(), bagged} {
		m, err := coppice.Train(t.Context(), l, ds)
		if err != nil {
			t.Fatal(err)
		}
		want := predictAll(t, m, ds.Frame)
		if got := predictAll(t, m, f); !slices.Equal(got, want) {
			t.Errorf("%s: texts are predicted otherwise than their columns", m.Spec().Learner)
		}
		if slices.Equal(want[:30], slices.Repeat(want[:1], 30)) {
			t.Errorf("%s: predictions do not vary", m.Spec().Learner)
		}
		structs, err := coppice.NewPredictor[review](m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			if y, err := structs.Predict(rows[i]); err != nil || y.Value != want[i] {
				t.Fatalf("%s: struct %d is %v, %v, want %v", m.Spec().Learner, i, y.Value, err, want[i])
			}
		}
	}
}

func predictAll(t *testing.T, m model.Model, f *data.Frame) []float64 {
	t.Helper()
	return modeltest.PredictBoth(t, m, f, model.Options{}, nil) // row by row and sparsely, too
}

// The hash of the predictions of a model of texts is frozen: models of texts read them alike for
// ever, on every machine.
func TestTextsFrozen(t *testing.T) {
	f, err := data.FromStructs(reviews())
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "stars", Task: data.Regression}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	l := gbm.New()
	l.Trees = 20
	m, err := coppice.Train(t.Context(), l, ds)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, v := range predictAll(t, m, f) {
		fmt.Fprintf(h, "%x ", math.Float64bits(v))
	}
	got := fmt.Sprintf("%s %x", ds.Hash(nil, 1), h.Sum(nil)[:8])
	if want := "63a4f2994a315b74 e7dcd90cddfb3ae7"; got != want {
		t.Errorf("hashes %s, want %s", got, want)
	}
}
