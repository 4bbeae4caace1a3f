package metric

import "github.com/coppice-ml/coppice/internal/kernel"

// PoissonDeviance returns the weighted mean of 2 (y log(y/x) - y + x) of labels y of 0 or more,
// from predictions x above 0.
func PoissonDeviance(s *Sample) (float64, error) {
	return deviance(s, "poisson_deviance", true, func(y, x float64) float64 {
		v := x - y
		if y > 0 {
			v += float64(y * (kernel.Log(y) - kernel.Log(x)))
		}
		return 2 * v
	})
}

// GammaDeviance returns the weighted mean of 2 (log(x/y) + y/x - 1) of labels y and predictions x
// above 0.
func GammaDeviance(s *Sample) (float64, error) {
	return deviance(s, "gamma_deviance", false, func(y, x float64) float64 {
		return 2 * (kernel.Log(x) - kernel.Log(y) + (y/x - 1))
	})
}

// TweedieDeviance returns the weighted mean Tweedie deviance of labels y of 0 or more from
// predictions x above 0. The variance is a power p of the mean, between 1 and 2:
//
//	2 (x^(2-p) / (2-p) - y x^(1-p) / (1-p) + y^(2-p) / ((1-p) (2-p)))
func TweedieDeviance(power float64) func(s *Sample) (float64, error) {
	return func(s *Sample) (float64, error) {
		return deviance(s, "tweedie_deviance", true, func(y, x float64) float64 {
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
func deviance(s *Sample, metric string, zero bool, of func(y, x float64) float64) (float64, error) {
	var m mean
	for i, y := range s.Y {
		switch {
		case s.Pred[i] <= 0:
			return 0, &Undefined{metric, "it needs predictions above 0"}
		case y < 0 || y == 0 && !zero:
			return 0, &Undefined{metric, "there are labels outside its domain"}
		}
		m.add(of(y, s.Pred[i]), s.weight(i))
	}
	return m.value(metric)
}
