package rounds

import "slices"

// Candidate is a choice of what was left to training.
type Candidate struct {
	Factor   string
	Settings []string // that differ from the default; none: it is the default
	Weight   float64  // of its trials, when work is allotted
	Upon     string   // factor that it waits for, see called; "": it is tried at once
	trials   []Trial  // by fold
	forecast *float64 // its gain by the final rows, as a fraction of the metric; nil: there is none
}

// folds returns on how many folds the candidate was trained: the first ones.
func (c *Candidate) folds() int {
	n := 0
	for n < len(c.trials) && c.trials[n].done {
		n++
	}
	return n
}

// mostRounds returns the most rounds that the candidate was trained for.
func (c *Candidate) mostRounds() int {
	most := 0
	for i := range c.trials {
		most = max(most, c.trials[i].Rounds)
	}
	return most
}

// work returns the work of the trials.
func (c *Candidate) work() float64 {
	sum := 0.0
	for i := range c.trials {
		sum += c.trials[i].Work
	}
	return sum
}

// failed reports whether a trial ended with an error, such as scores that diverge.
func (c *Candidate) failed() bool {
	return slices.ContainsFunc(c.trials, func(t Trial) bool { return t.Failed })
}

// together returns the candidate with the settings of several, which are of different factors.
func together(of []*Candidate) *Candidate {
	both := &Candidate{Weight: 1}
	for _, c := range of {
		both.Settings = append(both.Settings, c.Settings...)
		both.Weight *= c.Weight
	}
	return both
}
