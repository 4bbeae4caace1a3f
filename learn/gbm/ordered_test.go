package gbm_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/losstest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// TestOrderedBoosting: with every growth and sampling, ordered boosting learns, gives the same
// bytes for any number of workers, resumes from a checkpoint to the same model, and the validation
// scores of training are those of the model.
func TestOrderedBoosting(t *testing.T) {
	for _, c := range []struct {
		task     data.Task
		settings string
		metric   string
		most     float64
	}{
		{data.Regression, "leaves=8 l1=0.1 max_delta_step=0.5", "rmse", 0.25},
		{data.Regression, "growth=depth depth=3 loss=absolute monotone=d=1 sampling=uniform",
			"rmse", 0.3},
		{data.Binary, "growth=symmetric depth=4 sampling=mvs path_smooth=2", "error", 0.2},
		{data.Binary, "leaves=6 leaf_steps=3 class_weight=balanced boosting.permutations=1",
			"error", 0.2},
		{data.Multiclass, "leaves=8 interactions=a+b,c+d boosting.permutations=2", "error", 0.3},
	} {
		ds := table(t, 500, c.task)
		train, valid := trainTest(ds)
		settings := append([]string{"boosting=ordered", "trees=25", "early_stopping=0",
			"learning_rate=0.3"}, strings.Fields(c.settings)...)
		job := learn.Job{Rows: train, Valid: valid, Seed: 4, Workers: 1}
		m, all := checkpoints(t, ds, job, settings...)
		if v := evaluated(t, c.metric, m, ds, valid); v > c.most {
			t.Errorf("%s %s: %s %.3f", c.task, c.settings, c.metric, v)
		}
		values := summary(t, m).Curves[1].Values
		if c.task == data.Regression && !strings.Contains(c.settings, "absolute") {
			rmse := evaluated(t, "rmse", m, ds, valid)
			if got := rmse * rmse / 2; math.Abs(got-values[24]) > 1e-12 {
				t.Errorf("%s: the model has a loss of %v, the training %v", c.settings, got,
					values[24])
			}
		}
		job.Start = all[9]
		if again := fit(t, ds, job, settings...); !reflect.DeepEqual(again, m) {
			t.Errorf("%s %s: resumed training ends elsewhere", c.task, c.settings)
		}
		short := *all[9]
		short.State = short.State[:len(short.State)-8]
		job.Start = &short
		if _, err := tryFit(t.Context(), t, ds, job, settings...); err == nil ||
			!strings.Contains(err.Error(), "damaged") {
			t.Errorf("%s: error %v for a state that is too short", c.settings, err)
		}
		job.Start, job.Workers = nil, 3
		if again := fit(t, ds, job, settings...); !reflect.DeepEqual(again, m) {
			t.Errorf("%s %s: three workers train another model", c.task, c.settings)
		}
		plain := slices.DeleteFunc(slices.Clone(settings),
			func(s string) bool { return strings.HasPrefix(s, "boosting") })
		if same := fit(t, ds, job, plain...); reflect.DeepEqual(same.Trees, m.Trees) {
			t.Errorf("%s %s: plain boosting has the same trees", c.task, c.settings)
		}
	}
}

// TestOrderedBoostingOfStatistics: the orders are those of the target statistics, so that no label
// reaches its own row; training resumes, continues and stops early.
func TestOrderedBoostingOfStatistics(t *testing.T) {
	ds := shops(t, 1500)
	train, valid := trainTest(ds)
	settings := []string{"boosting=ordered", "boosting.permutations=3", "categories=target",
		"ts_combinations=2", "trees=12", "leaves=8", "early_stopping=5"}
	job := learn.Job{Rows: train, Valid: valid, Seed: 3, Workers: 2}
	m, all := checkpoints(t, ds, job, settings...)
	o, err := losstest.New("logistic").Bind(&ds.Target, valid)
	if err != nil {
		t.Fatal(err)
	}
	s := summary(t, m)
	if got := o.Value(predict(t, m, ds.Frame, valid, model.Raw), 1); math.Abs(got-s.Value) > 1e-12 {
		t.Errorf("the model has %v, the training %v", got, s.Value)
	}
	job.Start = all[4]
	if again := fit(t, ds, job, settings...); !reflect.DeepEqual(again, m) {
		t.Error("resumed training ends elsewhere")
	}
	job.Start = &learn.Checkpoint{Model: m}
	if more := fit(t, ds, job, settings...); len(more.Trees) <= len(m.Trees) {
		t.Errorf("%d trees after %d", len(more.Trees), len(m.Trees))
	}
	chosen := fit(t, ds, learn.Job{Rows: train[:200], Seed: 3}, "boosting=ordered",
		"boosting.permutations=1", "early_stopping=2", "leaves=3", "categories=target")
	if c := summary(t, chosen).Chosen; c == nil || c.Rounds < 1 {
		t.Errorf("no rounds were chosen: %+v", c)
	}
}

// TestRefusalsOfOrderedBoosting: what ordered boosting and the parameters of CatBoost's trees do
// not go with is an error of faults that names it.
func TestRefusalsOfOrderedBoosting(t *testing.T) {
	ds := table(t, 60, data.Regression)
	for settings, want := range map[string]string{
		"boosting=ordered multi_output=true":                       "use multi_output=false",
		"boosting=ordered linear_tree=true":                        "use linear_tree=false",
		"boosting=ordered ts_permutations=2":                       "use boosting.permutations",
		"split_score=cosine":                                       "growth=symmetric",
		"split_score=cosine growth=symmetric gamma=1":              "use split_score=l2",
		"split_score=l2 multi_output=true":                         "use multi_output=false",
		"random_strength=1":                                        "growth=symmetric",
		"random_strength=1 growth=symmetric linear_tree=true":      "use linear_tree=false",
		"leaf_steps=2 linear_tree=true":                            "use linear_tree=false",
		"leaf_method=gradient multi_output=true":                   "use multi_output=false",
		"leaf_steps=2 loss=absolute trees=2":                       "use refit_leaves=false",
		"leaf_method=gradient loss=quantile trees=2":               "use refit_leaves=false",
		"growth=symmetric depth=17":                                "use up to 16",
		"boosting=ordered boosting.permutations=101":               "boosting.permutations",
		"boosting=ordered trees=2 split_score=l2 linear_tree=true": "use linear_tree=false",
	} {
		l := learner(t)
		err := l.Params().Set(strings.Fields(settings))
		if err == nil {
			_, err = learntestFit(t, l, ds)
		}
		var faults param.Faults
		var fault *param.Fault
		if err == nil || !errors.As(err, &faults) && !errors.As(err, &fault) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", settings, err, want)
		}
	}
	ranked := table(t, 60, data.Regression)
	ranked.Target.Task, ranked.Target.Group = data.Ranking, make([]int64, 60)
	for i := range ranked.Target.Y[0] {
		ranked.Target.Y[0][i] = float64(i % 3)
		ranked.Target.Group[i] = int64(i / 10)
	}
	_, err := tryFit(t.Context(), t, ranked, learn.Job{}, "boosting=ordered", "trees=2")
	var faults param.Faults
	if !errors.As(err, &faults) || !strings.Contains(err.Error(), "rankings") {
		t.Errorf("error %v for a ranking", err)
	}
}

// TestOrderedBoostingOfEveryLoss: each loss of numbers and classes trains in order and with
// CatBoost's defaults, also of a single row, or is refused with one line.
func TestOrderedBoostingOfEveryLoss(t *testing.T) {
	trained := 0
	for k, entry := range loss.Table() {
		for _, task := range entry.Tasks {
			if task == data.Ranking || task == data.Survival {
				continue
			}
			ds := table(t, 60, task)
			for i := range ds.Target.Y { // within the domain of all losses of numbers
				for r, v := range ds.Target.Y[i] {
					ds.Target.Y[i][r] = min(max(v/8, 0.01), 0.99)
				}
			}
			for _, rows := range [][]int32{nil, {7}, {7, 8}} {
				for i, way := range [][]string{{"boosting=ordered", "trees=3"},
					catboost(t, "trees=3"), catboost(t, "trees=3", "boosting=ordered")} {
					if testing.Short() && len(rows) > 0 && i != (k+len(rows))%3 {
						continue // each loss by another way
					}
					m, err := tryFit(t.Context(), t, ds, learn.Job{Rows: rows, Workers: 2},
						append(way, "loss="+entry.Name)...)
					if err != nil {
						if rows == nil || strings.Contains(err.Error(), "\n") {
							t.Errorf("%s, %d rows, %v: %v", entry.Name, len(rows), way[:2], err)
						}
						continue
					}
					trained++
					for _, v := range predict(t, m, ds.Frame, nil, model.Raw) {
						if math.IsNaN(v) || math.IsInf(v, 0) {
							t.Fatalf("%s: a score of %v", entry.Name, v)
						}
					}
				}
			}
		}
	}
	if trained < 100 {
		t.Errorf("%d models were trained", trained)
	}
}
