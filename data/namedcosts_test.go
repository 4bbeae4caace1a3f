package data_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
)

const costTable = "true \\ predicted, good, bad\nbad,5,0\ngood,0,1\n"

// TestReadCosts: lines may come in another order than columns, and classes in another than the
// target's.
func TestReadCosts(t *testing.T) {
	costs, err := data.ReadCosts(strings.NewReader(costTable))
	if err != nil {
		t.Fatal(err)
	}
	if want := (data.NamedCosts{Classes: []string{"good", "bad"},
		Cost: data.Costs{{0, 1}, {5, 0}}}); !cmp.Equal(costs, want) {
		t.Errorf("read %+v, want %+v", costs, want)
	}
	got, err := costs.Of(costTarget(data.Binary, "bad", "good"))
	if want := (data.Costs{{0, 5}, {1, 0}}); err != nil || !cmp.Equal(got, want) {
		t.Errorf("costs %v, %v, want %v", got, err, want)
	}
}

func TestReadCostsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "the file is empty",
		"x,a,b\na,0,1\n":                `class "b" has a column, but no line`,
		"x,a,b\na,0,1\nc,1,0\n":         `line 3: class "c" has a line, but no column`,
		"x,a,b\na,0,1\na,1,0\n":         `line 3: class "a" has two lines`,
		"x,a,a\na,0,1\n":                `class "a" has two columns`,
		"x,a,b\na,0,one\nb,1,0\n":       `line 2: cost "one" of predicting "b" for "a" is not a number`,
		"x,a,b\na,0\nb,1,0\n":           "wrong number of fields",
		"x,a,b\na,0,-1\nb,1,0\n":        "want a number from 0 up",
		"x,a,b\na,0,NaN\nb,1,0\n":       "want a number from 0 up",
		"x,a,b\na,0,1\nb,1,1\n":         "costs 1, want 0",
		"x,a,b\na,0,0\nb,1,0\n":         "cost nothing",
		"x,a,b\n\n\na,0,1\nb,\"1\",x\n": `line 5: cost "x"`,
	} {
		if _, err := data.ReadCosts(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	costs := data.NamedCosts{Classes: []string{"a", "b"}, Cost: data.Costs{{0, 1}, {1, 0}}}
	for want, tg := range map[string]*data.Target{
		`costs: class "c" has none`:           costTarget(data.Multiclass, "a", "b", "c"),
		`costs: there is no class "b"`:        costTarget(data.Binary, "a", "c"),
		"costs do not fit a regression label": costTarget(data.Regression),
	} {
		if _, err := costs.Of(tg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// FuzzReadCosts: whatever a file holds, it is refused or fits itself.
func FuzzReadCosts(f *testing.F) {
	f.Add(costTable)
	f.Add("x,\"a\nb\",c\n\"a\nb\",0,1e300\nc,.5,0")
	f.Fuzz(func(t *testing.T, text string) {
		costs, err := data.ReadCosts(strings.NewReader(text))
		if err != nil {
			return
		}
		if len(costs.Classes) != len(costs.Cost) || costs.Cost.Check(len(costs.Classes)) != nil {
			t.Errorf("%q gives %+v", text, costs)
		}
	})
}

func costTarget(task data.Task, classes ...string) *data.Target {
	return &data.Target{Task: task, Classes: classes}
}
