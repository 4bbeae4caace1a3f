package metric

import "strings"

// words are the names that differ from those of the table by more than their blanks.
var words = map[string]string{
	"error": "error rate", "cost": "mean cost", "f1": "F1", "macro_f1": "F1 (macro)", "mcc": "Matthews correlation",
	"auc": "AUC", "roc_auc_ovr": "AUC (macro)", "roc_auc_ovr_weighted": "AUC (weighted)",
	"logloss": "log loss", "brier": "Brier score", "rmse": "RMSE", "mae": "MAE",
	"r2": "R2", "pinball": "pinball loss", "ndcg": "NDCG", "map": "MAP",
	"mrr": "mean reciprocal rank", "mape": "MAPE", "rmsle": "RMSLE",
	"poisson_deviance": "Poisson deviance", "gamma_deviance": "gamma deviance",
	"tweedie_deviance": "Tweedie deviance",
}

// Words returns what people call a metric, such as "balanced accuracy" of balanced_accuracy and
// "NDCG@10" of ndcg@10. Names that the table does not have are returned with blanks for _.
func Words(name string) string {
	stem, number, parted := strings.Cut(name, "@")
	if stem == "top_k_accuracy" && parted {
		return "top-" + number + " accuracy"
	}
	text, known := words[stem]
	if !known {
		text = strings.ReplaceAll(stem, "_", " ")
	}
	if parted {
		text += "@" + number
	}
	return text
}
