package oob

import "github.com/coppice-ml/coppice/learn"

// Report is what the summary of a model holds of rows that its members were not trained on.
type Report struct {
	Estimate
	// the error is too low: members were fitted to the same rows, as by pruning
	Optimistic bool  `json:"optimistic,omitempty"`
	Settled    bool  `json:"settled,omitempty"` // training stopped because the error had settled
	Curve      Curve `json:"curve"`
}

// Report returns the report of the members so far. What it does not hold, whether the error is
// optimistic and has settled, is for the caller to fill in.
func (t *Accumulator) Report() *Report { return &Report{Estimate: t.Estimate(), Curve: t.Curve()} }

// Check returns an error where no training finds a report, as learn.Summary has it: counts and
// errors are not negative, and the lists of the curve have one length.
func (r *Report) Check() error {
	var c learn.Checks
	c.Count("members", r.Members)
	c.Count("rows", r.Rows)
	c.Count("never", r.Never)
	c.Require(r.MSE == nil || *r.MSE >= 0, "mse", "it is negative")
	c.Rising("curve", r.Curve.Members)
	c.Length("curve", len(r.Curve.Error), len(r.Curve.Members))
	c.Length("curve", len(r.Curve.Rows), len(r.Curve.Members))
	for i, e := range r.Curve.Error {
		c.Require(e >= 0, "curve", "point %d has error %g", i, e)
	}
	return c.Err()
}
