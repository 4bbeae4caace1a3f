package rounds

import "context"

// Train boosts the rows of a fold by a configuration, and returns how the metric went: the one way
// from the choice of rounds and settings to boosting. It returns what it has also with an error.
type Train func(ctx context.Context, c Config) (Curve, error)

// Config is a training that is to be tried.
type Config struct {
	Settings []string // of parameters that were left to training
	Fold     int
	Rate     float64
	Rounds   int     // at most
	Patience int     // rounds without improvement that end it
	Limit    float64 // work that ends it
	Workers  int
	Begin    bool // no round is trained: the metric alone is asked for

	Checked bool    // it is compared with the default on the fold while it is trained, see Behind
	Default []Check // of that; nil: it is this training
}

// Curve is what became of a training.
type Curve struct {
	Metric Metric
	Trial
}

// Prepared is columns in bins that trainings can have in common.
type Prepared struct {
	Encoding string // of categories
	Fold     int
}
