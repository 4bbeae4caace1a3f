package gbm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/model/training"
)

// parseRates reads the parameter learning_rates.
func parseRates(text string) ([]training.RateFrom, error) {
	if text == "" {
		return nil, nil
	}
	var all []training.RateFrom
	for pair := range strings.SplitSeq(text, ",") {
		from, rate, ok := strings.Cut(pair, ":")
		if !ok {
			return nil, fmt.Errorf("%q is not ROUND:RATE", pair)
		}
		n, err := strconv.Atoi(strings.TrimSpace(from))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no number of a round", from)
		}
		r, err := strconv.ParseFloat(strings.TrimSpace(rate), 64)
		if err != nil || !(r > 0 && r <= 1) {
			return nil, fmt.Errorf("%q is no number above 0 and up to 1", rate)
		}
		if len(all) > 0 && n <= all[len(all)-1].Round {
			return nil, fmt.Errorf("rounds do not ascend")
		}
		all = append(all, training.RateFrom{Round: n, Rate: r})
	}
	return all, nil
}

// ratesText returns rates as parseRates reads them.
func ratesText(rates []training.RateFrom) string {
	var all []string
	for _, r := range rates {
		all = append(all, fmt.Sprintf("%d:%v", r.Round, r.Rate))
	}
	return strings.Join(all, ",")
}
