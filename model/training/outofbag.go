package training

import "github.com/coppice-ml/coppice/model"

// Bagging is what ensembles store whose members are trained on samples of the rows. Their summaries
// embed it.
type Bagging struct {
	OutOfBag *OutOfBag `json:"oob,omitempty"` // nil if no row is ever out of the bag
	// that by impurity if the members are trees
	Importances []Importances `json:"importances,omitempty"`
}

// Check checks what it has of the summary of a model.
func (b *Bagging) Check(m model.Model) error {
	var c Checks
	if b.OutOfBag != nil {
		c.Part("oob", b.OutOfBag.check())
	}
	c.Importances("importances", b.Importances, &m.Spec().Schema)
	return c.Err()
}

// Describe describes the training of a model, by a criterion.
func (b *Bagging) Describe(m model.Model, t Trained, criterion string) *Summary {
	found := t.Describe(m)
	found.Kind, found.Criterion, found.Importances = Bagged, criterion, b.Importances
	b.OutOfBag.Describe(m.Spec(), found)
	return found
}

// OutOfBag is what the summary of a model holds of rows that its members were not trained on.
type OutOfBag struct {
	Estimate
	// the error is too low: members were fitted to the same rows, as by pruning
	Optimistic bool `json:"optimistic,omitempty"`
	// training stopped because the error had settled
	Settled bool          `json:"settled,omitempty"`
	Curve   OutOfBagCurve `json:"curve"`
}

// check requires errors that are not negative, and lists of the curve that have one length.
func (r *OutOfBag) check() error {
	var c Checks
	c.Require(r.MSE == nil || *r.MSE >= 0, "mse", "it is negative")
	c.Rising("curve", r.Curve.Members)
	c.Length("curve", len(r.Curve.Error), len(r.Curve.Members))
	c.Length("curve", len(r.Curve.Rows), len(r.Curve.Members))
	for i, e := range r.Curve.Error {
		c.Require(e >= 0, "curve", "point %d has error %g", i, e)
	}
	return c.Err()
}

// Estimate is how well an ensemble predicts rows that it was not trained on, evaluated out of the
// bag. What is undefined is nil.
type Estimate struct {
	Members int `json:"members"`
	// rows with an out-of-bag prediction; the others are in no number below
	Rows  int `json:"rows"`
	Never int `json:"never"` // rows that were never out of the bag

	// classes: fraction of the weight of the rows whose class is not predicted
	Error *float64 `json:"error,omitempty"`
	// classes that are chosen by costs: the metric cost of those that are predicted
	Cost *float64 `json:"cost,omitempty"`
	// classes: mean over the rows of the sum over the classes of (probability - truth)^2, from 0 to
	// 2 (Brier 1950)
	Brier   *float64 `json:"brier,omitempty"`
	LogLoss *float64 `json:"logloss,omitempty"` // classes: log loss of the probabilities
	MSE     *float64 `json:"mse,omitempty"`     // numbers: mean squared error
	R2      *float64 `json:"r2,omitempty"`      // numbers: the metric r2
}

// OutOfBagCurve is the out-of-bag error over the number of members. It is thinned for pictures and
// files: it has a point for each of the first 64 members, then 16 for each time that their number
// doubles, and one for the last; 176 points for 8192 members. Errors are rounded to 6 significant
// digits. Members before the first prediction have no point.
type OutOfBagCurve struct {
	Members []int     `json:"members"` // ascending
	Error   []float64 `json:"error"`   // error rate, or mean squared error
	Rows    []int     `json:"rows"`    // rows that have an out-of-bag prediction
}
