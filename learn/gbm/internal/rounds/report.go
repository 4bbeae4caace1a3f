package rounds

import (
	"math"
	"slices"

	report "github.com/coppice-ml/coppice/model/training"
)

// Report describes the candidates, and marks the winner.
func (r *Race) Report(winner *Candidate) *report.Rehearsal {
	usual := r.tried[0]
	made := &report.Rehearsal{Rows: r.Rows, Folds: len(r.Folds), Rate: r.Rate,
		Metric: r.Metric.Name, Higher: r.Metric.Higher, Confirmed: r.confirmed}
	for _, c := range slices.Concat(r.tried, r.skipped) {
		t := report.Candidate{Settings: c.Settings, Folds: c.folds(), Won: c == winner,
			Forecast: c.forecast}
		if t.Folds == 0 {
			made.Candidates = append(made.Candidates, t)
			continue
		}
		for _, one := range c.trials[:t.Folds] {
			t.Value += one.Value / float64(t.Folds)
			t.Round += float64(one.Best) / float64(t.Folds)
			t.Cut, t.Behind = t.Cut || one.Cut, t.Behind || one.Behind
		}
		t.Gain, t.Error = r.Metric.compare(c, usual)
		if t.Failed = c.failed(); t.Failed || t.Error > math.MaxFloat64 {
			t.Error = 0
		}
		if t.Failed {
			t.Value, t.Gain = 0, 0
		}
		made.Candidates = append(made.Candidates, t)
	}
	return made
}

// Known is a trial of a checkpoint, with what it was of.
type Known struct {
	Settings []string `json:"settings"`
	Fold     int      `json:"fold"`
	Trial
}

// Ended returns the trials so far, for a checkpoint.
func (r *Race) Ended() []Known {
	var all []Known
	for _, c := range r.tried {
		for fold, t := range c.trials {
			if t.done {
				all = append(all, Known{c.Settings, fold, t})
			}
		}
	}
	return all
}

// BestRound returns the best round on the first fold of a candidate of the report.
func (r *Race) BestRound(candidate int) int { return r.tried[candidate].trials[0].Best }
