package boost

import report "github.com/coppice-ml/coppice/model/training"

// RateFrom is a learning rate that starts at a round.
type RateFrom = report.RateFrom

// StopNowhere makes a training one of so many rounds, whose validation set is given and which
// something else ends.
func (s *Schedule) StopNowhere(rounds int) {
	s.Trees, s.EarlyStopping, s.TrainingMetric, s.ValidFraction = rounds, 0, 0, 0
}

// rate returns the learning rate of a round, counted from 0.
func (s *Schedule) rate(round int) float64 {
	rate := s.LearningRate
	for _, start := range s.Starts {
		if round >= start.Round {
			rate = start.Rate
		}
	}
	for range round {
		rate = float64(rate * s.Decay)
	}
	return rate
}
