package rounds

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// A loss that is half a per cent above the best mean ends the search after two fifths of the four
// rounds that early stopping waits for. Before them, by less, of one fold alone, of rankings and of
// metrics that rise it does not.
func TestSearchEndsWhereTheMeanHasRisen(t *testing.T) {
	for _, c := range []struct {
		name   string
		task   data.Task
		higher bool
		folds  int
		means  []float64
		want   bool
	}{
		{"risen", data.Binary, false, 2, []float64{2, 1, 1.1, 1.006}, true},
		{"below 0", data.Regression, false, 2, []float64{2, -1, -0.9, -0.994}, true},
		{"one round", data.Binary, false, 2, []float64{2, 1, 1.1}, false},
		{"by less", data.Binary, false, 2, []float64{2, 1, 1.1, 1.004}, false},
		{"one fold", data.Binary, false, 1, []float64{2, 1, 1.1, 1.1}, false},
		{"ranking", data.Ranking, false, 2, []float64{2, 1, 1.1, 1.1}, false},
		{"higher is better", data.Binary, true, 2, []float64{1, 2, 1, 1}, false},
	} {
		r := &Search{Higher: c.higher, Ranking: c.task == data.Ranking, Folds: c.folds, Patience: 4,
			Means: c.means, Best: 2, Value: c.means[1]}
		if got := r.risen(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
