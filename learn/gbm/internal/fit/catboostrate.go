package fit

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// catboostRates are the coefficients of CatBoost's learning rate, by loss and by whether a
// validation set chooses the number of rounds (catboost/libs/train_lib/options_helper.cpp).
var catboostRates = map[string]map[bool]struct{ rows, base, rounds float64 }{
	"squared":  {false: {0.158, -4.287, -0.813}, true: {0.157, -4.062, -0.61}},
	"logistic": {false: {0.427, -7.525, -0.917}, true: {0.247, -5.158, -0.435}},
	"softmax":  {false: {0.051, -2.889, -0.845}, true: {0.02, -2.364, -0.382}},
}

const (
	catboostRate   = 0.03 // of other losses
	catboostMost   = 0.5
	catboostRounds = 1000
)

// catboostRateOf returns the learning rate that CatBoost chooses for so many rows and rounds:
//
//	exp(base + rows ln n) x (rounds / 1000)^c
//
// at most 0.5, rounded to six decimals. valid reports whether there is a validation set.
func catboostRateOf(loss string, valid bool, n, rounds int) float64 {
	c, ok := catboostRates[loss]
	if !ok {
		return catboostRate
	}
	if rounds == 0 {
		rounds = catboostRounds
	}
	k := c[valid]
	rate := kernel.Exp(k.base + float64(k.rows*kernel.Log(float64(n))) +
		float64(k.rounds*kernel.Log(float64(rounds)/catboostRounds)))
	return math.Round(float64(min(rate, catboostMost)*1e6)) / 1e6
}
