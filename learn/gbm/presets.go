package gbm

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/param"
)

// presets returns fast, default and best.
func presets() []learn.Preset {
	return []learn.Preset{
		{Name: "fast", Help: "100 rounds on all rows, without a validation set",
			Settings: []string{"trees=100", "learning_rate=0.15", "categories=native",
				"colsample_by=task", "training_metric=0"}},
		{Name: "default", Help: "rounds chosen from the data", Settings: nil},
		{Name: "best", Help: "an ensemble of configurations: many times as long",
			Learner: "portfolio", Settings: []string{"members=gbm,cox"}}, // cox is for survival only
	}
}

// Names of the compatible programs, as parameter values and as presets.
const (
	xgboost  = "xgboost"
	lightgbm = "lightgbm"
	catboost = "catboost"

	xgboostExact = "xgboost-exact"
)

// conventions are those of the engine by the values of compat.
var conventions = map[Compat]hist.Conventions{CompatXGBoost: hist.XGBoost,
	CompatXGBoostExact: hist.XGBoostExact, CompatLightGBM: hist.LightGBM,
	CompatCatBoost: hist.CatBoost}

// compats returns xgboost, which is version 1.7 with tree_method=hist; xgboost-exact, the same
// version with tree_method=exact; lightgbm, version 4; and catboost, its published defaults.
func compats() []learn.Preset {
	return []learn.Preset{
		{Name: xgboost, Help: "XGBoost 1.7, tree_method=hist, with base_score=0.5 and 100 rounds",
			Settings: []string{"compat=xgboost", "trees=100", "learning_rate=0.3",
				"growth=depth", "depth=6", "leaves=0", "colsample=1", "min_leaf=1",
				"min_child_weight=1", "l2=1", "bins=256", "base_score=0.5",
				"categories=native", "one_hot=3", "max_categories=64", "cat_smooth=0", "cat_l2=0",
				"min_category=0"}},
		{Name: xgboostExact,
			Help: "XGBoost 1.7, tree_method=exact, with base_score=0.5 and 100 rounds",
			Settings: []string{"compat=xgboost-exact", "trees=100", "learning_rate=0.3",
				"growth=depth", "depth=6", "leaves=0", "gamma_prune=bottom", "colsample=1",
				"min_leaf=1", "min_child_weight=1", "l2=1", "bins=65535", "base_score=0.5",
				"categories=native", "one_hot=3", "max_categories=64", "cat_smooth=0",
				"cat_l2=0", "min_category=0"}},
		{Name: lightgbm, Help: "LightGBM 4", Settings: []string{"compat=lightgbm", "trees=100",
			"learning_rate=0.1", "growth=leaf", "leaves=31", "colsample=1", "min_leaf=20",
			"min_child_weight=0.001", "l2=0", "bins=255", "categories=native", "one_hot=3",
			"max_categories=32", "cat_smooth=10", "cat_l2=10", "min_group=100", "min_bin=3"}},
		{Name: catboost, Help: "CatBoost 1, its published defaults: the trees differ",
			Settings: []string{"compat=catboost", "trees=1000", "growth=symmetric", "depth=6",
				"colsample=1", "min_leaf=1", "min_child_weight=0", "l2=3", "bins=255",
				"split_score=cosine", "random_strength=1", "sampling=mvs", "sampling.fraction=0.8",
				"categories=target", "ts_levels=3", "ts_combine=4", "one_hot=2"}},
	}
}

func (l *Learner) compatParams() param.Set {
	return param.Set{
		param.AnyOf(&l.Compat, "compat",
			"whose conventions are followed where they differ. With xgboost, second "+
				"derivatives of loss=auto's softmax are 2 p (1-p), and sets of categories are "+
				"searched as it does. Its loss=poisson has a max_delta_step of 0.7 unless one "+
				"is given, and looks ahead by it if loss.ahead is below 0. With xgboost-exact, "+
				"too, numbers are split between all distinct values of a leaf's rows, in the "+
				"middle. With lightgbm, loss=poisson looks ahead by 0.7, and rows of leaves are "+
				"estimated and sets of categories searched as it does. With catboost, the "+
				"learning rate follows from rows, rounds and loss, losses of classes start at 0, "+
				"and all leaves of symmetric trees have their own values. The command's flag compat "+
				"sets all defaults"),
		boosting.BaseScoreParam(&l.BaseScore),
	}
}

// xgboostLosses reports whether losses are those of XGBoost.
func xgboostLosses(c Compat) bool { return c == CompatXGBoost || c == CompatXGBoostExact }

// poissonStep is max_delta_step of XGBoost's count:poisson, if none is given, and
// poisson_max_delta_step of LightGBM.
const poissonStep = 0.7

// conventionalSteps gives loss=poisson the shorter steps of other programs, unless the user sets
// loss.ahead. Both programs increase second derivatives, and XGBoost limits leaf values too.
func (l *Learner) conventionalSteps() error {
	e, ok := l.Loss.Entry(data.Auto)
	if !ok || e.Name != "poisson" || l.Loss.Loss == nil || l.Compat == CompatNone ||
		l.Compat == CompatCatBoost {
		return nil
	}
	params := l.Loss.Loss.Params()
	if !strings.HasPrefix(params.Lookup("ahead").Value(), "-") {
		return nil
	}
	ahead := poissonStep
	if xgboostLosses(l.Compat) {
		l.MaxDeltaStep = cmp.Or(l.MaxDeltaStep, poissonStep)
		ahead = l.MaxDeltaStep
	}
	return params.Set([]string{fmt.Sprint("ahead=", ahead)})
}
