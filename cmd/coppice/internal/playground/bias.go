package playground

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// The training sets of the scene, the curves that are drawn, and the places where they are
// compared.
const (
	biasSets   = 25
	biasDrawn  = 12
	biasPlaces = 160
	biasDepths = 10 // of single trees, which are compared by depth
)

// biasRequest is a method that is trained on many training sets of one shape.
type biasRequest struct {
	Shape    string   `json:"shape"`
	Noise    float64  `json:"noise"` // as of a sample
	Rows     int      `json:"rows"`  // of each training set
	Method   string   `json:"method"`
	Settings settings `json:"settings"`
	Shown    int      `json:"shown"` // depth, or trees; 0 = as the settings have it
	Seed     uint64   `json:"seed"`
}

// biasAnswer separates the mean squared error into squared bias and variance, over the complexity
// of the method.
type biasAnswer struct {
	Unit     string    `json:"unit"`  // of the complexity: depth, trees, rounds
	Sizes    []int     `json:"sizes"` // of which bias and variance are given
	Shown    int       `json:"shown"` // of the curves, from 0
	Bias     []float64 `json:"bias"`  // squared, mean over the places
	Variance []float64 `json:"variance"`
	Noise    float64   `json:"noise"` // variance of the labels

	X      []float64   `json:"x"` // places
	Truth  []float64   `json:"truth"`
	Mean   []float64   `json:"mean"`   // of all training sets' predictions, at the size shown
	Curves [][]float64 `json:"curves"` // predictions of some of the training sets
	Points []point     `json:"points"` // one training set
}

func biasOf(ctx context.Context, _ *Handler, q *biasRequest) (*biasAnswer, error) {
	m, err := find(q.Method, false)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(shapes(), func(s sample) bool { return s.Name == q.Shape })
	switch {
	case at < 0:
		return nil, refuse("there is no shape %q", q.Shape)
	case q.Rows < 10 || q.Rows > 200:
		return nil, refuse("a training set has 10 to 200 rows")
	case q.Noise < 0 || q.Noise > 1:
		return nil, refuse("noise goes from 0 to 1")
	case m.pruned:
		return nil, refuse("a pruned tree chooses its own size: take a tree")
	}
	shape := shapes()[at]
	a := &biasAnswer{Unit: m.Unit, Noise: float64(q.Noise * q.Noise / 9), Shown: -1}
	for i := range biasPlaces {
		x := (float64(i) + 0.5) / biasPlaces
		a.X, a.Truth = append(a.X, x), append(a.Truth, shape.truth(x))
	}
	places, err := frameOf(a.X)
	if err != nil {
		return nil, err
	}
	var predicted [][][]float64 // by set, size and place
	for set := range biasSets {
		stream := rng.New(q.Seed, uint64(set))
		points := make([]point, q.Rows)
		for i := range points {
			points[i] = shape.point(stream, 0, q.Noise)
		}
		if set == 0 {
			a.Points = points
		}
		sizes, of, err := biasFit(ctx, m, q, points, places)
		if err != nil {
			return nil, err
		}
		a.Sizes, predicted = sizes, append(predicted, of)
	}
	a.separate(predicted)
	a.show(predicted, q.Shown)
	return a, nil
}

// biasFit trains on one set and predicts the places: trees of each depth, or an ensemble after some
// of its rounds.
func biasFit(
	ctx context.Context, m *method, q *biasRequest, points []point, places *data.Frame,
) (sizes []int, predicted [][]float64, err error) {
	t, err := newTable(points, false)
	if err != nil {
		return nil, nil, err
	}
	if m.Unit == "leaves" {
		for depth := 1; depth <= biasDepths; depth++ {
			own := settings{}
			for name, v := range q.Settings {
				own[name] = v
			}
			own["depth"] = float64(depth)
			f, err := t.fit(ctx, m, own, q.Seed)
			if err != nil {
				return nil, nil, err
			}
			values, err := predict(f.whole, places)
			if err != nil {
				return nil, nil, err
			}
			sizes, predicted = append(sizes, depth), append(predicted, values)
		}
		return sizes, predicted, nil
	}
	f, err := t.fit(ctx, m, q.Settings, q.Seed)
	if err != nil {
		return nil, nil, err
	}
	steps, err := f.staged(places)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range biasSteps(len(steps)) {
		sizes, predicted = append(sizes, n), append(predicted, steps[n-1])
	}
	return sizes, predicted, nil
}

// biasSteps returns the numbers of trees that are compared: all up to 10, then fewer and fewer.
func biasSteps(most int) []int {
	var found []int
	for n := 1; n < most; n += 1 + n/10 {
		found = append(found, n)
	}
	return append(found, most)
}

// separate computes squared bias and variance of each size. The mean of n predictions has itself a
// variance of one n-th, which is subtracted from its squared distance to the truth.
func (a *biasAnswer) separate(predicted [][][]float64) {
	n := float64(len(predicted))
	for s := range a.Sizes {
		bias, variance := 0.0, 0.0
		for p, truth := range a.Truth {
			mean, squares := 0.0, 0.0
			for _, of := range predicted {
				mean += of[s][p] / n
			}
			for _, of := range predicted {
				d := of[s][p] - mean
				squares += float64(d * d)
			}
			v := squares / (n - 1)
			variance += v
			bias += float64((mean-truth)*(mean-truth)) - v/n
		}
		a.Bias = append(a.Bias, max(0, bias/biasPlaces))
		a.Variance = append(a.Variance, variance/biasPlaces)
	}
}

// show fills in the curves of the size requested, or the largest below.
func (a *biasAnswer) show(predicted [][][]float64, size int) {
	a.Shown = len(a.Sizes) - 1
	for a.Shown > 0 && size > 0 && a.Sizes[a.Shown] > size {
		a.Shown--
	}
	a.Mean = make([]float64, biasPlaces)
	for i, of := range predicted {
		for p, v := range of[a.Shown] {
			a.Mean[p] += v / float64(len(predicted))
		}
		if i < biasDrawn {
			a.Curves = append(a.Curves, rounded(slices.Clone(of[a.Shown])))
		}
	}
	rounded(a.Mean)
	rounded(a.Truth)
	rounded(a.X)
}
