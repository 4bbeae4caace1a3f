package rounds

import "github.com/coppice-ml/coppice/learn"

// Summary is what a model that was trained in rounds tells of its training, as JSON in its Spec.
type Summary struct {
	learn.Trained         // repetitions not counted
	Valid         int     `json:"valid,omitempty"`  // that rounds were measured by
	Loss          string  `json:"loss"`             // name of the loss that was minimised
	Base          string  `json:"base,omitempty"`   // learner of the members, where any can be
	Kept          int     `json:"rounds"`           // of the model
	Before        int     `json:"before,omitempty"` // of those, rounds of the model that training went on from
	Rate          float64 `json:"learning_rate"`    // of the first round
	Chosen        *Choice `json:"chosen,omitempty"` // how the number of rounds was chosen, where it was
	Course
}

// Choice is how a number of rounds was chosen by holding rows back.
type Choice struct {
	Folds  int       `json:"folds"`            // parts of the rows that were held back in turn; 1 = one part, once; 0 = nothing could be, and rounds are as many as by default
	Rounds int       `json:"rounds"`           // of least mean metric, scaled to all rows: these are trained
	Best   int       `json:"best_round"`       // of least mean metric
	Rate   float64   `json:"learning_rate"`    // the one that was trained with
	Metric string    `json:"metric,omitempty"` // that rounds were chosen by; "" where there were too few rows to choose by any
	Value  float64   `json:"value,omitempty"`  // its mean at the best round
	Curve  []float64 `json:"curve,omitempty"`  // its mean after each round
}
