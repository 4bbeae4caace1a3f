package fit

import (
	"reflect"
	"testing"

	"github.com/coppice-ml/coppice/learn/gbm/internal/boost"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
	report "github.com/coppice-ml/coppice/model/training"
)

// A head of a choice has the fields of a head, which trainings read, and its own behind them.
func TestSearchHead(t *testing.T) {
	made := &searchHead{Head: boost.Head{Seed: 7, Chosen: &report.Choice{Rounds: 3, Rate: 0.1}},
		Trials: []rounds.Known{{Settings: []string{"leaves=8"}, Fold: 1}},
		Folds:  []boost.Head{{Data: 5, Stub: 2}}, Means: []float64{0.5, 0.25}}
	state, err := boost.AppendHead(nil, made)
	if err != nil {
		t.Fatal(err)
	}
	state = append(state, "scores"...)
	read := &searchHead{}
	rest, err := boost.ReadHead(state, read)
	if err != nil || string(rest) != "scores" || !reflect.DeepEqual(read, made) {
		t.Errorf("read %+v, then %q, %v; want %+v", read, rest, err, made)
	}
	head := &boost.Head{}
	if _, err := boost.ReadHead(state, head); err != nil || !reflect.DeepEqual(*head, made.Head) {
		t.Errorf("a training reads %+v, %v; want %+v", head, err, made.Head)
	}
	if choice, _, err := boost.ChoiceOf(state); err != nil || choice.Rounds != 3 {
		t.Errorf("choice %+v, %v", choice, err)
	}
	state[0]++
	if _, err := boost.ReadHead(state, read); err == nil {
		t.Error("a head of another length is read")
	}
}
