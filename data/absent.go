package data

import (
	"fmt"
	"math"
)

// Absent is what a value means that sparse rows do not name: text in the format of LibSVM, a CSR, a
// row of model.Predictor.PredictSparse.
type Absent string

// The meanings.
const (
	AbsentZero    Absent = "zero"
	AbsentMissing Absent = "missing"
)

// Number returns the value: NaN for AbsentMissing, else 0.
func (a Absent) Number() float64 {
	if a == AbsentMissing {
		return math.NaN()
	}
	return 0
}

// Check returns an error for a text that is no meaning; "" stands for one that is not chosen.
func (a Absent) Check() error {
	if a == "" || a == AbsentZero || a == AbsentMissing {
		return nil
	}
	return fmt.Errorf("%q is no meaning of absent values: want %s or %s", string(a), AbsentZero,
		AbsentMissing)
}
