package model

// Study is the search by which the learner and the parameters of a model were chosen.
type Study struct {
	Metric string `json:"metric"`
	Folds  int    `json:"folds"`
	Trials int    `json:"trials"` // choices that were tested
	// Best has the best trials, the best first. Their means are optimistic: the tests chose them.
	Best []StudyTrial `json:"best"`
}

// StudyTrial is one choice of a Study.
type StudyTrial struct {
	Trial    int      `json:"trial"` // its number, from 0
	Learner  string   `json:"learner"`
	Settings []string `json:"settings"` // KEY=VALUE
	Mean     float64  `json:"mean"`     // of the metric over the folds
}
