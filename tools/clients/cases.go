package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/coppice-ml/coppice/internal/rng"
)

// testCase is a kind of model.
type testCase struct {
	name    string
	label   string // column of the table
	learner string
	set     string // parameters
	flags   string // further flags of train
	short   bool   // it runs without -all
	table   string // file below a folder of -data; empty: the table of writeTable
}

// tables are cases on tables with many categories, of the project's and of -data.
func tables() []testCase {
	const boosted = "trees=30 rehearse=false"
	return []testCase{
		{"adult", "income", "gbm", boosted, "", true, "adult/adult-train.csv"},
		{"titanic", "Survived", "forest", "trees=30", "--task binary --ignore Name,Ticket,Cabin", true, "titanic/titanic.csv"},
		{"ames", "Sale_Price", "gbm", boosted, "", true, "ames/ames_housing.csv"},
		{"soybean", "class", "gbm", "trees=10 rehearse=false", "", true, "soybean/soybean.csv"},
		{"mushroom", "edibility", "cart", "", "", true, "mushroom/mushroom.csv"},
		{"bike", "cnt", "gbm", boosted + " loss=poisson", "--task regression --ignore instant,dteday,casual,registered", false, "bike/hour.csv"},
		{"letter", "lettr", "forest", "trees=5", "", false, "letter/letter.csv"},
	}
}

// cases returns the kinds of models: each learner, and of those whose models other tools can read
// each link, label and way to combine trees.
func cases() []testCase {
	const boosted = "trees=8 leaves=6 rehearse=false "
	return []testCase{
		{"gbm-binary", "y2", "gbm", boosted, "", true, ""},
		{"gbm-first-positive", "y2", "gbm", boosted, "--positive no", false, ""},
		{"gbm-threshold", "y2", "gbm", boosted, "--threshold-for f1", true, ""},
		{"gbm-integers", "y01", "gbm", boosted, "", false, ""},
		{"gbm-integer-categories", "y2", "gbm", boosted, "--categorical c3", true, ""},
		{"gbm-booleans", "yb", "gbm", boosted, "", false, ""},
		{"gbm-positive-leaves", "y01", "gbm", "trees=1 learning_rate=0.2 leaves=3 min_leaf=40 rehearse=false base_score=0.02", "", true, ""},
		{"gbm-negative-leaves", "y2", "gbm", "trees=1 learning_rate=0.1 leaves=6 rehearse=false base_score=0.98", "", false, ""},
		{"gbm-exponential", "y2", "gbm", boosted + "loss=exponential", "", false, ""},
		{"gbm-hinge", "y2", "gbm", boosted + "loss=hinge", "", false, ""},
		{"gbm-focal", "y2", "gbm", boosted + "loss=focal", "", false, ""},
		{"gbm-classes", "y3", "gbm", boosted, "", true, ""},
		{"gbm-integer-classes", "y3i", "gbm", boosted, "", false, ""},
		{"gbm-one-vs-all", "y3", "gbm", boosted + "loss=one_vs_all", "", true, ""},
		{"gbm-multi-output", "y3", "gbm", boosted + "multi_output=true", "", false, ""},
		{"gbm-number", "yr", "gbm", boosted, "", true, ""},
		{"gbm-absolute", "yr", "gbm", boosted + "loss=absolute", "", false, ""},
		{"gbm-quantile", "yr", "gbm", boosted + "loss=quantile", "", false, ""},
		{"gbm-poisson", "yp", "gbm", boosted + "loss=poisson", "--task regression", true, ""},
		{"gbm-tweedie", "yp", "gbm", boosted + "loss=tweedie", "--task regression", false, ""},
		{"gbm-symmetric", "y2", "gbm", "trees=8 depth=3 rehearse=false growth=symmetric", "", false, ""},
		{"gbm-linear-trees", "yr", "gbm", boosted + "linear_tree=true", "", true, ""},
		{"gbm-statistics", "y2", "gbm", boosted + "categories=target", "", true, ""},
		{"gbm-dart", "yr", "gbm", boosted + "boosting=dart", "", false, ""},
		{"gbm-compat-lightgbm", "y2", "gbm", boosted, "--compat lightgbm", false, ""},
		{"gbm-compat-xgboost", "y3", "gbm", boosted, "--compat xgboost", false, ""},
		{"gbm-compat-catboost", "y2", "gbm", "trees=8 rehearse=false", "--compat catboost", false, ""},
		{"cart-binary", "y2", "cart", "depth=5 prune=none", "", false, ""},
		{"cart-classes", "y3", "cart", "depth=5 prune=none", "", true, ""},
		{"cart-number", "yr", "cart", "depth=5 prune=none", "", false, ""},
		{"cart-surrogates", "y2", "cart", "depth=5 missing=surrogate", "", false, ""},
		{"cart-stump", "yb", "cart", "depth=1 prune=none", "", false, ""},
		{"forest-ties", "y2", "forest", "trees=2", "", true, ""},
		{"forest-binary", "y2", "forest", "trees=10", "", false, ""},
		{"forest-leaves", "y01", "forest", "trees=9 min_leaf=3 vote=probability", "", false, ""},
		{"forest-booleans", "yb", "forest", "trees=10 min_leaf=5", "", false, ""},
		{"forest-threshold", "y2", "forest", "trees=10", "--threshold-for f1", false, ""},
		{"forest-classes", "y3", "forest", "trees=10 min_leaf=5", "", true, ""},
		{"forest-integer-classes", "y3i", "forest", "trees=4", "", false, ""},
		{"forest-number", "yr", "forest", "trees=10", "", true, ""},
		{"forest-quantiles", "yr", "forest", "trees=5 quantiles=true", "", false, ""},
		{"extratrees-binary", "y2", "extratrees", "trees=10", "", false, ""},
		{"extratrees-classes", "y3", "extratrees", "trees=4", "", true, ""},
		{"extratrees-number", "yr", "extratrees", "trees=4", "", false, ""},
		{"bag-binary", "y2", "bag", "members=4", "", true, ""},
		{"bag-classes", "y3", "bag", "members=4", "", false, ""},
		{"bag-number", "yr", "bag", "members=4", "", false, ""},
		{"bag-boosted", "y2", "bag", "members=2 base=gbm base.trees=3 base.rehearse=false", "", false, ""},
		{"vote-binary", "y2", "vote", "members=cart,forest members.forest.trees=3", "", false, ""},
		{"vote-weights", "y2", "vote", "members=cart,forest members.forest.trees=3 weights=cart=2", "", false, ""},
		{"vote-majority", "y3", "vote", "vote=majority members=cart,forest members.forest.trees=3", "", true, ""},
		{"vote-number", "yr", "vote", "members=cart,forest members.forest.trees=3", "", false, ""},
		{"adaboost-binary", "y2", "adaboost", "rounds=6", "", true, ""},
		{"adaboost-classes", "y3", "adaboost", "rounds=6", "", false, ""},
		{"adaboost-real", "y2", "adaboost", "rounds=6 variant=real", "", true, ""},
		{"adaboost-gentle", "yb", "adaboost", "rounds=6 variant=gentle", "", false, ""},
		{"adaboost-number", "yr", "adaboost", "rounds=6", "", false, ""},
		{"logitboost-binary", "y2", "logitboost", "rounds=6", "", false, ""},
		{"logitboost-classes", "y3", "logitboost", "rounds=6", "", false, ""},
		{"anyboost-binary", "y2", "anyboost", "rounds=6", "", false, ""},
		{"anyboost-classes", "y3", "anyboost", "rounds=6", "", false, ""},
		{"anyboost-number", "yr", "anyboost", "rounds=6", "", false, ""},
		{"calibrate", "y2", "calibrate", "", "", false, ""},
		{"calibrate-threshold", "y2", "calibrate", "threshold_for=f1 method=none", "", false, ""},
		{"stack", "y2", "stack", "members=cart,bayes", "", false, ""},
		{"portfolio", "y2", "portfolio", "budget=2", "", false, ""},
		{"isolation", "", "isolation", "trees=3", "", false, ""},
		{"id3", "y2", "id3", "", "--ignore x1,x2,x3,c1,c2 --categorical c3", false, ""},
		{"c45", "y2", "c45", "", "", false, ""},
		{"rules", "y2", "rules", "", "", false, ""},
		{"knn", "y2", "knn", "", "", false, ""},
		{"linear", "yr", "linear", "", "", false, ""},
		{"svm", "y2", "svm", "", "", false, ""},
		{"logistic", "y2", "logistic", "", "", false, ""},
		{"bayes", "y2", "bayes", "", "", false, ""},
		{"network", "y2", "network", "", "", false, ""},
	}
}

// labels are the columns of the table that cases predict.
var labels = []string{"y2", "y01", "yb", "y3", "y3i", "yr", "yp"}

// writeTable writes the table that cases are trained on: 300 rows of decimals, large integers,
// numbers with many zeros, and categories of texts and of integers, some of them missing.
func writeTable(path string) error {
	r := rng.New(5)
	colors := []string{"red", "green", "blue", "zebra é"}
	var b strings.Builder
	b.WriteString("x1,x2,x3,c1,c2,c3," + strings.Join(labels, ",") + "\n")
	for range 300 {
		x1, x2, x3 := float64(int(200*r.Float64()))/10-10, float64(int(1e6*r.Float64())), 0.0
		if r.Float64() < 0.4 {
			x3 = r.Float64()
		}
		c1, c2 := int(4*r.Float64()), int(40*r.Float64())
		s := x1/5 + 3*x3 + float64(c1) - 1.5 + float64(c2%3) - 1 + 3*(r.Float64()-0.5)
		if x2 > 6e5 {
			s -= 2
		}
		text := func(v any, missing float64) string {
			if r.Float64() < missing {
				return ""
			}
			return fmt.Sprint(v)
		}
		three := min(max(int(s+1.5), 0), 2)
		yes := s > 0
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%d,%s,%d,%v,%s,%d,%v,%d\n", text(x1, 0.05), text(int(x2), 0),
			text(x3, 0.02), text(colors[c1], 0.05), text(fmt.Sprintf("k%02d", c2), 0.02), []int{3, 7, 11, 40}[c2%4],
			map[bool]string{true: "yes", false: "no"}[yes], map[bool]int{true: 1}[yes], yes,
			[]string{"low", "mid", "top"}[three], 10*(three+1), s+r.Float64(), max(0, int(2*s)))
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}
