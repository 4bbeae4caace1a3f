package training

import (
	"fmt"
)

// Brief is what one screen says of a training beside its settings.
type Brief struct {
	Folds  bool   // cross-validation chose the number of rounds
	Chosen string // how the number of rounds was chosen; "": it was given, or there are no rounds
	Pruned string // how a tree became one leaf; "": it did not
	Tried  string // what came of other settings; "": none were tried
}

// brief shortens how the settings of boosting were chosen.
func (s *Boosting) brief() Brief {
	b := Brief{Chosen: s.Chosen.brief(), Folds: s.Chosen != nil && s.Chosen.Folds > 1}
	if s.Stopped && b.Chosen == "" {
		b.Chosen = "by early stopping on the validation set"
	}
	if s.Rehearsal != nil {
		b.Tried = s.Rehearsal.brief()
	}
	return b
}

// brief names the rows that chose the number of rounds.
func (c *Choice) brief() string {
	switch {
	case c == nil || c.Folds == 0:
		return ""
	case c.Time:
		return "by the latest rows"
	case c.Folds == 1:
		return "by rows of its own validation set"
	}
	return "by cross-validation"
}

// brief says how many settings were tried, and which of them is better than the default.
func (r *Rehearsal) brief() string {
	tried := -1 // without the default
	for i := range r.Candidates {
		if r.Candidates[i].Folds > 0 || r.Candidates[i].Won {
			tried++
		}
	}
	w := r.winner()
	switch {
	case tried < 1 || w == nil:
		return ""
	case len(w.Settings) == 0 && tried == 1:
		return "1 other setting, not better"
	case len(w.Settings) == 0:
		return fmt.Sprintf("%d other settings, none better", tried)
	case tried == 1:
		return "1 other setting: " + w.words() + " is better than the default"
	}
	return fmt.Sprintf("%d other settings: %s is better than the default", tried, w.words())
}
