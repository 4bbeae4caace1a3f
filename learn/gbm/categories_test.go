package gbm_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/model"
)

// shops is a table whose label is mostly a matter of one of 300 shops and one of 9 goods together.
func shops(t testing.TB, rows int) *data.Dataset {
	t.Helper()
	s := rng.New(5)
	shop, good, x := make([]uint32, rows), make([]uint32, rows), make([]float64, rows)
	class := make([]uint32, rows)
	for i := range rows {
		shop[i], good[i], x[i] = uint32(s.Intn(300)), uint32(s.Intn(9)), s.Float64()
		likes := float64((shop[i]*2654435761+good[i]%3*40503)>>7%100) / 100
		if s.Float64() < 0.8*likes+0.2*x[i] {
			class[i] = 1
		}
		if s.Intn(50) == 0 {
			shop[i] = data.MissingCode
		}
	}
	levels := func(n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprint("l", i)
		}
		return all
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "shop", Kind: data.Categorical, Levels: levels(300)},
		{Name: "good", Kind: data.Categorical, Levels: levels(9)}}}, []data.Column{{Num: x}, {Code: shop}, {Code: good}})
	if err != nil {
		t.Fatal(err)
	}
	return &data.Dataset{Frame: f, Target: data.Target{Name: "bought", Task: data.Binary, Classes: []string{"no", "yes"}, Class: class}}
}

// TestTargetStatistics: many categories are better told by statistics than by sets; what is measured of the validation part is
// what the model says of it; and training goes on from any round.
func TestTargetStatistics(t *testing.T) {
	ds := shops(t, 6000)
	train, valid := split(ds)
	auc := map[string]float64{}
	for _, way := range []string{"native", "auto", "target", "both", "target ts_permutations=3"} {
		settings := append(strings.Fields("categories="+way), "trees=25", "early_stopping=0", "leaves=8", "ts_combinations=3")
		job := learn.Job{Rows: train, Valid: valid, Seed: 2}
		m, all := snapshots(t, ds, job, settings...)
		auc[way] = measured(t, "auc", m, ds, valid)
		o, err := (&loss.Logistic{}).Bind(&ds.Target, valid)
		if err != nil {
			t.Fatal(err)
		}
		curve := summary(t, m).Curves[1]
		if got, want := o.Value(predict(t, m, ds.Frame, valid, model.Raw), 1), curve.Values[24]; got != want {
			t.Errorf("%s: the model has %v, training saw %v", way, got, want)
		}
		job.Start, job.Workers = all[10], 3
		if again := fit(t, ds, job, settings...); !reflect.DeepEqual(again, m) {
			t.Errorf("%s: resumed training ends elsewhere", way)
		}
		if len(m.Meta.Schema.Fields) != 3 {
			t.Errorf("%s: the model's schema has %d columns", way, len(m.Meta.Schema.Fields))
		}
	}
	if auc["auto"] != auc["target"] || !(auc["target"] > auc["native"]+0.01) {
		t.Errorf("AUC %v", auc)
	}
	_, err := tryFit(t.Context(), t, ds, learn.Job{Start: &learn.Checkpoint{Model: fit(t, ds, learn.Job{}, "trees=2")}}, "trees=2")
	if err == nil || !strings.Contains(err.Error(), "target statistics, which cannot be added to") {
		t.Errorf("error %v", err)
	}
	_, err = tryFit(t.Context(), t, ds, learn.Job{}, "boosting=dart", "ts_permutations=2")
	if err == nil || !strings.Contains(err.Error(), "ts_permutations=1") {
		t.Errorf("error %v", err)
	}
}
