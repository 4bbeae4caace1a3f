package boost

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/param"
)

// Counts of a head that are at odds with each other, or with the model, are found.
func TestHeadsThatMatch(t *testing.T) {
	good := func() *Head {
		return &Head{Before: 1, First: 2, Stub: 1, Log: report.Log{Rounds: 3, Best: 2}}
	}
	weighted := func() *Head {
		h := good()
		h.Weights, h.AtBest = make([]float64, 8), make([]float64, 6)
		return h
	}
	for _, c := range []struct {
		what  string
		h     *Head
		trees int
		want  bool
	}{
		{"plain", good(), 8, true}, {"fewer trees", good(), 7, false}, {"weighted", weighted(), 8, true},
	} {
		e := &ensemble{width: 2, model: &model.Ensemble{}}
		if c.h.Weights != nil {
			e.model.Weights = []float64{}
		}
		if got := e.matches(c.h, c.trees); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	for what, change := range map[string]func(h *Head){
		"before": func(h *Head) { h.Before = -1 }, "first": func(h *Head) { h.First, h.Rounds = -2, 5 },
		"best": func(h *Head) { h.Best = -1 }, "best behind": func(h *Head) { h.Best = 4 },
		"stub": func(h *Head) { h.Stub = -1 }, "stubs": func(h *Head) { h.Stub = 4 },
		"no weights": func(h *Head) { h.Weights = nil }, "fewer weights": func(h *Head) { h.Weights = h.Weights[:7] },
		"fewer at best": func(h *Head) { h.AtBest = h.AtBest[:5] },
	} {
		e := &ensemble{width: 2, model: &model.Ensemble{Weights: []float64{}}}
		h := weighted()
		if change(h); e.matches(h, 8) {
			t.Errorf("%s: %+v matches", what, h)
		}
	}
	e := &ensemble{width: 2, model: &model.Ensemble{}}
	if e.matches(weighted(), 8) {
		t.Error("weights match a training without dropout")
	}
	for what, change := range map[string]func(h *Head){
		"zeros": func(h *Head) { *h = Head{} }, "at the ends": func(h *Head) { h.Best, h.Stub = 3, 3 },
	} {
		h := good()
		change(h)
		if !e.matches(h, h.First+2*h.Rounds) {
			t.Errorf("%s: %+v does not match", what, h)
		}
	}
	e.model.Weights = []float64{}
	none := weighted()
	if none.Best, none.AtBest = 0, nil; !e.matches(none, 8) {
		t.Error("no best round needs no weights at it")
	}
}

func TestSameCurves(t *testing.T) {
	curves := func() []report.LearningCurve {
		return []report.LearningCurve{
			{Set: "training", Metric: "rmse", Rounds: []int{}, Values: []float64{}},
			{Set: "validation", Metric: "rmse", Rounds: []int{1, 2}, Values: []float64{4, 3}}}
	}
	if !sameCurves(curves(), curves()) || sameCurves(curves(), curves()[:1]) {
		t.Error("curves are not those of the same metrics")
	}
	for what, change := range map[string]func(c []report.LearningCurve){
		"set": func(c []report.LearningCurve) { c[0].Set = "validation" }, "metric": func(c []report.LearningCurve) { c[1].Metric = "mae" },
		"rounds": func(c []report.LearningCurve) { c[1].Rounds = c[1].Rounds[:1] },
		"empty":  func(c []report.LearningCurve) { c[1].Rounds, c[1].Values = nil, nil },
	} {
		c := curves()
		if change(c); sameCurves(curves(), c) {
			t.Errorf("other %s: %+v", what, c)
		}
	}
}

// A head comes back with what follows it, and none is read of a state that is cut off in it.
func TestHeads(t *testing.T) {
	h := Head{Seed: 7, Data: 9, Before: 2, Chosen: &report.Choice{Rounds: 3, Rate: 1}, Log: report.Log{Rounds: 4}}
	state, err := AppendHead([]byte{}, &h)
	if err != nil {
		t.Fatal(err)
	}
	size := len(state)
	state = append(state, "rest"...)
	var got Head
	rest, err := ReadHead(state, &got)
	if err != nil || string(rest) != "rest" || got.Seed != 7 || got.Data != 9 || got.Rounds != 4 {
		t.Errorf("%+v, %q, %v", got, rest, err)
	}
	if rest, err = ReadHead(state[:size], &got); err != nil || len(rest) > 0 {
		t.Errorf("%q, %v", rest, err)
	}
	for n := range size {
		if _, err := ReadHead(state[:n], &Head{}); !errors.Is(err, ErrState) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	other := slices.Clone(state)
	at := strings.Index(string(other), `"version":2`)
	other[at+len(`"version":`)] = '3'
	if _, err := ReadHead(other, &Head{}); err == nil || !strings.Contains(err.Error(), "another version of the program") {
		t.Errorf("another version: %v", err)
	}
	for _, c := range []struct {
		choice *report.Choice
		want   bool
	}{
		{nil, true}, {&report.Choice{Rounds: 1, Rate: 1}, true}, {&report.Choice{Rounds: 0, Rate: 1}, false},
		{&report.Choice{Rounds: 1, Rate: 0}, false}, {&report.Choice{Rounds: 1, Rate: 1.5}, false},
		{&report.Choice{Rounds: 2, Rate: 0.1}, true},
	} {
		state, err := AppendHead(nil, &Head{Chosen: c.choice, Rehearsal: &report.Rehearsal{}})
		if err != nil {
			t.Fatal(err)
		}
		choice, rehearsal, err := ChoiceOf(state)
		if (err == nil) != c.want || c.want && (rehearsal == nil || (choice == nil) != (c.choice == nil)) {
			t.Errorf("%+v: %+v, %v", c.choice, choice, err)
		}
	}
}

// anyone is a user who left no choice to training but the number of trees.
type anyone struct{}

func (anyone) Params() param.Set { return nil }
func (anyone) InEffect(e *Effect) param.Set {
	return param.Set{param.Int(&e.Trees, "trees", 1, 0, 99, "rounds")}
}
func (anyone) With([]string) (Config, error) { return Config{}, nil }
func (anyone) Same(*model.Ensemble) error    { return nil }
func (anyone) Left() Left                    { return Left{} }

// A training continues from its own checkpoint alone, and to the same model.
func TestResume(t *testing.T) {
	ds := orderedTable(t, 60)
	train := func(job learn.Job, trees int) (*Training, error) {
		b := begun(t, ds, learn.Job{Seed: job.Seed, Workers: 1}, func(c *Config) {
			c.Trees, c.Engine.Leaves, c.ValidFraction, c.User = trees, 4, 0.25, anyone{}
		})
		b.setup.Job.Start = job.Start
		if job.Start == nil {
			return b, b.Run(t.Context())
		}
		return b, b.start(t.Context())
	}
	whole, err := train(learn.Job{Seed: 5}, 6)
	if err != nil {
		t.Fatal(err)
	}
	half, err := train(learn.Job{Seed: 5}, 3)
	if err != nil {
		t.Fatal(err)
	}
	c, err := half.checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	var summary report.Boosting
	if err := json.Unmarshal(c.Model.Spec().Summary, &summary); err != nil {
		t.Fatal(err)
	}
	if string(summary.InEffect) != `{"trees":3}` || summary.Kept != 3 || summary.Rounds != 3 || summary.Rate != 0.1 ||
		summary.Valid != 15 || summary.Before != 0 || summary.Loss != "squared" {
		t.Errorf("the checkpoint reports %s", c.Model.Spec().Summary)
	}
	b, err := train(learn.Job{Seed: 5, Start: c}, 6)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := b.ensemble.model, whole.ensemble.model; len(got.Trees) != 6 ||
		!slices.Equal(b.scores.raw, whole.scores.raw) || !slices.Equal(b.scores.valid.Raw, whole.scores.valid.Raw) ||
		!slices.Equal(got.Trees[5].Leaf.Value, want.Trees[5].Leaf.Value) {
		t.Errorf("%d trees, want %d with the same leaves", len(got.Trees), len(want.Trees))
	}
	long, short, fewer := *c, *c, *c
	long.State, short.State = append(slices.Clone(c.State), 0), c.State[:len(c.State)-1]
	m := *c.Model.(*model.Ensemble)
	m.Trees, m.Output = m.Trees[:2], m.Output[:2]
	fewer.Model = &m
	for _, f := range []struct {
		job   learn.Job
		trees int
		want  string
	}{
		{learn.Job{Seed: 6, Start: c}, 6, "trained with seed 5, not 6"},
		{learn.Job{Seed: 5, Start: c}, 2, "3 rounds, more than trees=2"},
		{learn.Job{Seed: 5, Start: &long}, 6, ErrState.Error()},
		{learn.Job{Seed: 5, Start: &short}, 6, ErrState.Error()},
		{learn.Job{Seed: 5, Start: &fewer}, 6, ErrState.Error()},
	} {
		if _, err := train(f.job, f.trees); err == nil || !strings.Contains(err.Error(), f.want) {
			t.Errorf("%v, want %s", err, f.want)
		}
	}
	ds.Target.Y[0][7]++
	if _, err := train(learn.Job{Seed: 5, Start: c}, 6); !errors.Is(err, ErrOtherData) {
		t.Errorf("another label: %v", err)
	}
	if _, err := train(learn.Job{Seed: 5, Start: c}, 3); !errors.Is(err, ErrOtherData) {
		t.Errorf("another label, and no round left: %v", err)
	}
}

// A model that a training cannot add to is refused with what it has.
func TestModelsToContinue(t *testing.T) {
	e := &ensemble{model: &model.Ensemble{Link: link.Softmax(), Bias: make([]float64, 3),
		Meta: model.Spec{Task: data.Multiclass, Classes: []string{"a", "b", "c"}}}}
	for want, change := range map[string]func(m *model.Ensemble){
		"": func(*model.Ensemble) {},
		"the model to continue is for regression, the label is one of": func(m *model.Ensemble) {
			m.Meta.Task = data.Regression
		},
		`has the classes ["a" "b" "d"], the label has ["a" "b" "c"]`: func(m *model.Ensemble) {
			m.Meta.Classes = []string{"a", "b", "d"}
		},
		"has the link logistic, loss=softmax has softmax": func(m *model.Ensemble) { m.Link = link.Logistic() },
		"has the link identity, loss=softmax has softmax": func(m *model.Ensemble) { m.Link = nil },
		"has the derived column": func(m *model.Ensemble) {
			m.Meta.Schema.Fields = []data.Field{{Name: "x"}}
			m.Inputs = input.Set{Numbers: []input.Number{{Source: 0}}}
		},
		"has 2 scores for a row, loss=softmax has 3": func(m *model.Ensemble) { m.Bias = m.Bias[:2] },
	} {
		m := *e.model
		change(&m)
		if err := e.accepts(&m, "softmax"); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
