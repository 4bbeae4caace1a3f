package toolparams

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// catboost returns the parameters of CatBoost 1.
func catboost() Tool {
	return Tool{"catboost", "CatBoost", slices.Concat(catboostTrees(), catboostRest()), nil,
		func(*given) []Item { return []Item{{Key: "compat", Text: "catboost"}} }}
}

func catboostTrees() []Parameter {
	return []Parameter{
		{"loss_function", names("objective"), objective(catboostLosses()), "its options too, as Quantile:alpha=0.1"},
		{"eval_metric", nil, metrics(catboostMetrics(), "-"), ""},
		{"custom_metric", names("custom_loss"), ignored(), messages},
		{"iterations", names("num_boost_round n_estimators num_trees"), setAs("trees", whole), ""},
		{"learning_rate", names("eta"), set("learning_rate"), ""},
		{"random_seed", names("random_state"), flag("seed"), "random choices are other ones than CatBoost's"},
		{"l2_leaf_reg", names("reg_lambda"), set("l2"), ""},
		{"bootstrap_type", nil, catboostBootstrap(), "Poisson is refused: it is for graphics cards"},
		{"bagging_temperature", nil, catboostTemperature(), "1 is sampling=bayesian"},
		{"subsample", names("sample_rate"), companion("bootstrap_type"), "sampling.fraction"},
		{"mvs_reg", nil, companion("bootstrap_type"), "sampling.lambda"},
		{"sampling_frequency", nil, ignored(), "rows are sampled for each tree"},
		{"sampling_unit", nil, only("Object"), "use sampling=group"},
		{"random_strength", nil, set("random_strength"), ""},
		{"depth", names("max_depth"), setAs("depth", whole), ""},
		{"grow_policy", nil, catboostGrowth(),
			"of others split_score is l2, and random_strength 0"},
		{"min_data_in_leaf", names("min_child_samples"), setAs("min_leaf", atLeastOne), ""},
		{"max_leaves", names("num_leaves"), where(func(g *given) bool {
			return strings.EqualFold(g.text("grow_policy", ""), "lossguide")
		}, setAs("leaves", whole)), "of grow_policy=Lossguide"},
		{"rsm", names("colsample_bylevel"), set("colsample_level"), ""},
		{"leaf_estimation_iterations", nil, setAs("leaf_steps", whole), ""},
		{"leaf_estimation_method", nil, setAs("leaf_method", named(map[string]string{"newton": "newton",
			"gradient": "gradient"})), "Exact is refused"},
		{"leaf_estimation_backtracking", nil, ignored(), "steps are not tried in several lengths"},
		{"boost_from_average", nil, ignored(), "scores begin as CatBoost's defaults say"},
		{"boosting_type", nil, setAs("boosting", named(map[string]string{"plain": "plain",
			"ordered": "ordered"})), ""},
		{"score_function", nil, setAs("split_score", named(map[string]string{"cosine": "cosine",
			"l2": "l2", "newtonl2": "newton"})), ""},
		{"model_shrink_rate", nil, only("0"), "scores of earlier rounds are not made smaller"},
		{"monotone_constraints", nil, byName("monotone", "="),
			"by names of columns; a list by their order is refused"},
		{"feature_weights", nil, byName("column_weight", "="),
			"by names of columns; a list by their order is refused"},
		{"penalties_coefficient", nil, only("1"), "columns have no costs here: use column_weight"},
	}
}

func catboostRest() []Parameter {
	return []Parameter{
		{"od_type", nil, only("Iter"), "early stopping counts rounds: use early_stopping_rounds"},
		{"early_stopping_rounds", names("od_wait"), setAs("early_stopping", unlimited), ""},
		{"use_best_model", nil, ignored(), "with --valid the model keeps the rounds up to its best"},
		{"eval_fraction", nil, set("valid_fraction"), ""},
		{"class_weights", nil, byName("class_weight", "="), "by names of classes; a list by their order is refused"},
		{"auto_class_weights", nil, setAs("class_weight", named(map[string]string{"balanced": "balanced",
			"none": ""})), "SqrtBalanced is refused: use class_weight"},
		{"scale_pos_weight", nil, positiveWeight(), "class_weight of the class 1"},
		{"cat_features", nil, catboostColumns("categorical"), "names of columns; numbers are refused"},
		{"text_features", nil, catboostColumns("text"), "names of columns; numbers are refused"},
		{"ignored_features", nil, catboostColumns("ignore"), "names of columns; numbers are refused"},
		{"embedding_features", nil, refused(), "columns are numbers, categories, dates or texts"},
		{"one_hot_max_size", nil, setAs("one_hot", whole), ""},
		{"max_ctr_complexity", nil, setAs("ts_combine", whole), ""},
		{"simple_ctr", nil, ignored(), "target statistics are of the kind of the label"},
		{"combinations_ctr", nil, ignored(), "target statistics are of the kind of the label"},
		{"has_time", nil, only("false"), "random orders are of all rows: --time divides rows by time"},
		{"fold_permutation_block", nil, ignored(), "orders are of single rows"},
		{"nan_mode", nil, only("Min"), "missing values go to the side of larger gain or training weight"},
		{"border_count", names("max_bin"), setAs("bins", catboostBorders), "one more, since bins lie between borders"},
		{"feature_border_type", nil, ignored(), "borders are quantiles of the values"},
		{"classes_count", nil, ignored(), "classes are those of the label"},
		{"class_names", nil, ignored(), "classes are those of the label"},
		{"thread_count", names("n_jobs"), flagAbove("threads"), ""},
		{"task_type", nil, ignored(), noDevice},
		{"devices", nil, ignored(), noDevice},
		{"used_ram_limit", nil, ignored(), "--memory limits memory"},
		{"verbose", names("logging_level silent verbose_eval metric_period"), ignored(), messages},
		{"train_dir", nil, ignored(), "nothing but the model is written"},
		{"allow_writing_files", nil, ignored(), "nothing but the model is written"},
		{"save_snapshot", nil, ignored(), "--checkpoint-every writes checkpoints"},
		{"snapshot_file", nil, ignored(), "--checkpoint-every writes checkpoints"},
		{"allow_const_label", nil, ignored(), "a label of one value is an error"},
		{"langevin", nil, only("false"), "no noise is added to gradients"},
	}
}

func catboostLosses() []loss {
	return []loss{
		{names: names("RMSE"), task: "regression"},
		{names: names("MAE"), task: "regression", set: "absolute"},
		{names: names("Quantile"), task: "regression", set: "quantile",
			params: []lossParam{{"alpha", "0.5", "quantiles"}}},
		{names: names("MultiQuantile"), task: "regression", set: "quantile",
			params: []lossParam{{"alpha", "0.5", "quantiles"}}},
		{names: names("Expectile"), task: "regression", set: "expectile",
			params: []lossParam{{"alpha", "0.5", "level"}}},
		{names: names("Huber"), task: "regression", set: "huber",
			params: []lossParam{{"delta", "1", "delta"}}},
		{names: names("MAPE"), task: "regression", set: "mape"},
		{names: names("Poisson"), task: "regression", set: "poisson"},
		{names: names("Tweedie"), task: "regression", set: "tweedie",
			params: []lossParam{{"variance_power", "1.5", "power"}}},
		{names: names("Logloss"), task: "binary"},
		{names: names("CrossEntropy"), task: "regression", set: "cross_entropy"},
		{names: names("Focal"), task: "binary", set: "focal",
			params: []lossParam{{"focal_alpha", "", "alpha"}, {"focal_gamma", "", "gamma"}}},
		{names: names("MultiClass"), task: "multiclass"},
		{names: names("MultiClassOneVsAll"), task: "multiclass", set: "one_vs_all"},
		{names: names("PairLogit PairLogitPairwise"), task: "ranking", set: "lambdamart",
			fixed: []string{"metric=pairwise"}},
		{names: names("LambdaMart"), task: "ranking", set: "lambdamart"},
		{names: names("YetiRank YetiRankPairwise StochasticRank QueryRMSE QuerySoftMax QueryCrossEntropy"),
			no: "rankings have the losses lambdamart and xe_ndcg: use LambdaMart"},
		{names: names("Cox"), task: "survival", set: "cox"},
		{names: names("SurvivalAft"), task: "survival", set: "aft",
			params: []lossParam{{"dist", "normal", "distribution"}, {"scale", "1", "sigma"}}},
		{names: names("MultiRMSE MultiRMSEWithMissingValues MultiLogloss MultiCrossEntropy " +
			"RMSEWithUncertainty"), no: "a model has one label"},
	}
}

// catboostMetrics are the metrics of CatBoost; "" = none.
func catboostMetrics() map[string]string {
	return map[string]string{"rmse": "rmse", "mae": "mae", "mape": "mape", "r2": "r2",
		"quantile": "pinball", "multiquantile": "pinball", "poisson": "poisson_deviance",
		"tweedie": "loss", "huber": "loss", "expectile": "loss", "logloss": "logloss",
		"crossentropy": "loss", "multiclass": "logloss", "multiclassonevsall": "loss",
		"accuracy": "accuracy", "auc": "auc", "prauc": "average_precision", "f1": "f1", "mcc": "mcc",
		"balancedaccuracy": "balanced_accuracy", "brierscore": "brier", "ndcg": "ndcg", "map": "map",
		"mrr": "mrr", "msle": "rmsle", "zeroonelosserror": "error", "zerooneloss": "error"}
}

// catboostBorders counts bins, which lie between borders and beside them.
func catboostBorders(text string) (string, error) {
	borders, err := strconv.Atoi(text)
	if err != nil {
		return "", fmt.Errorf("%q is no integer", text)
	}
	return strconv.Itoa(borders + 1), nil
}

// catboostGrowth takes away what the defaults have for symmetric trees alone.
func catboostGrowth() action {
	return action{"`set.growth`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if err != nil {
			return nil, err
		}
		growth, err := named(map[string]string{"symmetrictree": "symmetric", "depthwise": "depth",
			"lossguide": "leaf"})(text)
		items := []Item{{Key: "set.growth", Text: growth}}
		if growth == "symmetric" || err != nil {
			return items, err
		}
		if !g.has("score_function") {
			items = append(items, Item{Key: "set.split_score", Text: "l2"})
		}
		if !g.has("random_strength") {
			items = append(items, Item{Key: "set.random_strength", Text: "0"})
		}
		return items, nil
	}}
}

func catboostBootstrap() action {
	return action{"`set.sampling`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		way, ok := map[string]string{"bayesian": "bayesian", "bernoulli": "uniform", "mvs": "mvs",
			"no": "none"}[strings.ToLower(text)]
		if err != nil || !ok {
			return nil, fmt.Errorf("%q: want Bayesian, Bernoulli, MVS or No", text)
		}
		items := []Item{{Key: "set.sampling", Text: way}}
		if fraction := g.text("subsample", ""); fraction != "" && (way == "uniform" || way == "mvs") {
			items = append(items, Item{Key: "set.sampling.fraction", Text: fraction})
		}
		if reg := g.text("mvs_reg", ""); reg != "" && way == "mvs" {
			items = append(items, Item{Key: "set.sampling.lambda", Text: reg})
		}
		return items, nil
	}}
}

// catboostTemperature is an exponent of the random factors of rows, of which 1 is done here.
func catboostTemperature() action {
	return action{"with `bootstrap_type`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if err != nil || same(text, "1") || !strings.EqualFold(g.text("bootstrap_type", ""), "Bayesian") {
			return []Item{}, err
		}
		return nil, fmt.Errorf("%s: want 1, the exponent of the random factors of sampling=bayesian", text)
	}}
}

// catboostColumns is a flag that names columns.
func catboostColumns(name string) action {
	return action{"`--" + name + "`", func(v Value, _ *given) ([]Item, error) {
		all := texts(v)
		for _, column := range all {
			if strings.Trim(column, "0123456789") == "" {
				return nil, fmt.Errorf("%s: want the names of columns, and not their numbers", column)
			}
		}
		if len(all) == 0 {
			return []Item{}, nil
		}
		return []Item{{Key: name, Text: strings.Join(all, ",")}}, nil
	}}
}
