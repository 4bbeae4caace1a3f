package toolparams

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	sameAlways = "the result is the same for any number of threads, blocks and ways to add up"
	fixedPoint = "gradients are fixed-point numbers whose sums are exact"
	noDevice   = "training runs on processors; the result does not depend on the device"
	messages   = "it is about messages: --quiet, --progress and -v are the flags"
	ownRandom  = "all random choices follow --seed; another tool's random numbers differ anyway"
	ofSplits   = "bins are of all rows, and not of a sample"
	ofPredict  = "it is about prediction: see the flags of coppice predict"
	ofConvert  = "models are converted by coppice convert"
	byRanks    = "several machines are ranks of coppice-mpi"
)

// lightgbm returns the parameters of LightGBM 4, by the order of its page of parameters.
func lightgbm() Tool {
	return Tool{"lightgbm", "LightGBM", slices.Concat(lightgbmCore(), lightgbmControl(),
		lightgbmTables(), lightgbmObjective()), names(".weight .query .init .position"), lightgbmDefaults}
}

// lightgbmDefaults are what the tool does without being told. Its files of lines have tables
// without a header, whose first column is the label.
func lightgbmDefaults(g *given) []Item {
	items := []Item{{Key: "compat", Text: "lightgbm"}}
	if !g.has("early_stopping_round") {
		items = append(items, Item{Key: "set.early_stopping", Text: "0"})
	}
	if g.has("data") && !headed(g) {
		items = append(items, Item{Key: "no-header", Text: "true"})
		if !g.has("label_column") {
			items = append(items, Item{Key: "label", Text: "f0"})
		}
	}
	return items
}

// headed reports whether the table of data has a header: a label by name needs one.
func headed(g *given) bool {
	named := strings.HasPrefix(g.text("label_column", ""), "name:")
	on, err := truth(g.text("header", strconv.FormatBool(named)))
	return err == nil && on
}

func lightgbmCore() []Parameter {
	bagged := func(g *given) bool { return !same(g.text("bagging_freq", "0"), "0") }
	return []Parameter{
		{"objective", names("objective_type app application loss"), objective(lightgbmLosses()),
			"integer labels of few values are a number with the task regression"},
		{"boosting", names("boosting_type boost"), lightgbmBoosting(),
			"rf is refused: use --learner forest"},
		{"data_sample_strategy", nil, lightgbmSampling(), "goss is sampling=goss"},
		{"task", names("task_type"), only("train", "training"),
			"a file of parameters is for training: see coppice predict and coppice convert"},
		{"data", names("train train_data train_data_file data_filename"), flag("data"), ""},
		{"valid", names("test valid_data valid_data_file test_data test_data_file valid_filenames"),
			flag("valid"), "one file"},
		{"num_iterations", names("num_iteration n_iter num_tree num_trees num_round num_rounds nrounds " +
			"num_boost_round n_estimators max_iter"), setAs("trees", whole), ""},
		{"learning_rate", names("shrinkage_rate eta"), set("learning_rate"), ""},
		{"num_leaves", names("num_leaf max_leaves max_leaf max_leaf_nodes"), setAs("leaves", whole), ""},
		{"tree_learner", names("tree tree_type tree_learner_type"), ignored(), byRanks},
		{"num_threads", names("num_thread nthread nthreads n_jobs"), flagAbove("threads"), ""},
		{"device_type", names("device"), ignored(), noDevice},
		{"seed", names("random_seed random_state"), flag("seed"),
			"samples of rows and columns are other ones than LightGBM's"},
		{"deterministic", nil, ignored(), sameAlways},
		{"force_col_wise", nil, ignored(), sameAlways},
		{"force_row_wise", nil, ignored(), sameAlways},
		{"histogram_pool_size", names("hist_pool_size"), ignored(), "--memory limits memory"},
		{"max_depth", nil, setAs("depth", unlimited), "-1 is 0: no limit"},
		{"min_data_in_leaf", names("min_data_per_leaf min_data min_child_samples min_samples_leaf"),
			setAs("min_leaf", atLeastOne), ""},
		{"min_sum_hessian_in_leaf", names("min_sum_hessian_per_leaf min_sum_hessian min_hessian " +
			"min_child_weight"), set("min_child_weight"), ""},
		{"bagging_fraction", names("sub_row subsample bagging"), where(bagged, set("subsample")),
			"without bagging_freq it has no effect, as in LightGBM"},
		{"bagging_freq", names("subsample_freq"), lightgbmBaggingFreq(),
			"rows are sampled anew in each round, where LightGBM keeps a sample for some rounds"},
		{"bagging_seed", names("bagging_fraction_seed"), ignored(), ownRandom},
		{"pos_bagging_fraction", names("pos_sub_row pos_subsample pos_bagging"), only("1"),
			"classes are not sampled by different fractions: use class_weight"},
		{"neg_bagging_fraction", names("neg_sub_row neg_subsample neg_bagging"), only("1"),
			"classes are not sampled by different fractions: use class_weight"},
		{"bagging_by_query", nil, only("false"), "use sampling=group"},
		{"feature_fraction", names("sub_feature colsample_bytree"), set("colsample"), ""},
		{"feature_fraction_bynode", names("sub_feature_bynode colsample_bynode"),
			set("colsample_node"), ""},
		{"feature_fraction_seed", nil, ignored(), ownRandom},
	}
}

func lightgbmControl() []Parameter {
	dart := func(g *given) bool { return g.text("boosting", "gbdt") == "dart" }
	goss := func(g *given) bool {
		return g.text("boosting", "") == "goss" || g.text("data_sample_strategy", "") == "goss"
	}
	return []Parameter{
		{"extra_trees", names("extra_tree"), setAs("extra_trees", toggle), ""},
		{"extra_seed", nil, ignored(), ownRandom},
		{"early_stopping_round", names("early_stopping_rounds early_stopping n_iter_no_change"),
			setAs("early_stopping", unlimited), ""},
		{"early_stopping_min_delta", nil, only("0"), "any improvement counts"},
		{"first_metric_only", nil, ignored(), "the first metric decides early stopping"},
		{"max_delta_step", names("max_tree_output max_leaf_output"), setAs("max_delta_step", unlimited), ""},
		{"lambda_l1", names("reg_alpha l1_regularization"), set("l1"), ""},
		{"lambda_l2", names("reg_lambda lambda l2_regularization"), set("l2"), ""},
		{"linear_lambda", nil, set("linear_l2"), ""},
		{"min_gain_to_split", names("min_split_gain"), set("gamma"), ""},
		{"drop_rate", names("rate_drop"), where(dart, set("boosting.drop")), ""},
		{"max_drop", nil, where(dart, setAs("boosting.most", unlimited)), ""},
		{"skip_drop", nil, where(dart, set("boosting.skip")), ""},
		{"xgboost_dart_mode", nil, only("false"), "dropped trees are weighed as in the paper"},
		{"uniform_drop", nil, ignored(), "trees are dropped with one probability, as by true"},
		{"drop_seed", nil, ignored(), ownRandom},
		{"top_rate", nil, where(goss, set("sampling.top")), ""},
		{"other_rate", nil, where(goss, set("sampling.other")), ""},
		{"min_data_per_group", nil, setAs("min_group", whole), ""},
		{"max_cat_threshold", nil, setAs("max_categories", whole), ""},
		{"cat_l2", nil, set("cat_l2"), ""},
		{"cat_smooth", nil, set("cat_smooth"), ""},
		{"max_cat_to_onehot", nil, setAs("one_hot", lessOne),
			"one less, since LightGBM counts missing values as a category"},
		{"top_k", names("topk"), ignored(), byRanks},
		{"monotone_constraints", names("mc monotone_constraint monotonic_cst"), byName("monotone", "="),
			"by names of columns; a list by their order is refused"},
		{"monotone_constraints_method", names("monotone_constraining_method mc_method"), only("basic"),
			"bounds of both children are the middle of their values, as of the method basic"},
		{"monotone_penalty", names("monotone_splits_penalty ms_penalty mc_penalty"), only("0"),
			"splits by monotone columns are not penalised"},
		{"feature_contri", names("feature_contrib fc fp feature_penalty"), byName("column_weight", "="),
			"by names of columns; a list by their order is refused"},
		{"forcedsplits_filename", names("fs forced_splits_filename forced_splits_file forced_splits"),
			refused(), "first splits cannot be given"},
		{"refit_decay_rate", nil, ignored(), "leaves of a model are not fitted again"},
		{"cegb_tradeoff", nil, only("1"), "columns have no costs here: use column_weight"},
		{"cegb_penalty_split", nil, only("0"), "splits have no costs here: use gamma"},
		{"cegb_penalty_feature_lazy", nil, refused(), "columns have no costs here: use column_weight"},
		{"cegb_penalty_feature_coupled", nil, refused(), "columns have no costs here: use column_weight"},
		{"path_smooth", nil, set("path_smooth"), ""},
		{"interaction_constraints", nil, refused(),
			"it counts columns: use interactions=COL+COL,COL+COL"},
		{"verbosity", names("verbose"), ignored(), messages},
		{"input_model", names("model_input model_in"), refused(), "use --continue MODEL"},
		{"output_model", names("model_output model_out"), flag("out"),
			"in the format of Coppice: coppice convert writes LightGBM's"},
		{"saved_feature_importance_type", nil, ignored(), "models store importances by gain"},
		{"snapshot_freq", names("save_period"), flagAbove("checkpoint-every"), ""},
		{"use_quantized_grad", nil, ignored(), fixedPoint},
		{"num_grad_quant_bins", nil, ignored(), fixedPoint},
		{"quant_train_renew_leaf", nil, ignored(), fixedPoint},
		{"stochastic_rounding", nil, ignored(), fixedPoint},
		{"config", names("config_file"), ignored(), "the file itself is read"},
		{"convert_model", names("convert_model_file"), ignored(), ofConvert},
		{"convert_model_language", nil, ignored(), ofConvert},
	}
}

func lightgbmTables() []Parameter {
	return []Parameter{
		{"linear_tree", names("linear_trees"), setAs("linear_tree", toggle), ""},
		{"max_bin", names("max_bins"), setAs("bins", whole), ""},
		{"forcedbins_filename", nil, refused(), "bins cannot be given: use set.bins and set.min_bin"},
		{"save_binary", names("is_save_binary is_save_binary_file"), ignored(), "tables are read from " +
			"their files"},
		{"parser_config_file", nil, refused(), "there are no parsers to add: use csv, tsv or libsvm"},
		{"max_bin_by_feature", nil, refused(), "all columns have up to bins: use set.bins"},
		{"min_data_in_bin", nil, setAs("min_bin", whole), ""},
		{"bin_construct_sample_cnt", names("subsample_for_bin"), ignored(), ofSplits},
		{"data_random_seed", names("data_seed"), ignored(), ofSplits},
		{"is_enable_sparse", names("is_sparse enable_sparse sparse"), ignored(), sameAlways},
		{"enable_bundle", names("is_enable_bundle bundle"), ignored(), sameAlways},
		{"use_missing", nil, only("true"), "missing values are always missing: fill them in the table"},
		{"zero_as_missing", nil, only("false"), "zeros are numbers: --missing 0, or --absent missing"},
		{"feature_pre_filter", nil, ignored(), sameAlways},
		{"pre_partition", names("is_pre_partition"), ignored(), byRanks},
		{"two_round", names("two_round_loading use_two_round_loading"), ignored(),
			"tables beyond --memory are read in blocks"},
		{"header", names("has_header"), companion("label_column"),
			"without it, or a `name:` in `label_column`, the table of data has no header, as in LightGBM"},
		{"label_column", names("label"), lightgbmColumn("label", false), "name:COL, or a number"},
		{"weight_column", names("weight"), lightgbmColumn("weight", true), "name:COL, or a number"},
		{"group_column", names("group group_id query_column query query_id"),
			lightgbmColumn("group", true), "name:COL, or a number"},
		{"ignore_column", names("ignore_feature blacklist"), lightgbmColumn("ignore", true),
			"name:COL,COL, or numbers"},
		{"categorical_feature", names("cat_feature categorical_column cat_column categorical_features"),
			lightgbmColumn("categorical", true), "name:COL,COL, or numbers"},
		{"precise_float_parser", nil, ignored(), "numbers are read exactly"},
		{"predict_raw_score", names("is_predict_raw_score predict_rawscore raw_score"), ignored(), ofPredict},
		{"predict_leaf_index", names("is_predict_leaf_index leaf_index"), ignored(), ofPredict},
		{"predict_contrib", names("is_predict_contrib contrib"), ignored(), ofPredict},
		{"num_iteration_predict", nil, ignored(), ofPredict},
		{"start_iteration_predict", nil, ignored(), ofPredict},
		{"pred_early_stop", nil, ignored(), ofPredict},
		{"pred_early_stop_freq", nil, ignored(), ofPredict},
		{"pred_early_stop_margin", nil, ignored(), ofPredict},
		{"predict_disable_shape_check", nil, ignored(), ofPredict},
		{"output_result", names("predict_result prediction_result predict_name prediction_name " +
			"name_pred pred_name"),
			ignored(), ofPredict},
	}
}

func lightgbmObjective() []Parameter {
	return []Parameter{
		{"num_class", names("num_classes"), ignored(), "classes are those of the label"},
		{"is_unbalance", names("unbalance unbalanced_sets"), setAs("class_weight", balanced),
			"class_weight=balanced: classes weigh alike, and all rows together what they are"},
		{"scale_pos_weight", nil, positiveWeight(), "class_weight of the class 1"},
		{"sigmoid", nil, lightgbmSigmoid(), "of rankings; 1 of classes"},
		{"boost_from_average", nil, lightgbmAverage(), "false is base_score, where scores begin at 0"},
		{"reg_sqrt", nil, only("false"), "labels are not transformed: take the root in the table"},
		{"alpha", nil, companion("objective"), "of huber and quantile"},
		{"fair_c", nil, companion("objective"), "of fair"},
		{"poisson_max_delta_step", nil, companion("objective"), "of poisson"},
		{"tweedie_variance_power", nil, companion("objective"), "of tweedie"},
		{"lambdarank_truncation_level", nil, companion("objective"), "of lambdarank"},
		{"lambdarank_norm", nil, companion("objective"), "of lambdarank"},
		{"label_gain", nil, refused(), "gains are 2^grade - 1, or linear by loss.gain"},
		{"metric", names("metrics metric_types"), metrics(lightgbmMetrics(), "eval_at"), ""},
		{"metric_freq", names("output_freq"), ignored(), messages},
		{"is_provide_training_metric", names("training_metric is_training_metric train_metric"),
			ignored(), messages},
		{"eval_at", names("ndcg_eval_at ndcg_at map_eval_at map_at"), companion("metric"), "the first place"},
		{"num_machines", names("num_machine"), only("1"), byRanks},
		{"local_listen_port", names("local_port port"), ignored(), byRanks},
		{"machines", names("workers nodes"), ignored(), byRanks},
		{"machine_list_filename", names("machine_list_file machine_list mlist"), ignored(), byRanks},
		{"time_out", nil, ignored(), byRanks},
		{"auc_mu_weights", nil, ignored(), "AUC of several classes is one against the rest"},
		{"multi_error_top_k", nil, ignored(), "--metric top_k_accuracy@2 counts the first two classes"},
		{"objective_seed", nil, ignored(), ownRandom},
		{"lambdarank_position_bias_regularization", nil, only("0"), "positions have no weights here"},
		{"gpu_platform_id", nil, ignored(), noDevice},
		{"gpu_device_id", nil, ignored(), noDevice},
		{"gpu_use_dp", nil, ignored(), noDevice},
		{"num_gpu", nil, ignored(), noDevice},
	}
}

func lightgbmLosses() []loss {
	return []loss{
		{names: names("regression regression_l2 l2 mean_squared_error mse l2_root root_mean_squared_error rmse"),
			task: "regression"},
		{names: names("regression_l1 l1 mean_absolute_error mae"), task: "regression", set: "absolute"},
		{names: names("huber"), task: "regression", set: "huber",
			params: []lossParam{{"alpha", "0.9", "delta"}}},
		{names: names("fair"), task: "regression", set: "fair",
			params: []lossParam{{"fair_c", "1", "scale"}}},
		{names: names("poisson"), task: "regression", set: "poisson",
			params: []lossParam{{"poisson_max_delta_step", "0.7", "ahead"}}},
		{names: names("quantile"), task: "regression", set: "quantile",
			params: []lossParam{{"alpha", "0.9", "quantiles"}}},
		{names: names("mape mean_absolute_percentage_error"), task: "regression", set: "mape"},
		{names: names("gamma"), task: "regression", set: "gamma"},
		{names: names("tweedie"), task: "regression", set: "tweedie",
			params: []lossParam{{"tweedie_variance_power", "1.5", "power"}}},
		{names: names("binary"), task: "binary"},
		{names: names("multiclass softmax"), task: "multiclass"},
		{names: names("multiclassova multiclass_ova ova ovr"), task: "multiclass", set: "one_vs_all"},
		{names: names("cross_entropy xentropy"), task: "regression", set: "cross_entropy"},
		{names: names("cross_entropy_lambda xentlambda"), no: "use cross_entropy, which has the same " +
			"probabilities where rows have no weights"},
		{names: names("lambdarank"), task: "ranking", set: "lambdamart",
			params: []lossParam{{"lambdarank_truncation_level", "30", "truncation"}, {"sigmoid", "", "sigmoid"},
				{"lambdarank_norm", "true", "norm"}}},
		{names: names("rank_xendcg xendcg xe_ndcg xe_ndcg_mart xendcg_mart"), task: "ranking", set: "xe_ndcg"},
		{names: names("custom none null na"), no: ownLoss},
	}
}

// lightgbmMetrics are the metrics of LightGBM; "" = none.
func lightgbmMetrics() map[string]string {
	all := map[string]string{}
	for _, pair := range []string{"l1 mae", "mean_absolute_error mae", "mae mae", "regression_l1 mae",
		"l2 rmse", "mse rmse", "mean_squared_error rmse", "regression_l2 rmse", "regression rmse",
		"rmse rmse", "root_mean_squared_error rmse", "l2_root rmse", "quantile pinball", "mape mape",
		"mean_absolute_percentage_error mape", "huber loss", "fair loss", "poisson poisson_deviance",
		"gamma loss", "gamma_deviance gamma_deviance", "tweedie loss", "ndcg ndcg", "lambdarank ndcg",
		"rank_xendcg ndcg", "map map", "mean_average_precision map", "auc auc",
		"average_precision average_precision", "binary_logloss logloss", "binary logloss",
		"binary_error error", "multi_logloss logloss", "multiclass logloss", "softmax logloss",
		"multiclassova logloss", "multi_error error", "cross_entropy loss", "xentropy loss",
		"none ", "na ", "null ", "custom ", " "} {
		name, ours, _ := strings.Cut(pair, " ")
		all[name] = ours
	}
	return all
}

// names divides a text of names.
func names(all string) []string { return strings.Fields(all) }

func balanced(text string) (string, error) {
	on, err := truth(text)
	if on {
		return "balanced", err
	}
	return "", err
}

func atLeastOne(text string) (string, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && x < 1 {
		return "1", nil
	}
	return whole(text)
}

func lightgbmBoosting() action {
	return action{"`set.boosting`", func(v Value, _ *given) ([]Item, error) {
		switch text, err := one(v); strings.ToLower(text) {
		case "gbdt", "gbrt", "":
			return []Item{}, err
		case "dart":
			return []Item{{Key: "set.boosting", Text: "dart"}}, err
		case "goss":
			return []Item{{Key: "set.sampling", Text: "goss"}}, err
		case "rf", "random_forest":
			return nil, fmt.Errorf("a random forest is a learner of its own: use --learner forest with " +
				"parameters of coppice learners forest")
		default:
			return nil, fmt.Errorf("%q: want gbdt, dart or goss", text)
		}
	}}
}

func lightgbmSampling() action {
	return action{"`set.sampling`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if text == "goss" && g.text("boosting", "") != "goss" {
			return []Item{{Key: "set.sampling", Text: "goss"}}, err
		}
		return []Item{}, err
	}}
}

func lightgbmBaggingFreq() action {
	return action{"with `bagging_fraction`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if x, wrong := strconv.Atoi(text); wrong == nil && x > 1 && g.has("bagging_fraction") {
			return nil, err
		}
		return []Item{}, err
	}}
}

// lightgbmSigmoid is a parameter of rankings, and has to be 1 elsewhere.
func lightgbmSigmoid() action {
	return action{"`set.loss.sigmoid`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if err == nil && lightgbmObjectiveOf(g) != "lambdarank" && !same(text, "1") {
			err = fmt.Errorf("%s: want 1, since scores are log odds here", text)
		}
		return []Item{}, err
	}}
}

// lightgbmObjectiveOf returns the objective by the tool's own name.
func lightgbmObjectiveOf(g *given) string {
	if l := find(lightgbmLosses(), g.text("objective", "regression")); l != nil {
		return l.names[0]
	}
	return ""
}

func lightgbmAverage() action {
	return action{"`set.base_score`", func(v Value, g *given) ([]Item, error) {
		text, err := one(v)
		if err != nil {
			return nil, err
		}
		if on, err := truth(text); on || err != nil {
			return []Item{}, err
		}
		base, ok := map[string]string{"regression": "0", "binary": "0.5", "cross_entropy": "0.5",
			"poisson": "1", "gamma": "1", "tweedie": "1"}[lightgbmObjectiveOf(g)]
		if !ok {
			return nil, fmt.Errorf("false: scores begin at their best constant with this objective")
		}
		return []Item{{Key: "set.base_score", Text: base}}, nil
	}}
}

// lightgbmColumn is a flag that names columns: by name:COL,COL, by a list of names, or by numbers,
// of which only tables without a header have names. Numbers beyond the label's leave it out.
func lightgbmColumn(name string, afterLabel bool) action {
	return action{"`--" + name + "`", func(v Value, g *given) ([]Item, error) {
		all := texts(v)
		text, byName := strings.CutPrefix(strings.Join(all, ","), "name:")
		if byName {
			return []Item{{Key: name, Text: text}}, nil
		}
		for i, column := range all {
			number, err := strconv.Atoi(column)
			if err != nil {
				continue
			}
			if headed(g) || !g.has("data") {
				return nil, fmt.Errorf("%d: columns of a table with a header have names: write name:COL", number)
			}
			if label, err := strconv.Atoi(g.text("label_column", "0")); afterLabel && err == nil && number >= label {
				number++
			}
			all[i] = fmt.Sprint("f", number)
		}
		if len(all) == 0 || all[0] == "auto" {
			return []Item{}, nil
		}
		return []Item{{Key: name, Text: strings.Join(all, ",")}}, nil
	}}
}
