package gbm

import (
	"fmt"
	"strconv"
	"strings"
)

// schedule is the learning rates of the rounds.
type schedule struct {
	first  float64
	decay  float64 // factor after each round
	starts []rateFrom
}

// rateFrom is a learning rate that starts at a round.
type rateFrom struct {
	round int
	rate  float64
}

// newSchedule reads the parameters learning_rate, learning_rate_decay and learning_rates.
func newSchedule(l *Learner) schedule {
	starts, _ := parseRates(l.LearningRates) // checked by Prepare
	return schedule{l.LearningRate, l.LearningRateDecay, starts}
}

// rate returns the learning rate of a round, counted from 0.
func (s *schedule) rate(round int) float64 {
	rate := s.first
	for _, start := range s.starts {
		if round >= start.round {
			rate = start.rate
		}
	}
	for range round {
		rate = float64(rate * s.decay)
	}
	return rate
}

func checkRates(text string) error {
	_, err := parseRates(text)
	return err
}

func parseRates(text string) ([]rateFrom, error) {
	if text == "" {
		return nil, nil
	}
	var all []rateFrom
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
		if len(all) > 0 && n <= all[len(all)-1].round {
			return nil, fmt.Errorf("rounds do not ascend")
		}
		all = append(all, rateFrom{n, r})
	}
	return all, nil
}
