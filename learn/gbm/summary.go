package gbm

import report "github.com/coppice-ml/coppice/model/training"

// Summary is the training summary of a model, which learn.ReadSummary reads: the rounds that were
// trained and kept, the best round, and the learning curves of the metrics.
type Summary struct{ report.Boosting }
