package toolparams

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// xgboost returns the parameters of XGBoost 1.7 to 3, and those of its Python package.
func xgboost() Tool {
	return Tool{"xgboost", "XGBoost", slices.Concat(xgboostTrees(), xgboostLearning(), xgboostPython()),
		names(".weight .group .base_margin"), xgboostDefaults}
}

func xgboostDefaults(g *given) []Item {
	compat := "xgboost"
	if g.text("tree_method", "") == "exact" {
		compat = "xgboost-exact"
	}
	items := []Item{{Key: "compat", Text: compat}}
	if !g.has("early_stopping_rounds") {
		items = append(items, Item{Key: "set.early_stopping", Text: "0"})
	}
	if ranks(g) && !g.has("eta") {
		items = append(items, Item{Key: "set.learning_rate", Text: "0.15"})
	}
	return items
}

func ranks(g *given) bool { return strings.HasPrefix(g.text("objective", ""), "rank:") }

// ranked is a parameter of gbm that has another size for rankings: XGBoost adds up each pair twice.
func ranked(name string, factor float64) action {
	return action{"`set." + name + "`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if x, wrong := strconv.ParseFloat(text, 64); wrong == nil && ranks(g) {
			text = strconv.FormatFloat(x*factor, 'g', -1, 64)
		}
		return []Item{{Key: "set." + name, Text: text}}, err
	}}
}

func xgboostTrees() []Parameter {
	dart := func(g *given) bool { return g.text("booster", "") == "dart" }
	return []Parameter{
		{"booster", nil, xgboostBooster(), "gblinear is refused: use --learner linear or logistic"},
		{"eta", names("learning_rate"), ranked("learning_rate", 0.5), "halved for rank:, as pairs count twice there"},
		{"gamma", names("min_split_loss"), ranked("gamma", 4), "for rank: four times, as pairs count twice there"},
		{"max_depth", nil, setAs("depth", unlimited), ""},
		{"min_child_weight", nil, set("min_child_weight"), ""},
		{"max_delta_step", nil, ranked("max_delta_step", 2), "doubled for rank:, as pairs count twice there"},
		{"subsample", nil, set("subsample"), ""},
		{"sampling_method", nil, xgboostSampling(), "gradient_based is sampling=mvs with the fraction subsample"},
		{"colsample_bytree", nil, set("colsample"), ""},
		{"colsample_bylevel", nil, set("colsample_level"), ""},
		{"colsample_bynode", nil, set("colsample_node"), ""},
		{"lambda", names("reg_lambda"), set("l2"), ""},
		{"alpha", names("reg_alpha"), ranked("l1", 2), "doubled for rank:, as pairs count twice there"},
		{"tree_method", nil, xgboostMethod(), "exact is --compat xgboost-exact, all others are hist"},
		{"scale_pos_weight", nil, positiveWeight(), "class_weight of the class 1"},
		{"updater", nil, refused(), "trees are grown by histograms: leave it out"},
		{"refresh_leaf", nil, ignored(), "leaves of a model are not fitted again"},
		{"process_type", nil, only("default"), "models are not updated: use --continue"},
		{"grow_policy", nil, setAs("growth", named(map[string]string{"depthwise": "depth",
			"lossguide": "leaf"})), ""},
		{"max_leaves", nil, setAs("leaves", unlimited), ""},
		{"max_bin", nil, setAs("bins", whole), ""},
		{"num_parallel_tree", nil, only("1"), "a round grows one tree for each output: use --learner forest"},
		{"monotone_constraints", nil, byName("monotone", "="),
			"by names of columns; a list by their order is refused"},
		{"interaction_constraints", nil, xgboostInteractions(),
			"by names of columns; a list by their order is refused"},
		{"multi_strategy", nil, setAs("multi_output", named(map[string]string{
			"one_output_per_tree": "false", "multi_output_tree": "true"})), ""},
		{"max_cat_to_onehot", nil, setAs("one_hot", lessOne), "one less, since XGBoost's limit is excluded"},
		{"max_cat_threshold", nil, setAs("max_categories", whole), ""},
		{"max_cached_hist_node", nil, ignored(), "--memory limits memory"},
		{"extmem_single_page", nil, ignored(), "--memory limits memory"},
		{"sketch_eps", nil, ignored(), "max_bin is the number of bins"},
		{"sample_type", nil, where(dart, only("uniform")), "trees are dropped with one probability"},
		{"normalize_type", nil, where(dart, only("tree")), "dropped trees are weighed as in the paper"},
		{"rate_drop", nil, where(dart, set("boosting.drop")), ""},
		{"one_drop", nil, where(dart, only("0", "false")), "a round may drop no tree"},
		{"skip_drop", nil, where(dart, set("boosting.skip")), ""},
	}
}

func xgboostLearning() []Parameter {
	return []Parameter{
		{"objective", nil, objective(xgboostLosses()),
			"integer labels of few values are a number with the task regression"},
		{"base_score", nil, xgboostBase(), "without it 0.5, as up to XGBoost 1.7"},
		{"eval_metric", nil, metrics(xgboostMetrics(), "-"), ""},
		{"disable_default_eval_metric", nil, ignored(), messages},
		{"seed", names("random_state"), flag("seed"), "samples of rows and columns are other ones than XGBoost's"},
		{"seed_per_iteration", nil, ignored(), ownRandom},
		{"num_class", nil, ignored(), "classes are those of the label"},
		{"tweedie_variance_power", nil, companion("objective"), "of reg:tweedie"},
		{"huber_slope", nil, companion("objective"), "of reg:pseudohubererror"},
		{"quantile_alpha", nil, companion("objective"), "of reg:quantileerror"},
		{"aft_loss_distribution", nil, companion("objective"), "of survival:aft"},
		{"aft_loss_distribution_scale", nil, companion("objective"), "of survival:aft"},
		{"lambdarank_pair_method", nil, only("topk"), "pairs have a row among the first places"},
		{"lambdarank_num_pair_per_sample", nil, companion("objective"), "of rank:ndcg, loss.truncation"},
		{"lambdarank_normalization", nil, ignored(), "pairs are weighed as lambdamart does"},
		{"lambdarank_score_normalization", nil, ignored(), "pairs are weighed as lambdamart does"},
		{"lambdarank_unbiased", nil, only("false"), "positions of clicks are not modelled"},
		{"ndcg_exp_gain", nil, xgboostGain(), "false is linear"},
	}
}

func xgboostPython() []Parameter {
	return []Parameter{
		{"num_boost_round", names("num_round n_estimators nrounds"), setAs("trees", whole), "without it 100"},
		{"early_stopping_rounds", nil, setAs("early_stopping", unlimited), ""},
		{"enable_categorical", nil, ignored(), "columns of texts are categories"},
		{"feature_types", nil, ignored(), "--categorical and --numeric name columns"},
		{"missing", nil, only("nan", "none", ""), "--missing names what stands for missing values"},
		{"importance_type", nil, ignored(), "models store importances by gain"},
		{"nthread", names("n_jobs"), flagAbove("threads"), ""},
		{"device", nil, ignored(), noDevice},
		{"gpu_id", nil, ignored(), noDevice},
		{"predictor", nil, ignored(), noDevice},
		{"single_precision_histogram", nil, ignored(), sameAlways},
		{"verbosity", names("silent verbose verbose_eval"), ignored(), messages},
		{"validate_parameters", nil, ignored(), "names are always checked"},
		{"use_rmm", nil, ignored(), noDevice},
		{"data", nil, flag("data"), ""},
		{"model_in", nil, refused(), "use --continue MODEL"},
		{"model_out", nil, flag("out"), ""},
		{"save_period", nil, flagAbove("checkpoint-every"), ""},
		{"task", nil, only("train"), "a file of parameters is for training: see coppice predict"},
		{"eval_train", nil, ignored(), messages},
		{"test:data", nil, ignored(), ofPredict},
	}
}

func xgboostLosses() []loss {
	ranking := func(name, metric string) loss {
		return loss{names: names(name), task: "ranking", set: "lambdamart", fixed: []string{"metric=" + metric},
			params: []lossParam{{"lambdarank_num_pair_per_sample", "", "truncation"}}}
	}
	return []loss{
		{names: names("reg:squarederror reg:linear"), task: "regression"},
		{names: names("reg:squaredlogerror"), task: "regression", set: "squared_log",
			fixed: []string{"curvature=xgboost"}},
		{names: names("reg:logistic"), task: "regression", set: "cross_entropy"},
		{names: names("reg:pseudohubererror"), task: "regression", set: "pseudo_huber",
			params: []lossParam{{"huber_slope", "1", "delta"}}},
		{names: names("reg:absoluteerror"), task: "regression", set: "absolute"},
		{names: names("reg:quantileerror"), task: "regression", set: "quantile",
			params: []lossParam{{"quantile_alpha", "0.5", "quantiles"}}},
		{names: names("reg:expectileerror"), task: "regression", set: "expectile"},
		{names: names("binary:logistic binary:logitraw"), task: "binary"},
		{names: names("binary:hinge"), task: "binary", set: "hinge"},
		{names: names("count:poisson"), task: "regression", set: "poisson",
			params: []lossParam{{"max_delta_step", "", "ahead"}}},
		{names: names("survival:cox"), task: "survival", set: "cox"},
		{names: names("survival:aft"), task: "survival", set: "aft",
			params: []lossParam{{"aft_loss_distribution", "normal", "distribution"},
				{"aft_loss_distribution_scale", "1", "sigma"}}},
		{names: names("multi:softmax multi:softprob"), task: "multiclass"},
		ranking("rank:ndcg", "ndcg"), ranking("rank:map", "map"), ranking("rank:pairwise", "pairwise"),
		{names: names("reg:gamma"), task: "regression", set: "gamma"},
		{names: names("reg:tweedie"), task: "regression", set: "tweedie",
			params: []lossParam{{"tweedie_variance_power", "1.5", "power"}}},
	}
}

// xgboostMetrics are the metrics of XGBoost; "" = none.
func xgboostMetrics() map[string]string {
	return map[string]string{"rmse": "rmse", "rmsle": "rmsle", "mae": "mae", "mape": "mape",
		"mphe": "loss", "logloss": "logloss", "error": "error", "merror": "error", "mlogloss": "logloss",
		"auc": "auc", "aucpr": "average_precision", "pre": "", "ndcg": "ndcg", "map": "map",
		"poisson-nloglik": "poisson_deviance", "gamma-nloglik": "loss", "cox-nloglik": "loss",
		"gamma-deviance": "gamma_deviance", "tweedie-nloglik": "loss", "aft-nloglik": "loss",
		"quantile": "pinball", "interval-regression-accuracy": ""}
}

func xgboostBooster() action {
	return action{"`set.boosting`", func(v Value, _ *given) ([]Item, error) {
		switch text, err := one(v); text {
		case "gbtree", "":
			return []Item{}, err
		case "dart":
			return []Item{{Key: "set.boosting", Text: "dart"}}, err
		case "gblinear":
			return nil, fmt.Errorf("gblinear: a linear model is a learner of its own: use --learner linear " +
				"or logistic")
		default:
			return nil, fmt.Errorf("%q: want gbtree or dart", text)
		}
	}}
}

func xgboostSampling() action {
	return action{"`set.sampling`", func(v Value, g *given) ([]Item, error) {
		switch text, err := one(v); text {
		case "uniform", "":
			return []Item{}, err
		case "gradient_based":
			return nil, fmt.Errorf("gradient_based: use sampling=mvs with sampling.fraction, and leave out " +
				"subsample")
		default:
			return nil, fmt.Errorf("%q: want uniform", text)
		}
	}}
}

func xgboostGain() action {
	return action{"`set.loss.gain`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if err != nil || !ranks(g) {
			return []Item{}, err
		}
		if on, err := truth(text); on || err != nil {
			return []Item{}, err
		}
		return []Item{{Key: "set.loss.gain", Text: "linear"}}, nil
	}}
}

func xgboostMethod() action {
	return action{"`--compat`", func(v Value, _ *given) ([]Item, error) {
		text, err := one(v)
		if err == nil && !slices.Contains(names("auto hist approx gpu_hist exact"), text) {
			err = fmt.Errorf("%q: want hist or exact", text)
		}
		return []Item{}, err
	}}
}

// xgboostInteractions has lists of names of columns.
func xgboostInteractions() action {
	return action{"`set.interactions`", func(v Value, _ *given) ([]Item, error) {
		if v.List == nil && v.Text == "" {
			return []Item{}, nil
		}
		if v.List == nil || strings.ContainsAny(strings.Join(v.List, ""), "0123456789[]") {
			return nil, fmt.Errorf("it counts columns: use interactions=COL+COL,COL+COL, which names them")
		}
		return []Item{{Key: "set.interactions", Text: strings.Join(v.List, ",")}}, nil
	}}
}

// xgboostBase is one number; of several outputs none is taken.
func xgboostBase() action {
	return action{"`set.base_score`", func(v Value, _ *given) ([]Item, error) {
		text, err := one(Value{Text: strings.Trim(v.Text, "[]"), List: v.List})
		if x, wrong := strconv.ParseFloat(text, 64); wrong == nil {
			text = strconv.FormatFloat(x, 'g', -1, 64) // files have 5E-1
		}
		return []Item{{Key: "set.base_score", Text: text}}, err
	}}
}
