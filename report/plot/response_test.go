package plot_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report/plot"
)

// oneTree is a learner whose model is a single tree, whatever its leaves hold.
type oneTree struct {
	name    string
	data    *data.Dataset
	learner learn.Learner
	set     []string
	noSize  string // why there is no picture of errors against size; "" = there is
}

func oneTrees(t *testing.T) []oneTree {
	species, width := read(t, "iris/iris.csv", "species"), read(t, "iris/iris.csv", "petal_width")
	play := read(t, "weather/weather.nominal.csv", "play")
	const gains = "no training statistics to prune by; the learner cart keeps them"
	return []oneTree{
		{"cart, classes", species, cart.New(), nil, ""},
		{"cart, regression", width, cart.New(), nil, ""},
		{"c45", species, c45.New(), nil, ""},
		{"id3", play, c45.NewID3(), nil, ""},
		{"forest, classes", species, forest.New(), []string{"trees=1"}, gains},
		{"forest, regression", width, forest.New(), []string{"trees=1"}, gains},
		{"extratrees", species, forest.NewExtraTrees(), []string{"trees=1"}, gains},
		{"gbm, two classes", play, gbm.New(), []string{"trees=1", "min_child_weight=0"}, gains},
		{"gbm, three classes", species, gbm.New(), []string{"trees=1", "multi_output=true"}, gains},
		{"gbm, regression", width, gbm.New(), []string{"trees=1", "learning_rate=0.3"}, gains},
		{"gbm, a link", width, gbm.New(), []string{"trees=1", "loss=tweedie"}, gains},
	}
}

// TestResponse: pictures show what the model predicts, whether leaves hold class counts,
// probabilities, numbers or raw scores to which a start value and a link belong.
func TestResponse(t *testing.T) {
	for _, one := range oneTrees(t) {
		s, m := trained(t, one.data, one.learner, one.set...)
		leaves, responses := predicted(t, m, one.data, model.Leaf),
			predicted(t, m, one.data, model.Response)
		width := len(responses) / len(leaves)
		different := map[float64]bool{}
		for row, leaf := range leaves {
			want := responses[row*width : (row+1)*width]
			got := s.Response(int32(leaf))
			for k := range want {
				if got[k] != want[k] {
					t.Errorf("%s: leaf %g has response %v, the model predicts %v", one.name,
						leaf, got, want)
				}
			}
			different[want[0]] = true
		}
		if len(different) < 2 {
			t.Errorf("%s: all rows have one prediction, the test shows nothing", one.name)
		}
	}
}

// TestOneTreeOfAnyLearner: each picture of a single tree is drawn, or refused for a reason that is
// true.
func TestOneTreeOfAnyLearner(t *testing.T) {
	for _, one := range oneTrees(t) {
		s, _ := trained(t, one.data, one.learner, one.set...)
		var b bytes.Buffer
		err := plot.Size(&b, s)
		switch {
		case one.noSize == "" && err != nil, one.noSize != "" &&
			(err == nil || !strings.Contains(err.Error(), one.noSize)):
			t.Errorf("%s: size: error %v, want %q", one.name, err, one.noSize)
		case err == nil:
			wellFormed(t, b.Bytes())
		}
	}
}

// predicted returns the predictions of all rows.
func predicted(t *testing.T, m model.Model, ds *data.Dataset, output model.Output) []float64 {
	t.Helper()
	p, err := m.Bind(&ds.Schema, model.Options{Output: output})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]float64, ds.Rows()*p.Width())
	if err := p.Predict(all, ds.Frame, nil); err != nil {
		t.Fatal(err)
	}
	return all
}
