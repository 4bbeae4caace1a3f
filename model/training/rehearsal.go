package training

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// Rehearsal is how training chose values of parameters, before the number of rounds: candidates
// were compared on the same folds, with a high learning rate.
type Rehearsal struct {
	Rows   int     `json:"rows"`          // of the table, or of a sample of it
	Folds  int     `json:"folds"`         // 1 = one validation set
	Rate   float64 `json:"learning_rate"` // of all candidates
	Metric string  `json:"metric"`
	Higher bool    `json:"higher,omitempty"` // greater values are better
	// the default first, then the others in the order in which they were trained
	Candidates []Candidate `json:"candidates"`
	// of the best candidates of a sample of the rows, on all of them, until one is accepted; empty:
	// there is no sample, or none was better than the default there
	Confirmed []Confirmation `json:"confirmed,omitempty"`
}

// Confirmation is how a candidate that was best on a sample compares with the default on all rows.
type Confirmation struct {
	Settings []string `json:"settings"` // of the candidate
	Rows     int      `json:"rows"`     // of both sets of one split
	Value    float64  `json:"value"`    // its metric, at its best round
	Default  float64  `json:"default"`  // that of the default
	Gain     float64  `json:"gain"`
	Error    float64  `json:"standard_error"` // of the gain, over the rows; 0: it is not known
	Accepted bool     `json:"accepted"`       // false: it does not replace the default
	Failed   bool     `json:"failed,omitempty"`
}

// Candidate is what a rehearsal found of some values of parameters.
type Candidate struct {
	// the parameters that differ from the default, as NAME=VALUE; empty: the default
	Settings []string `json:"settings,omitempty"`
	// that it was trained on, the first ones; 0: to prepare it would have taken too long
	Folds int `json:"folds"`
	// mean of the metric on these, each at its best round
	Value float64 `json:"value"`
	Round float64 `json:"best_round"` // mean of these rounds
	// mean improvement on the default on the same folds, and its standard error; 0 of the default
	Gain  float64 `json:"gain"`
	Error float64 `json:"standard_error"`
	// gain as a fraction of the metric that is expected of all rows, by those on two samples; nil:
	// the rows were not much fewer than all
	Forecast *float64 `json:"forecast,omitempty"`
	Won      bool     `json:"won,omitempty"`
	// a training was ended before its own early stopping, because it took too long
	Cut bool `json:"cut,omitempty"`
	// a training was ended because the default was clearly ahead after as many rounds
	Behind bool `json:"behind,omitempty"`
	// training ended with an error, such as scores that are not finite
	Failed bool `json:"failed,omitempty"`
}

// check requires a winner among at most mostCandidates.
func (r *Rehearsal) check() error {
	var c Checks
	c.Require(len(r.Candidates) <= mostCandidates, "candidates", "%d of them", len(r.Candidates))
	winners := 0
	for i := range r.Candidates {
		one := &r.Candidates[i]
		c.Fields(one)
		for _, s := range one.Settings {
			c.Name("settings", s)
		}
		if one.Won {
			winners++
		}
	}
	c.Require(winners == 1, "candidates", "%d winners", winners)
	c.Require(len(r.Confirmed) <= mostCandidates, "confirmed", "%d of them", len(r.Confirmed))
	for i := range r.Confirmed {
		c.Fields(&r.Confirmed[i])
		for _, s := range r.Confirmed[i].Settings {
			c.Name("settings", s)
		}
	}
	return c.Err()
}

// mostCandidates is more than a rehearsal compares.
const mostCandidates = 100

// winner returns the candidate that won, nil if none is marked.
func (r *Rehearsal) winner() *Candidate {
	for i := range r.Candidates {
		if r.Candidates[i].Won {
			return &r.Candidates[i]
		}
	}
	return nil
}

// ahead returns the candidate of the greatest gain, of those whose gain exceeds one standard error
// but did not win; nil if there is none.
func (r *Rehearsal) ahead() *Candidate {
	var best *Candidate
	for i := range r.Candidates {
		c := &r.Candidates[i]
		if c.Folds > 0 && !c.Failed && !c.Won && c.Gain > 0 && c.Gain > c.Error &&
			(best == nil || c.Gain > best.Gain) {
			best = c
		}
	}
	return best
}

// words names the settings, which other programs may have written.
func (c *Candidate) words() string { return settingsWords(c.Settings) }

func settingsWords(settings []string) string {
	if len(settings) == 0 {
		return "default"
	}
	named := make([]string, len(settings))
	for i, s := range settings {
		named[i] = humanize.Name(s)
	}
	return strings.Join(named, " ")
}

// where names the validation sets, of which one alone may have the latest rows.
func (r *Rehearsal) where(latest bool) string {
	switch {
	case r.Folds > 1:
		return fmt.Sprintf("in %d-fold cross-validation", r.Folds)
	case latest:
		return "on the latest rows"
	}
	return "on one validation set"
}

// fact reports what was tried and what is better, in a line.
func (r *Rehearsal) fact(loss string, latest bool) model.Fact {
	skipped := 0
	for i := range r.Candidates {
		if r.Candidates[i].Folds == 0 && !r.Candidates[i].Won {
			skipped++
		}
	}
	text := fmt.Sprintf("%s %s", humanize.Count(len(r.Candidates)-skipped-1, "other setting",
		"other settings"), r.where(latest))
	if w := r.winner(); w != nil {
		text += ": " + r.decision(w, metricName(r.Metric, loss))
	}
	if skipped > 0 {
		text += fmt.Sprintf("; %d more would have taken too long", skipped)
	}
	return model.Fact{Name: "tried", Text: text}
}

// decision reports why the winner is taken, by the numbers of the table alone.
func (r *Rehearsal) decision(w *Candidate, metric string) string {
	ahead := r.ahead()
	var c *Confirmation // of the winner, or of the best one that was refused
	for i := range r.Confirmed {
		if i == 0 || slices.Equal(r.Confirmed[i].Settings, w.Settings) {
			c = &r.Confirmed[i]
		}
	}
	switch {
	case len(w.Settings) > 0 && w.Folds == 0 && c != nil:
		return fmt.Sprintf("%s is better, %s by %s on all %d rows", w.words(), metric,
			gainWords(c.Gain, c.Error), c.Rows)
	case len(w.Settings) > 0:
		text := fmt.Sprintf("%s is better, %s by %s", w.words(), metric, r.gain(w))
		if c != nil && c.Accepted {
			text += fmt.Sprintf(", on all %d rows by %s", c.Rows, gainWords(c.Gain, c.Error))
		}
		return text
	case c != nil && c.Failed:
		return fmt.Sprintf("the default stays: the training of %s failed on all %d rows",
			settingsWords(c.Settings), c.Rows)
	case c != nil && c.Gain < 0:
		return fmt.Sprintf("the default stays: %s is worse, %s by %s on all %d rows",
			settingsWords(c.Settings), metric, gainWords(-c.Gain, c.Error), c.Rows)
	case c != nil:
		return fmt.Sprintf("the default stays: %s is better by too little, %s by %s on all %d rows",
			settingsWords(c.Settings), metric, gainWords(c.Gain, c.Error), c.Rows)
	case ahead != nil && ahead.Folds < r.Folds && (ahead.Forecast == nil || *ahead.Forecast > 0):
		return fmt.Sprintf("the default stays: %s is better, %s by %s, but too few folds tested it",
			ahead.words(), metric, r.gain(ahead))
	case ahead != nil:
		text := fmt.Sprintf("the default stays, although %s is better, %s by %s", ahead.words(),
			metric, r.gain(ahead))
		if f := ahead.Forecast; f != nil && *f <= 0 {
			text += fmt.Sprintf("; fewer rows gained more, and all are expected to gain %s %%",
				humanize.Number(100**f, 2))
		}
		return text
	}
	return "none is better by more than one standard error"
}

// gain writes the gain of a candidate, and the folds where it does not have all.
func (r *Rehearsal) gain(c *Candidate) string {
	text := gainWords(c.Gain, c.Error)
	if c.Folds < r.Folds {
		text += fmt.Sprintf(" on %d of %d folds", c.Folds, r.Folds)
	}
	return text
}

// gainWords writes a gain with its standard error, 0 = not known.
func gainWords(gain, deviation float64) string {
	if deviation == 0 {
		return humanize.Metric(gain) + " (standard error unknown)"
	}
	return fmt.Sprintf("%s (standard error %s)", humanize.Metric(gain), humanize.Metric(deviation))
}

// metricName writes the name of a metric, which may be the loss itself.
func metricName(name, loss string) string {
	if name == loss {
		return lossWords(loss)
	}
	return humanize.Name(metric.Words(name))
}

// table lists the candidates.
func (r *Rehearsal) table(loss string, latest bool) model.Table {
	t := model.Table{
		Caption: fmt.Sprintf("Settings that were tried %s, with learning rate %s on %s", r.where(latest),
			humanize.Number(r.Rate, 4), humanize.Count(r.Rows, "row", "rows")),
		Columns: append([]model.TableColumn{{Name: "settings", Text: true}},
			model.Numbers("folds", metricName(r.Metric, loss), "gain", "standard error",
				"best round")...),
		Notes: []string{"The score of the best one is optimistic, since it was chosen by it. Only a test " +
			"set estimates the error on new rows."},
	}
	for i := range r.Confirmed {
		c := &r.Confirmed[i]
		if c.Failed {
			continue
		}
		t.Notes = append(t.Notes, fmt.Sprintf("On all %d rows %s has %s, and the default %s.", c.Rows,
			settingsWords(c.Settings), humanize.Metric(c.Value), humanize.Metric(c.Default)))
	}
	t.Columns = append(t.Columns, model.TableColumn{Name: "", Text: true})
	for i := range r.Candidates {
		c := &r.Candidates[i]
		cells := []string{c.words(), strconv.Itoa(c.Folds), humanize.Metric(c.Value), "", "",
			strconv.Itoa(int(math.Round(c.Round))), ""}
		if i > 0 {
			cells[3], cells[4] = humanize.Metric(c.Gain), humanize.Metric(c.Error)
		}
		switch {
		case c.Folds == 0 && c.Won:
			cells[2], cells[3], cells[4], cells[5], cells[6] = "", "", "", "", "chosen on all rows"
		case c.Folds == 0:
			cells[2], cells[3], cells[4], cells[5], cells[6] = "", "", "", "", "not tried: takes too long"
		case c.Won:
			cells[6] = "chosen"
		case c.Failed:
			cells[2], cells[3], cells[4], cells[6] = "", "", "", "training failed"
		case c.Behind:
			cells[6] = "stopped: worse"
		case c.Cut:
			cells[6] = "stopped: too slow"
		}
		t.Add(cells...)
	}
	return t
}
