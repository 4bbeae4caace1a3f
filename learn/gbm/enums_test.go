package gbm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/loss/losstest"
)

// A learner that New did not make is refused: its parameters are all zero.
func TestLearnerWithoutNew(t *testing.T) {
	ds, _ := noisy(t)
	_, err := (&gbm.Learner{Trees: 10}).Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err == nil || !strings.Contains(err.Error(), "make it by gbm.New") {
		t.Errorf("error %v", err)
	}
}

// Closed choices are values of types of their own, with the names of the parameters as texts.
func TestEnums(t *testing.T) {
	l := gbm.New()
	if err := l.Params().Set([]string{"growth=symmetric", "gamma_prune=top", "categories=ordinal",
		"compat=xgboost-exact"}); err != nil {
		t.Fatal(err)
	}
	if l.Growth != gbm.GrowthSymmetric || l.GammaPrune != gbm.GammaPruneTop ||
		l.Categories != gbm.CategoriesOrdinal || l.Compat != gbm.CompatXGBoostExact {
		t.Errorf("%v %v %v %v", l.Growth, l.GammaPrune, l.Categories, l.Compat)
	}
	text, err := json.Marshal(l.Params())
	if err != nil || !strings.Contains(string(text), `"growth":"symmetric"`) ||
		!strings.Contains(string(text), `"compat":"xgboost-exact"`) {
		t.Errorf("%s, %v", text, err)
	}
	err = l.Params().Set([]string{"growth=dept"})
	want := `growth=dept: want auto, leaf, depth or symmetric; did you mean "depth"?`
	if err == nil || err.Error() != want {
		t.Errorf("error %v", err)
	}
	l.Growth = 9
	if err := l.Params().Validate(); err == nil ||
		err.Error() != "growth=unknown(9): want auto, leaf, depth or symmetric" {
		t.Errorf("error %v", err)
	}
	var own struct{ Growth gbm.Growth }
	if err := json.Unmarshal([]byte(`{"Growth":"depth"}`), &own); err != nil ||
		own.Growth != gbm.GrowthDepth {
		t.Errorf("%v, %v", own.Growth, err)
	}
	if err := json.Unmarshal([]byte(`{"Growth":"deep"}`), &own); err == nil {
		t.Error("an unknown name is a value")
	}
}

// A loss, a sampling and a boosting that are given as values are those of the same parameters.
func TestChoicesByValue(t *testing.T) {
	byText := gbm.New()
	settings := []string{"loss=huber", "loss.delta=2", "sampling=goss", "sampling.top=0.3",
		"boosting=dart", "boosting.most=3"}
	if err := byText.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	l := gbm.New()
	l.Loss.Loss, l.Sampling.Way, l.Boosting.Dart = losstest.New("huber", "delta=2"),
		&sample.GOSS{Top: 0.3, Other: 0.1}, gbm.NewDart()
	l.Boosting.Dart.Most = 3
	want, _ := json.Marshal(byText.Params())
	if got, err := json.Marshal(l.Params()); err != nil || string(got) != string(want) {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	if err := l.Params().Validate(); err != nil {
		t.Error(err)
	}
	l.Sampling.Way = struct{ sample.Gradient }{&sample.Everything{}}
	if err := l.Params().Validate(); err == nil ||
		!strings.HasPrefix(err.Error(), "sampling=: want none|uniform|") {
		t.Errorf("a way of one's own without a name: error %v", err)
	}
}
