package boosting

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/param"
)

// BaseScoreParam declares the parameter base_score.
func BaseScoreParam(p *string) param.Param {
	return param.Text(p, "base_score", "", "a number", checkBaseScore,
		"response that all rows start with, as XGBoost's; \"\" is the best one by the loss")
}

func checkBaseScore(text string) error {
	if text == "" {
		return nil
	}
	if v, err := strconv.ParseFloat(text, 64); err != nil || v-v != 0 {
		return fmt.Errorf("%q is no number", text)
	}
	return nil
}

// ErrStarts is returned where base_score and initial scores are given.
var ErrStarts = errors.New("base_score does not go with initial scores: leave one of them out")

// BaseScore writes the raw score of a value of base_score for every output, and reports whether
// there is one.
func BaseScore(text string, start []float64, of link.Link) (bool, error) {
	if text == "" {
		return false, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false, err
	}
	switch link.OrIdentity(of).Describe().Kind {
	case link.Logistic(), link.OneVsAll():
		if !(v > 0 && v < 1) {
			return false, fmt.Errorf("base_score=%s: want a probability between 0 and 1", text)
		}
		v = kernel.Log(v) - kernel.Log(1-v)
	case link.Exp():
		if !(v > 0) {
			return false, fmt.Errorf("base_score=%s: want a number above 0, as are the "+
				"predictions of the loss", text)
		}
		v = kernel.Log(v)
	}
	for k := range start {
		start[k] = v
	}
	return true, nil
}
