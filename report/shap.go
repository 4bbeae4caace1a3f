package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// shapReport is the content of the section about Shapley values.
type shapReport struct {
	Rows     int      // that were explained
	Scale    string   // what contributions add up to
	Scores   []string // classes, or the label
	Shown    []int    // scores that are drawn: the positive one of two, else the strongest
	Features []shapFeature
	Others   int      // features that are not shown
	Divided  []string // columns made of several
}

// shapFeature is a feature with its values and contributions in explained rows.
type shapFeature struct {
	*feature
	Name    string
	Contrib [][]number // by score and row, of at most shownPoints rows
}

// The sizes of the section's charts.
const (
	swarmRows       = 200 // of each feature
	swarmClasses    = 3
	scatterFeatures = 4
	swarmBins       = 90 // in which points stand side by side
	swarmHalf       = 0.42
	spread          = 0.6
)

func shapOf(ctx context.Context, s *subject) (content, error) {
	e, err := s.explain(ctx)
	if err != nil {
		return nil, err
	}
	r := &shapReport{Rows: len(e.rows), Scale: s.scaleWords(), Scores: e.scores,
		Divided: explain.Divided(s.explainable())}
	places := thinned(data.AllRows(len(e.rows)), shownPoints)
	rows := make([]int32, len(places))
	for i, at := range places {
		rows[i] = e.rows[at]
	}
	for _, f := range e.order {
		if len(r.Features) == explainedFeatures || e.mean[f] == 0 {
			r.Others++
			continue
		}
		name := s.spec.Schema.Fields[f].Name
		feature := shapFeature{feature: s.feature(name, rows), Name: name}
		for k := range e.scores {
			feature.Contrib = append(feature.Contrib, e.column(f, k, places))
		}
		r.Features = append(r.Features, feature)
	}
	switch {
	case len(e.scores) == 2:
		r.Shown = []int{max(0, s.positive())}
	default:
		r.Shown = r.strongest()
	}
	return r, nil
}

// strongest returns the scores with the largest contributions, the strongest first.
func (r *shapReport) strongest() []int {
	sums, order := make([]float64, len(r.Scores)), make([]int, len(r.Scores))
	for k := range order {
		order[k] = k
		for _, f := range r.Features {
			for _, v := range f.Contrib[k] {
				sums[k] += math.Abs(float64(v))
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if sums[a] > sums[b] {
			return -1
		}
		return map[bool]int{true: 1}[sums[a] < sums[b]]
	})
	return order[:min(swarmClasses, len(order))]
}

// column returns the contributions of a feature to a score in some of the explained rows.
func (e *explained) column(feature, score int, places []int32) []number {
	all := make([]number, len(places))
	for i, r := range places {
		all[i] = number(e.sign * e.values.Row(int(r), score)[feature])
	}
	return all
}

func (r *shapReport) parts() []piece {
	if len(r.Features) == 0 {
		return []piece{note("No feature contributes to the %s.", r.Scale)}
	}
	parts := []piece{paragraph("A point is a row: how far the feature moves its %s up or down "+
		"from the mean. The contributions of a row add up to its prediction, so a feature that "+
		"matters in few rows is seen too.", r.of(r.Shown[0]))}
	var swarms []captioned
	for _, score := range r.Shown {
		p := r.swarm(score)
		if len(r.Shown) == 1 {
			p.Width = wideChart
		}
		f := figureOf("Contributions to the "+r.of(score), p)
		f.Wide = len(r.Shown) == 1
		swarms = append(swarms, f)
	}
	parts = append(parts, figures(swarms...))
	if r.Others > 0 {
		parts = append(parts, note("%s not shown.", humanize.Count(r.Others,
			"feature with a smaller contribution is", "features with smaller contributions are")))
	}
	if n := len(r.Divided); n > 0 {
		parts = append(parts, note("The model makes %s of several, such as %s. Contributions of these "+
			"are divided equally among the features that they are made of.",
			humanize.Count(n, "column", "columns"), r.Divided[0]))
	}
	var scatters []captioned
	for k := range min(scatterFeatures, len(r.Features)) {
		scatters = append(scatters, r.scatter(r.Shown[0], k))
	}
	return append(parts, heading("Contributions to the "+r.of(r.Shown[0])+" by value"),
		figures(scatters...))
}

// of names what contributions to a score add up to.
func (r *shapReport) of(score int) string {
	return scaleOf(r.Scale, r.Scores[score])
}

// scaleOf names what contributions add up to, such as the log odds of a class.
func scaleOf(scale, score string) string {
	if score == scale {
		return scale
	}
	return scale + " of " + score
}

// swarm draws the contributions of all features, so that no point hides another.
func (r *shapReport) swarm(score int) *figure.Panel {
	p := &figure.Panel{X: figure.Side{Label: "contribution"}, Height: 60 + 32*len(r.Features)}
	low, high := math.Inf(1), math.Inf(-1)
	for _, f := range r.Features {
		p.Y.Names = append(p.Y.Names, f.name)
		values := floats(f.Contrib[score])
		low, high = min(low, slices.Min(values)), max(high, slices.Max(values))
	}
	p.Layers = make([]figure.Layer, len(rampColours)+2)
	p.Layers[0] = figure.Layer{X: []float64{0, 0}, Y: []float64{-0.6, float64(len(r.Features)) - 0.4},
		Colour: svg.Faded, Width: 10, Dashed: true, Still: true}
	for k := range p.Layers[1:] {
		l := &p.Layers[1+k]
		l.Kind, l.Width, l.Colour = figure.Dots, 36, noOrder
		switch k {
		case 0:
			l.Name = "low value"
		case len(rampColours) - 1:
			l.Name = "high value"
		case len(rampColours):
			l.Name = "category or missing"
		}
		if k < len(rampColours) {
			l.Colour = rampColours[k]
		}
	}
	for k, f := range r.Features {
		offsets := swarmOffsets(f.Contrib[score], low, high)
		for at, rows := range f.ramp() {
			for _, row := range rows {
				if offset, shown := offsets[int32(row)]; shown {
					l := &p.Layers[1+at]
					l.X = append(l.X, float64(f.Contrib[score][row]))
					l.Y = append(l.Y, float64(k)+offset)
				}
			}
		}
	}
	p.Layers = slices.DeleteFunc(p.Layers, func(l figure.Layer) bool { return l.X == nil })
	p.Label = fmt.Sprintf("Contributions of %d features to the %s, the strongest first: %s.",
		len(r.Features), r.of(score), humanize.And(p.Y.Names))
	return p
}

// swarmOffsets moves points of nearly equal contribution up and down, by turns. It returns how far,
// by the row of each point that is drawn.
func swarmOffsets(contributions []number, low, high float64) map[int32]float64 {
	shown := thinned(data.AllRows(len(contributions)), swarmRows)
	offsets, turns, counts := map[int32]float64{}, make([]int, len(shown)), map[int]int{}
	widest := 0
	for i, row := range shown {
		at := 0
		if high > low {
			at = int((float64(contributions[row]) - low) / (high - low) * swarmBins)
		}
		turns[i] = counts[at]
		counts[at]++
		widest = max(widest, counts[at])
	}
	for i, turn := range turns {
		side := float64((turn + 1) / 2)
		if turn%2 == 1 {
			side = -side
		}
		offsets[shown[i]] = swarmHalf * side / max(6, float64(widest)/2)
	}
	return offsets
}

// scatter draws the contributions of a feature over its values, coloured by another feature.
func (r *shapReport) scatter(score, k int) captioned {
	f, p := r.Features[k], &figure.Panel{}
	own := *f.feature
	f.feature = &own
	by := r.Features[min(1, len(r.Features)-1)]
	if k > 0 {
		by = r.Features[0]
	}
	layers, rows := by.byColour()
	if len(r.Features) == 1 {
		layers, rows = []figure.Layer{{Kind: figure.Dots, Colour: svg.Below, Faint: true}}, [][]int{make([]int, len(f.values))}
		for i := range rows[0] {
			rows[0][i] = i
		}
	}
	contribution := figure.Side{Label: "contribution"}
	p.X, p.Y = f.side(), contribution
	if f.names != nil {
		f.fewNames()
		p.X, p.Y = contribution, figure.Side{Names: f.names}
		p.Height = 80 + 24*len(f.names)
	}
	for i := range layers {
		l := &layers[i]
		for _, row := range rows[i] {
			v, c := f.values[row], float64(f.Contrib[score][row])
			switch {
			case math.IsNaN(v):
			case f.names != nil:
				_, jitter := math.Modf(float64(float64(row) * 0.618034))
				l.X, l.Y = append(l.X, c), append(l.Y, v+float64(spread*(jitter-0.5)))
			case !(p.X.Low < p.X.High) || v >= p.X.Low && v <= p.X.High:
				l.X, l.Y = append(l.X, v), append(l.Y, c)
			}
		}
	}
	p.Layers = slices.DeleteFunc(layers, func(l figure.Layer) bool { return l.X == nil })
	p.Label = fmt.Sprintf("Contribution of %s to the %s over its values, coloured by %s.", f.name,
		r.of(score), by.name)
	return figureOf(f.name, p)
}

// scaleWords names what contributions add up to: raw scores, before the link.
func (s *subject) scaleWords() string {
	m := s.explainable()
	sum, _ := model.AsSum(m)
	switch {
	case s.spec.Task == data.Ranking:
		return "score"
	case model.Hazards(m):
		return "log hazard"
	case sum.Link != nil && s.spec.Task.Classes() && rawScores(m) == 1:
		return "log odds"
	case !link.IsIdentity(sum.Link):
		return "raw score"
	case s.classes() != nil:
		return "probability"
	}
	return "prediction"
}
