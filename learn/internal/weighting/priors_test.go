package weighting_test

import (
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/weighting"
	"github.com/coppice-ml/coppice/param"
)

func target(task data.Task, classes ...string) *data.Target {
	return &data.Target{Task: task, Classes: classes}
}

// factors are those of a value of priors.
func factors(text string, t *data.Target, weight []float64) ([]float64, error) {
	priors, err := weighting.ReadPriors(text)
	if err != nil {
		return nil, err
	}
	return weighting.PriorFactors(priors, t, weight)
}

func TestPriorFactors(t *testing.T) {
	weight := []float64{6, 3, 1}
	for text, want := range map[string][]float64{
		"":                    nil,
		"a=0.2,b=0.3,c=0.5":   {0.2 / 0.6, 1, 0.5 / 0.1},
		"b=0.6":               {0.4 / 0.7, 0.6 / 0.3, 0.4 / 0.7},
		" a = 0.5 , c = 0.25": {0.5 / 0.6, 0.25 / 0.3, 0.25 / 0.1},
	} {
		got, err := factors(text, target(data.Multiclass, "a", "b", "c"), weight)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%q: %v, %v", text, got, err)
		}
		total := 0.0
		for c := range got {
			if math.Abs(got[c]-want[c]) > 1e-12 {
				t.Errorf("%q: factors %v, want %v", text, got, want)
			}
			total += got[c] * weight[c]
		}
		if got != nil && math.Abs(total-10) > 1e-9 {
			t.Errorf("%q: all rows weigh %g, before 10", text, total)
		}
	}
	got, err := factors("a=0.5,b=0.5", target(data.Binary, "a", "b"), []float64{4, 0})
	if err != nil || got[0] != 0.5 || got[1] != 1 {
		t.Errorf("a class without rows: %v, %v", got, err)
	}
}

func TestPriorsRefused(t *testing.T) {
	var priors []param.Named
	set := param.Set{weighting.Priors(&priors)}
	for value, want := range map[string]string{
		"a":           `"a" is not NAME=PRIOR`,
		"a=0":         `prior "0" of class "a" is not a positive number`,
		"a=-0.1":      "is not a positive number",
		"a=x":         "is not a positive number",
		"a=0.1,a=0.2": `class "a" has two priors`,
		"a=0.6,b=0.6": "priors add up to 1.2, more than 1",
	} {
		if err := set.Set([]string{"priors=" + value}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", value, err, want)
		}
	}
	weight := []float64{6, 3, 1}
	for value, want := range map[string]string{
		"a=0.2,b=0.3,c=0.4": "priors add up to 0.9, not 1",
		"a=0.5,b=0.5":       `priors: those named add up to 1 and leave nothing for "c"`,
		"a=0.2,d=0.4":       `priors: there is no class "d"`,
	} {
		if _, err := factors(value, target(data.Multiclass, "a", "b", "c"),
			weight); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", value, err, want)
		}
	}
	if _, err := factors("a=1", target(data.Regression), nil); err == nil ||
		err.Error() != "priors do not fit a regression label" {
		t.Errorf("regression: error %v", err)
	}
}
