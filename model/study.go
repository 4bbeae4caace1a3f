package model

// Study is the search by which the learner and the parameters of a model were chosen.
type Study struct {
	Metric string `json:"metric"`
	Higher bool   `json:"higher,omitempty"` // whether higher is better
	Folds  int    `json:"folds"`
	Trials int    `json:"trials"` // choices that were tested
	// Defaults is whether the model has the settings of the first trial, because the gain of the
	// best was noise.
	Defaults bool `json:"defaults,omitempty"`
	// Best has the best trials, the best first. Their means are optimistic: the tests chose them.
	Best []StudyTrial `json:"best"`
	// Means has those trials that were tested on all folds, in the order of their numbers.
	Means []StudyMean `json:"means,omitempty"`
}

// StudyTrial is one choice of a Study.
type StudyTrial struct {
	Trial    int      `json:"trial"` // its number, from 0
	Learner  string   `json:"learner"`
	Settings []string `json:"settings"` // KEY=VALUE
	Mean     float64  `json:"mean"`     // of the metric over the folds
}

// StudyMean is a trial with its mean alone.
type StudyMean struct {
	Trial int     `json:"trial"`
	Mean  float64 `json:"mean"`
}
