package metric

import "github.com/coppice-ml/coppice/internal/kernel"

// newPoissonDeviance is the weighted mean of 2 (y log(y/x) - y + x) of labels y of 0 or more, from
// predictions x above 0.
func newPoissonDeviance(*common) sum {
	return deviance("poisson_deviance", true, func(y, x float64) float64 {
		v := x - y
		if y > 0 {
			v += float64(y * (kernel.Log(y) - kernel.Log(x)))
		}
		return 2 * v
	})
}

// newGammaDeviance is the weighted mean of 2 (log(x/y) + y/x - 1) of labels y and predictions x
// above 0.
func newGammaDeviance(*common) sum {
	return deviance("gamma_deviance", false, func(y, x float64) float64 {
		return 2 * (kernel.Log(x) - kernel.Log(y) + (y/x - 1))
	})
}

// newTweedieDeviance is the weighted mean Tweedie deviance of labels y of 0 or more from
// predictions x above 0. The variance is a power p of the mean, between 1 and 2:
//
//	2 (x^(2-p) / (2-p) - y x^(1-p) / (1-p) + y^(2-p) / ((1-p) (2-p)))
func newTweedieDeviance(power float64) begin {
	return func(*common) sum {
		return deviance("tweedie_deviance", true, func(y, x float64) float64 {
			log := kernel.Log(x)
			v := kernel.Exp((2-power)*log) / (2 - power)
			if y > 0 {
				v += y*kernel.Exp((1-power)*log)/(power-1) -
					kernel.Exp((2-power)*kernel.Log(y))/((power-1)*(2-power))
			}
			return 2 * v
		})
	}
}

// deviance is the mean of a function of label and prediction that needs predictions above 0, and
// labels above 0 or, with zero, of 0.
func deviance(metric string, zero bool, of func(y, x float64) float64) sum {
	return &pointwise{metric: metric, of: of, result: itself,
		outside: func(y, x float64) string {
			switch {
			case x <= 0:
				return "it needs predictions above 0"
			case y < 0 || y == 0 && !zero:
				return "there are labels outside its domain"
			}
			return ""
		}}
}
