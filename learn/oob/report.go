package oob

// Report is what the summary of a model tells of rows that its members were not trained on.
type Report struct {
	Estimate
	Optimistic bool  `json:"optimistic,omitempty"` // the error is too low: members were fitted to the same rows, as by pruning
	Settled    bool  `json:"settled,omitempty"`    // training stopped because the error had settled
	Curve      Curve `json:"curve"`
}

// Report tells of the members so far. What it does not know, whether the error is optimistic and has settled, is for the
// caller to fill in.
func (t *Tally) Report() *Report { return &Report{Estimate: t.Estimate(), Curve: t.Curve()} }
