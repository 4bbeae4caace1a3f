package metric

import "github.com/coppice-ml/coppice/data"

// Main returns the name of the metric by which models of a task are compared if nobody chose
// another.
func Main(task data.Task) string {
	switch task {
	case data.Binary, data.Multiclass:
		return "logloss"
	case data.Ranking:
		return "ndcg@10"
	case data.Survival:
		return "concordance"
	}
	return "rmse"
}
