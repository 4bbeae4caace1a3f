package rounds

import (
	"context"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// A loss that is half a per cent above the best mean ends the search after a fifth of the ten
// rounds that early stopping waits for, and a quarter of a per cent after three tenths. Before
// them, by less, of one fold alone, of rankings and of metrics that rise it does not.
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
		{"by less for longer", data.Binary, false, 2, []float64{2, 1, 1.1, 1.1, 1.003}, true},
		{"by too little", data.Binary, false, 2, []float64{2, 1, 1.1, 1.1, 1.002}, false},
		{"one fold", data.Binary, false, 1, []float64{2, 1, 1.1, 1.1}, false},
		{"ranking", data.Ranking, false, 2, []float64{2, 1, 1.1, 1.1}, false},
		{"higher is better", data.Binary, true, 2, []float64{1, 2, 1, 1}, false},
	} {
		r := &Search{Higher: c.higher, Ranking: c.task == data.Ranking, Folds: c.folds, Patience: 10,
			Means: c.means, Best: 2, Value: c.means[1]}
		if got := r.risen(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// steps is a Stepper whose folds have curves, and what was done with them.
type steps struct {
	curves   [][]float64
	last     int // the round behind which nothing is left to be split; 0: never
	stop     int // the round at which the observer ends the search; 0: never
	n        int
	observed []int
}

var errStopped = errors.New("stopped")

func (s *steps) Round(context.Context) ([]float64, bool, error) {
	s.n++
	var values []float64
	for _, c := range s.curves {
		values = append(values, c[min(s.n, len(c))-1])
	}
	return values, s.n == s.last, nil
}

func (s *steps) Curves() [][]float64 { return s.curves }

func (s *steps) Observe(_ context.Context, round int, _ float64) error {
	s.observed = append(s.observed, round)
	if round == s.stop {
		return errStopped
	}
	return nil
}

// A search ends as soon as as many rounds as its patience have not improved the mean, nothing is
// left to be split, or the observer ends it. The last round is not observed.
func TestSearchEnds(t *testing.T) {
	curves := [][]float64{{5, 4, 3, 3, 3, 3, 3, 3}, {5, 4, 2, 3, 2, 3, 2, 3}}
	for _, c := range []struct {
		name     string
		steps    steps
		rounds   int
		best     int
		observed int
		err      error
	}{
		{"patience", steps{curves: curves}, 6, 3, 5, nil},
		{"nothing to split", steps{curves: curves, last: 4}, 4, 3, 3, nil},
		{"observer", steps{curves: curves, stop: 2}, 2, 2, 2, errStopped},
	} {
		s := &Search{Folds: 1, Patience: 3}
		err := s.Run(t.Context(), &c.steps)
		if len(s.Means) != c.rounds || s.Best != c.best || len(c.steps.observed) != c.observed ||
			err != c.err {
			t.Errorf("%s: %d rounds, best %d, %d observed, %v", c.name, len(s.Means), s.Best,
				len(c.steps.observed), err)
		}
	}
}

// Folds that learn twice as fast wait for half of the rounds, rankings for twice as many.
func TestPatienceFollowsTheRate(t *testing.T) {
	for _, c := range []struct {
		stops     int
		own, rate float64
		ranking   bool
		want      int
	}{
		{50, 0.1, 0.2, false, 25}, {5, 0.1, 0.2, false, 3}, {0, 0.1, 0.1, false, foldPatience},
		{10, 0.1, 0.1, true, 20},
	} {
		if got := Patience(c.stops, c.own, c.rate, c.ranking); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}
