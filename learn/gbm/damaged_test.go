package gbm_test

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
)

// object is JSON that is edited.
type object = map[string]any

// edited returns a checkpoint whose state has another head: a state is the length of its head, the
// head as JSON, and scores.
func edited(t *testing.T, c *learn.Checkpoint, edit func(head object)) *learn.Checkpoint {
	t.Helper()
	size, n := binary.Uvarint(c.State)
	var head object
	if err := json.Unmarshal(c.State[n:n+int(size)], &head); err != nil {
		t.Fatal(err)
	}
	edit(head)
	text, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	state := append(binary.AppendUvarint(nil, uint64(len(text))), text...)
	return &learn.Checkpoint{Model: c.Model, State: append(state, c.State[n+int(size):]...)}
}

// set returns an edit that gives members of the head values.
func set(values object) func(object) {
	return func(head object) { maps.Copy(head, values) }
}

// ofCurve returns an edit of the first or the last curve.
func ofCurve(last bool, values object) func(object) {
	return func(head object) {
		curves := head["curves"].([]any)
		at := 0
		if last {
			at = len(curves) - 1
		}
		maps.Copy(curves[at].(object), values)
	}
}

// refused checks that training does not resume from a checkpoint, and why.
func refused(t *testing.T, name string, ds *data.Dataset, job learn.Job, want string,
	settings ...string) {
	t.Helper()
	_, err := tryFit(t.Context(), t, ds, job, settings...)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: error %v, want one with %q", name, err, want)
	}
}

// TestDamagedStates: each count of a state that contradicts another, or the model beside it, is
// refused. Training resumes from the unedited state.
func TestDamagedStates(t *testing.T) {
	ds := table(t, 200, data.Binary)
	train, valid := trainTest(ds)
	settings := []string{"trees=20", "leaves=4", "early_stopping=5"}
	job := learn.Job{Rows: train, Valid: valid, Seed: 1}
	_, all := checkpoints(t, ds, job, settings...)
	whole := all[3]
	ones := []float64{1, 1, 1, 1}
	m := *whole.Model.(*model.Ensemble)
	job.Start = edited(t, whole, func(object) {})
	fit(t, ds, job, settings...)
	for name, edit := range map[string]func(object){
		"rounds below 0": set(object{"trained_rounds": -1, "first": 5,
			"best_round": -1}),
		"rounds without trees":      set(object{"trained_rounds": 5}),
		"trees of no round":         set(object{"first": 1}),
		"first trees below 0":       set(object{"trained_rounds": 7, "first": -3}),
		"rounds before below 0":     set(object{"before": -1}),
		"best round below 0":        set(object{"best_round": -1}),
		"best round not trained":    set(object{"best_round": 5}),
		"stubs below 0":             set(object{"stub": -1}),
		"more stubs than rounds":    set(object{"stub": 5}),
		"weights of a sum without":  set(object{"weights": ones, "weights_at_best": ones}),
		"no curves":                 set(object{"curves": []any{}}),
		"a curve of another set":    ofCurve(true, object{"set": "test"}),
		"a curve of another metric": ofCurve(true, object{"metric": "auc"}),
		"rounds of a curve":         ofCurve(false, object{"rounds": []int{1, 2}}),
		"no point of validation": ofCurve(true,
			object{"rounds": []int{}, "values": []float64{}}),
		"a number of rounds of 0": set(object{"chosen": object{"rounds": 0,
			"learning_rate": 0.1}}),
		"a learning rate of 0": set(object{"chosen": object{"rounds": 1,
			"learning_rate": 0}}),
		"a learning rate above 1": set(object{"chosen": object{"rounds": 1,
			"learning_rate": 1.5}}),
		"something that is no integer": set(object{"stub": "none"}),
	} {
		given := slices.Clone(settings)
		if strings.Contains(name, "number of rounds") || strings.Contains(name, "learning rate") {
			given[0] = "trees=0" // what was chosen counts then
		}
		job.Start = edited(t, whole, edit)
		refused(t, name, ds, job, "damaged", given...)
	}
	job.Start = edited(t, whole, set(object{"version": 3}))
	refused(t, "version", ds, job, "another version of the program", settings...)
	job.Start = &learn.Checkpoint{Model: &m, State: []byte{200}}
	refused(t, "a length that does not end", ds, job, "damaged", settings...)
	job.Start = &learn.Checkpoint{Model: &m, State: slices.Repeat([]byte{0xff}, 11)}
	refused(t, "a length beyond 64 bits", ds, job, "damaged", settings...)
	job.Start = &learn.Checkpoint{Model: &m, State: []byte{9, '{', '}'}}
	refused(t, "a truncated head", ds, job, "damaged", settings...)
	// of the scores of either set
	for missing := 1; missing <= 8*len(valid)+8; missing += 8*len(valid) + 7 {
		job.Start = &learn.Checkpoint{Model: &m, State: whole.State[:len(whole.State)-missing]}
		refused(t, "truncated scores", ds, job, "damaged", settings...)
	}
}

// TestDamagedWeights: a state of rounds with dropout has a weight for each tree, and those of the
// best round.
func TestDamagedWeights(t *testing.T) {
	ds := table(t, 200, data.Binary)
	train, valid := trainTest(ds)
	settings := []string{"trees=20", "leaves=4", "early_stopping=5", "boosting=dart"}
	job := learn.Job{Rows: train, Valid: valid, Seed: 1}
	_, all := checkpoints(t, ds, job, settings...)
	job.Start = edited(t, all[3], func(object) {})
	fit(t, ds, job, settings...)
	for name, edit := range map[string]func(object){
		"no weights":       set(object{"weights": nil}),
		"too few weights":  set(object{"weights": []float64{1, 1, 1}}),
		"too many weights": set(object{"weights": []float64{1, 1, 1, 1, 1}}),
		"too few at the best round": set(object{"best_round": 2,
			"weights_at_best": []float64{1}}),
		"too many at the best round": set(object{"best_round": 2,
			"weights_at_best": []float64{1, 1, 1}}),
		"weights of no best round": set(object{"best_round": 2, "weights_at_best": nil}),
		"weights beside other counts": set(object{"best_round": 4,
			"weights_at_best": []float64{1, 1}}),
	} {
		job.Start = edited(t, all[3], edit)
		refused(t, name, ds, job, "damaged", settings...)
	}
}

// TestDamagedChoice: the same of a state that is written while rounds are chosen.
func TestDamagedChoice(t *testing.T) {
	ds := table(t, 200, data.Binary)
	settings := []string{"leaves=4", "early_stopping=4"}
	job := learn.Job{Seed: 1}
	whole, _ := chosen(t, ds, job, 3, settings...)
	job.Start = edited(t, whole, func(object) {})
	fit(t, ds, job, settings...)
	fold := func(values object) func(object) {
		return func(head object) { maps.Copy(head["folds"].([]any)[2].(object), values) }
	}
	for name, edit := range map[string]func(object){
		"no means": func(head object) {
			head["means"] = []float64{}
			for _, f := range head["folds"].([]any) {
				maps.Copy(f.(object), object{"trained_rounds": 0, "best_round": 0})
			}
		},
		"more means than rounds":       set(object{"means": make([]float64, 10_001)}),
		"first trees below 0":          set(object{"first": -1}),
		"first trees beyond the model": set(object{"first": 2}),
		"rounds of a fold below 0":     fold(object{"trained_rounds": -1, "stub": -1}),
		"rounds of a fold not entered": fold(object{"trained_rounds": 4}),
		"stubs of a fold below 0":      fold(object{"stub": -1}),
		"stubs of a fold above rounds": fold(object{"stub": 4}),
		"curves of a fold":             fold(object{"curves": []any{}}),
	} {
		job.Start = edited(t, whole, edit)
		refused(t, name, ds, job, "damaged", settings...)
	}
	for name, edit := range map[string]func(object){
		"rows of a fold":  fold(object{"data": 1}),
		"number of folds": func(head object) { head["folds"] = head["folds"].([]any)[:3] },
	} {
		job.Start = edited(t, whole, edit)
		refused(t, name, ds, job, "other rows, columns, labels or weights", settings...)
	}
	longer := append(slices.Clone(whole.State), make([]byte, 8)...)
	job.Start = &learn.Checkpoint{Model: whole.Model, State: longer}
	refused(t, "more scores", ds, job, "damaged", settings...)
}
