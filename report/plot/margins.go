package plot

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// marginRounds are the rounds after which margins are drawn, besides the last (those of Schapire,
// Freund, Bartlett & Lee 1998, figure 1).
var marginRounds = []int{5, 100}

// Margins draws the cumulative distribution of the margins of the rows, after each of some rounds,
// ascending. nil = after 5, 100 and all, or of a model without rounds its only one. The margin of a
// row is the predicted probability of its class less the largest of another class, from -1 to 1.
// Of votes the probability is the fraction of the votes (Schapire et al. 1998). Rows count by
// their weight.
//
// It fails if the model predicts no classes, or does not have the rounds.
func Margins(w io.Writer, s *Scene, rounds []int) error {
	if !s.classes() {
		return errors.New("margins are those of classes, and the model predicts numbers")
	}
	if err := s.checkPanels(&RegionOptions{Rounds: rounds}); err != nil {
		return err
	}
	n := s.roundCount()
	if rounds == nil {
		for _, k := range marginRounds {
			if k < n {
				rounds = append(rounds, k)
			}
		}
		rounds = append(rounds, n)
	}
	fig := &Figure{Title: "Margins", Subtitle: fmt.Sprintf("The margin is the predicted "+
		"probability of a row's class less the largest of others; %s, model of %s.",
		humanize.Count(s.Data.Rows(), "row", "rows"), humanize.Name(s.Spec.Learner))}
	if s.Spec.Label != "" {
		fig.Title = s.Spec.Label + ": distribution of margins"
	}
	c := Chart{X: Scale{Label: "margin"},
		Y: Scale{Label: "fraction of rows with at most this margin", Zero: true}}
	for i, k := range rounds {
		margins, err := s.margins(k)
		if err != nil {
			return err
		}
		curve, words := s.distribution(margins)
		curve.Colour = i
		if n > 0 {
			curve.Name = s.after(k)
			words = firstUpper(curve.Name) + ": " + words
		}
		c.Curves = append(c.Curves, curve)
		if len(rounds) <= mostCharts {
			fig.Notes = append(fig.Notes, firstUpper(words))
		}
	}
	c.Curves = append(c.Curves, Curve{X: []float64{0, 0}, Y: []float64{0, 1}, Style: Dashes,
		Colour: 7})
	fig.Charts = []Chart{c}
	return fig.Write(w)
}

// margins returns the margin of each row after so many rounds, 0 = all.
func (s *Scene) margins(rounds int) ([]float64, error) {
	p, k, err := s.predict(&view{model: s.Model, rounds: rounds}, nil)
	if err != nil {
		return nil, err
	}
	margins := make([]float64, s.Data.Rows())
	for i, own := range s.Data.Target.Class {
		other := math.Inf(-1)
		for c, v := range p[i*k : (i+1)*k] {
			if uint32(c) != own {
				other = max(other, v)
			}
		}
		margins[i] = p[i*k+int(own)] - other
	}
	return margins, nil
}

// mostMargins is the number of steps that a curve of margins has at most.
const mostMargins = 400

// distribution returns the fraction of the weight of the rows up to each margin, as steps from -1
// to 1, and what is to be noted of it.
func (s *Scene) distribution(margins []float64) (Curve, string) {
	type weighed struct{ margin, weight float64 }
	all, total := make([]weighed, len(margins)), 0.0
	for i, m := range margins {
		all[i] = weighed{m, s.Data.Target.WeightAt(int32(i))}
		total += all[i].weight
	}
	slices.SortStableFunc(all, func(a, b weighed) int {
		switch {
		case a.margin < b.margin:
			return -1
		case a.margin > b.margin:
			return 1
		}
		return 0
	})
	c := Curve{X: []float64{-1}, Y: []float64{0}}
	upTo, mean, wrong := 0.0, 0.0, 0.0
	every := (len(all) + mostMargins - 1) / mostMargins
	for i, a := range all {
		mean += float64(a.weight * a.margin / total)
		if a.margin < 0 {
			wrong += a.weight / total
		}
		before := upTo
		if upTo += a.weight / total; i%every == every-1 || i == len(all)-1 {
			if every == 1 {
				c.X, c.Y = append(c.X, a.margin), append(c.Y, before)
			}
			c.X, c.Y = append(c.X, a.margin), append(c.Y, min(1, upTo))
		}
	}
	c.X, c.Y = append(c.X, 1), append(c.Y, 1)
	return c, fmt.Sprintf("from %s, mean %s; %s of the rows are below 0.",
		humanize.Metric(all[0].margin), humanize.Metric(mean), humanize.Percent(wrong))
}
