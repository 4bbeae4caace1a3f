package training

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
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
	Won   bool    `json:"won,omitempty"`
	// a training was ended before its own early stopping, because it took too long
	Cut bool `json:"cut,omitempty"`
	// training ended with an error, such as scores that are not finite
	Failed bool `json:"failed,omitempty"`
}

// check requires a winner among at most mostCandidates.
func (r *Rehearsal) check() error {
	var c Checks
	c.Count("rows", r.Rows)
	c.Count("folds", r.Folds)
	c.Name("metric", r.Metric)
	c.Require(len(r.Candidates) <= mostCandidates, "candidates", "%d of them", len(r.Candidates))
	winners := 0
	for i := range r.Candidates {
		one := &r.Candidates[i]
		c.Count("folds", one.Folds)
		for _, s := range one.Settings {
			c.Name("settings", s)
		}
		if one.Won {
			winners++
		}
	}
	c.Require(winners == 1, "candidates", "%d winners", winners)
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

// words names the settings, which other programs may have written.
func (c *Candidate) words() string {
	if len(c.Settings) == 0 {
		return "default"
	}
	named := make([]string, len(c.Settings))
	for i, s := range c.Settings {
		named[i] = humanize.Name(s)
	}
	return strings.Join(named, " ")
}

// where names the validation sets.
func (r *Rehearsal) where() string {
	if r.Folds > 1 {
		return fmt.Sprintf("in %d-fold cross-validation", r.Folds)
	}
	return "on one validation set"
}

// fact reports what was tried and what won, in a line.
func (r *Rehearsal) fact(loss string) model.Fact {
	skipped := 0
	for i := range r.Candidates {
		if r.Candidates[i].Folds == 0 {
			skipped++
		}
	}
	text := fmt.Sprintf("%s %s, %s",
		humanize.Count(len(r.Candidates)-skipped, "candidate", "candidates"), r.where(),
		humanize.Count(r.Rows, "row", "rows"))
	if skipped > 0 {
		text += fmt.Sprintf(", %d more would have taken too long", skipped)
	}
	w := r.winner()
	switch {
	case w == nil:
	case len(w.Settings) == 0:
		text += ": the default is kept, no other is better by more than one standard error"
	default:
		text += fmt.Sprintf(": %s wins, its %s is better by %s (standard error %s); its validation "+
			"score is optimistic, since it was the best of several", w.words(),
			metricName(r.Metric, loss), humanize.Metric(w.Gain), humanize.Metric(w.Error))
	}
	return model.Fact{Name: "rehearsal", Text: text}
}

// metricName writes the name of a metric, which may be the loss itself.
func metricName(name, loss string) string {
	if name == loss {
		return lossWords(loss)
	}
	return humanize.Name(name)
}

// table lists the candidates.
func (r *Rehearsal) table(loss string) model.Table {
	t := model.Table{
		Caption: fmt.Sprintf("Candidates of the rehearsal: learning rate %g, %s, %s.", r.Rate,
			humanize.Count(r.Rows, "row", "rows"), r.where()),
		Columns: append([]model.TableColumn{{Name: "settings", Text: true}},
			model.Numbers("folds", metricName(r.Metric, loss), "gain", "standard error",
				"best round")...),
		Notes: []string{"The validation score of the winner is optimistic: it is the best of " +
			"several. Only a test set estimates the error on new rows."},
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
		case c.Folds == 0:
			cells[2], cells[3], cells[4], cells[5], cells[6] = "", "", "", "", "not tried: takes too long"
		case c.Won:
			cells[6] = "won"
		case c.Failed:
			cells[2], cells[3], cells[4], cells[6] = "", "", "", "training failed"
		case c.Cut:
			cells[6] = "cut short"
		}
		t.Add(cells...)
	}
	return t
}
