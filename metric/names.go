package metric

// The names of Table and OnRequest, for fields that take the name of a metric, such as Metric of
// gbm.Learner. Those of families, with another number, are texts: "ndcg@5".
const (
	Accuracy         = "accuracy"
	BalancedAccuracy = "balanced_accuracy"
	Top2Accuracy     = "top_k_accuracy@2"
	ErrorRate        = "error"
	Cost             = "cost"
	F1               = "f1"
	MCC              = "mcc"
	AUC              = "auc"
	MacroAUC         = "roc_auc_ovr"
	AveragePrecision = "average_precision"
	LogLoss          = "logloss"
	Brier            = "brier"
	RMSE             = "rmse"
	MAE              = "mae"
	R2               = "r2"
	Pinball          = "pinball"
	NDCG10           = "ndcg@10"
	MAP10            = "map@10"
	MRR              = "mrr"
	Concordance      = "concordance"
	WeightedAUC      = "roc_auc_ovr_weighted"
	MAPE             = "mape"
	RMSLE            = "rmsle"
	PoissonDeviance  = "poisson_deviance"
	GammaDeviance    = "gamma_deviance"
)
