package catalog_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/datatest"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

const seed = 7

func readTable(t *testing.T, file, label string) *data.Dataset {
	t.Helper()
	return datatest.Read(t, file, data.Roles{Label: label})
}

// trained trains a learner of the catalog.
func trained(t *testing.T, ds *data.Dataset, learner string, set ...string) model.Model {
	t.Helper()
	l, err := catalog.New(learner)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Params().Set(set); err != nil {
		t.Fatal(err)
	}
	return learntest.MustFit(t, catalog.Env(0), l, ds, learn.Job{Seed: seed, Rows: rowsOf(ds)})
}

// rowsOf returns the first rows of a large table, nil of a small one.
func rowsOf(ds *data.Dataset) []int32 {
	if ds.Rows() > 1000 {
		return data.AllRows(300)
	}
	return nil
}

// TestChosenIsBest: the split that a tree has is the best candidate, for each learner and criterion
// whose nodes try all columns. What branches sum up to gives the gain.
func TestChosenIsBest(t *testing.T) {
	for i, c := range []struct{ file, label, learner, set string }{
		{"iris/iris.csv", "species", "cart", "prune=none"},
		{"iris/iris.csv", "species", "cart", "prune=none min_leaf=7 criterion=entropy"},
		{"iris/iris.csv", "species", "cart", "prune=none criterion=gain_ratio"},
		{"iris/iris.csv", "species", "cart", "prune=none criterion=misclassification"},
		{"iris/iris.csv", "species", "cart", "prune=none criterion=hellinger"},
		{"iris/iris.csv", "species", "cart", "class_weight=Iris-virginica=3"},
		{"iris/iris.csv", "petal_width", "cart", "prune=none depth=4"},
		{"iris/iris.csv", "petal_width", "cart", "prune=none depth=4 criterion=poisson"},
		{"iris/iris.csv", "petal_width", "cart", "prune=none depth=4 criterion=absolute_error"},
		{"weather/weather.numeric.csv", "play", "cart", "prune=none missing=fractional"},
		{"weather/weather.nominal.csv", "play", "id3", ""},
		{"weather/weather.numeric.csv", "play", "c45", "prune=none"},
		{"weather/weather.numeric.csv", "play", "c45", "prune=none binary=true"},
		{"iris/iris.csv", "species", "c45", ""},
		{"iris/iris.csv", "species", "forest", "trees=3 mtry=all"},
		{"iris/iris.csv", "petal_width", "forest", "trees=3 mtry=all sample=none"},
		{"iris/iris.csv", "species", "adaboost", "rounds=6 base.depth=2"},
		{"iris/iris.csv", "petal_width", "adaboost", "rounds=4"},
		{"weather/weather.numeric.csv", "play", "adaboost",
			"rounds=5 base.criterion=misclassification"},
		{"weather/weather.numeric.csv", "play", "logitboost", "rounds=5"},
		{"iris/iris.csv", "petal_width", "anyboost", "rounds=5 base=cart"},
		{"iris/iris.csv", "species", "bag", "members=4 columns=0.5"},
		{"iris/iris.csv", "species", "bag", "members=3 columns=0.5 vote=majority"},
		{"iris/iris.csv", "species", "gbm", "trees=4 colsample=1"},
		{"adult/adult-train.csv.gz", "income", "cart", "prune=none depth=4"},
		{"adult/adult-train.csv.gz", "income", "cart", "prune=none missing=majority depth=4"},
		{"adult/adult-train.csv.gz", "income", "cart", "prune=none depth=4 chi2=0.05"},
		{"adult/adult-train.csv.gz", "income", "c45", "prune=none chi2=0.05"},
		{"adult/adult-train.csv.gz", "income", "gbm", "trees=3 compat=xgboost colsample=0.5"},
		{"adult/adult-train.csv.gz", "income", "gbm", "trees=2 categories=ordinal depth=4"},
		{"adult/adult-train.csv.gz", "income", "gbm",
			"trees=2 compat=lightgbm categories=ordinal min_leaf=20"},
		{"iris/iris.csv", "petal_width", "gbm", "trees=3 monotone=sepal_width=-1 depth=1"},
		{"iris/iris.csv", "species", "gbm", "trees=3 multi_output=true depth=3"},
		{"iris/iris.csv", "petal_width", "gbm", "trees=5 subsample=0.5"},
		{"iris/iris.csv", "petal_width", "gbm", "trees=4 l1=1 max_delta_step=0.2 min_leaf=5"},
		{"adult/adult-train.csv.gz", "income", "gbm", "trees=3 one_hot=20 colsample=1 depth=3"},
		{"adult/adult-train.csv.gz", "income", "gbm", "trees=2 colsample=1 depth=3"},
		{"lectures/xgboost_regression.csv", "y", "gbm",
			"trees=2 l2=0 base_score=0.5 compat=xgboost-exact categories=native"},
	} {
		if i%tier.Count(2, 1, 1) > 0 {
			continue
		}
		t.Run(strings.Join([]string{c.learner, c.file, c.set}, " "), func(t *testing.T) {
			ds := readTable(t, c.file, c.label)
			m := trained(t, ds, c.learner, strings.Fields(c.set)...)
			_, _, trees := catalog.TreeAt(m, 0)
			for i := range trees {
				grown, _, _ := catalog.TreeAt(m, i)
				for n := range int32(grown.Len()) {
					if grown.Kind(n) != tree.Leaf {
						checkNode(t, m, ds, i, n)
					}
				}
			}
		})
	}
}

// checkNode compares the candidates of a node of a model with the tree.
func checkNode(t *testing.T, m model.Model, ds *data.Dataset, at int, n int32) {
	t.Helper()
	c, err := catalog.Candidates(context.Background(), m, ds,
		learn.TreeNode{Tree: at, Node: n, Seed: seed, Rows: rowsOf(ds)})
	if err != nil {
		t.Fatalf("tree %d, node %d: %v", at, n, err)
	}
	grown, _, _ := catalog.TreeAt(m, at)
	column, chosen := c.Find()
	if chosen == nil || column != int(grown.Feature(n)) {
		t.Fatalf("tree %d, node %d: the candidate %+v of column %d, the tree splits by %d", at, n,
			chosen, column, grown.Feature(n))
	}
	if worth := func(k *tree.Candidate) float64 {
		if c.ByRatio {
			return k.Ratio
		}
		return k.Gain
	}; !chosen.Best || column != c.Best {
		best := bestOf(c)
		if best == nil || worth(best)-worth(chosen) > 1e-9*(1+math.Abs(worth(best))) {
			t.Errorf("tree %d, node %d: the tree's split %+v is not the best, %+v", at, n, chosen,
				best)
		}
	}
	if covers := grown.Covers(); covers != nil &&
		math.Abs(covers[n]-c.Whole.Weight) > 1e-6*covers[n] {
		t.Errorf("tree %d, node %d: weight %g, training had %g", at, n, c.Whole.Weight, covers[n])
	}
	gain := chosen.Gain
	if c.ByRatio { // C4.5 corrects gains of numbers
		gain = chosen.Ratio * chosen.SplitInfo * c.Whole.Weight
	}
	if s := grown.Stats; s != nil && math.Abs(s.Gain[n]-gain) > 1e-6*(1+s.Gain[n]) {
		t.Errorf("tree %d, node %d: gain %g, training had %g", at, n, gain, s.Gain[n])
	}
	for _, list := range c.Columns {
		for k := range list {
			checkSums(t, c, &list[k])
		}
	}
}

func bestOf(c *tree.Candidates) *tree.Candidate {
	if c.Best < 0 {
		return nil
	}
	for k := range c.Columns[c.Best] {
		if c.Columns[c.Best][k].Best {
			return &c.Columns[c.Best][k]
		}
	}
	return nil
}

// checkSums compares a candidate with its branches.
func checkSums(t *testing.T, c *tree.Candidates, k *tree.Candidate) {
	t.Helper()
	rows, weight, gain := 0, 0.0, c.Whole.Score
	if c.Criterion != "" {
		gain = c.Whole.Impurity * c.Whole.Weight
	}
	for _, b := range k.Branches {
		rows += b.Rows
		weight += b.Weight
		if gain -= b.Impurity * b.Weight; c.Criterion == "" {
			gain -= b.Score
		}
	}
	if c.Criterion == "" {
		gain = -gain
	}
	if k.Missing > tree.MissingLast && rows < c.Whole.Rows {
		return // judged by the rows with a value
	}
	if rows != c.Whole.Rows || math.Abs(weight-c.Whole.Weight) > 1e-9*weight {
		t.Errorf("%d rows of weight %g of %d, %g: %+v", rows, weight, c.Whole.Rows,
			c.Whole.Weight, k)
	}
	if math.Abs(gain-k.Gain) > 1e-9*(1+math.Abs(gain)) {
		t.Errorf("the branches gain %g: %+v", gain, k)
	}
}

// TestWeatherByHand: the gains and gain ratios of Quinlan's table, as every textbook gives them.
func TestWeatherByHand(t *testing.T) {
	ds := readTable(t, "weather/weather.nominal.csv", "play")
	for _, learner := range []string{"id3", "c45"} {
		e := trained(t, ds, learner)
		c, err := catalog.Candidates(context.Background(), e, ds, learn.TreeNode{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, list := range c.Columns {
			got = append(got, fmt.Sprintf("%s %.3f %.3f %.3f", ds.Schema.Fields[i].Name,
				list[0].Gain/c.Whole.Weight, list[0].SplitInfo, list[0].Ratio))
		}
		want := []string{"outlook 0.247 1.577 0.156", "temperature 0.029 1.557 0.019",
			"humidity 0.152 1.000 0.152", "windy 0.048 0.985 0.049"}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("%s: %q", learner, got)
		}
		if c.Whole.Rows != 14 || fmt.Sprintf("%.3f", c.Whole.Impurity) != "0.940" {
			t.Errorf("%s: %+v", learner, c.Whole)
		}
	}
}

// TestFourRowsByHand: the scores, gains and values of the four rows with which XGBoost is taught:
// residuals -11.5, 6.5, 7.5 and -8.5 at 10, 20, 25 and 35, without a penalty; and the four rows of
// two classes, whose residuals are -0.5, 0.5, 0.5 and -0.5.
func TestFourRowsByHand(t *testing.T) {
	set := []string{"trees=1", "l2=0", "base_score=0.5", "depth=2", "compat=xgboost-exact",
		"categories=native", "learning_rate=0.3", "min_child_weight=0"}
	numbers := readTable(t, "lectures/xgboost_regression.csv", "y")
	classes := readTable(t, "lectures/xgboost_classification.csv", "y")
	for _, c := range []struct {
		ds   *data.Dataset
		node int32
		want []string
	}{
		{numbers, 0, []string{"S 9.00", "15.0: 132.25 + 10.08, gain 133.33, O -11.50 and 1.83",
			"22.5: 12.50 + 0.50, gain 4.00, O -2.50 and -0.50",
			"30.0: 2.08 + 72.25, gain 65.33, O 0.83 and -8.50"}},
		{numbers, 2, []string{"S 10.08", "22.5: 42.25 + 0.50, gain 32.67, O 6.50 and -0.50",
			"30.0: 98.00 + 72.25, gain 160.17, O 7.00 and -8.50"}},
		{classes, 0, []string{"S 0.00", "15.0: 1.00 + 0.33, gain 1.33, O -2.00 and 0.67",
			"22.5: 0.00 + 0.00, gain 0.00, O 0.00 and 0.00",
			"30.0: 0.33 + 1.00, gain 1.33, O 0.67 and -2.00"}},
	} {
		m := trained(t, c.ds, "gbm", set...)
		listed, err := catalog.Candidates(context.Background(), m, c.ds,
			learn.TreeNode{Node: c.node})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{fmt.Sprintf("S %.2f", listed.Whole.Score)}
		for _, k := range listed.Columns[0] {
			a, b := k.Branches[0], k.Branches[1]
			got = append(got, fmt.Sprintf("%.1f: %.2f + %.2f, gain %.2f, O %.2f and %.2f",
				k.SplitPoint, a.Score, b.Score, k.Gain, a.Value[0], b.Value[0]))
		}
		if strings.Join(got, "; ") != strings.Join(c.want, "; ") {
			t.Errorf("%s, node %d: %q", c.ds.Target.Task, c.node, got)
		}
	}
}

// TestOtherRows: where the table or the seed is not that of the training, notes name it, or an
// error.
func TestOtherRows(t *testing.T) {
	iris := readTable(t, "iris/iris.csv", "species")
	widths := readTable(t, "iris/iris.csv", "petal_width")
	for _, c := range []struct {
		ds           *data.Dataset
		learner, set string
		at           learn.TreeNode
		want         string
	}{
		{iris, "cart", "", learn.TreeNode{Rows: data.AllRows(100)},
			"In training rows of weight 150 reached the node"},
		{iris, "forest", "trees=3", learn.TreeNode{Tree: 1, Seed: seed + 1},
			"All rows are used: those that tree 1 was grown on"},
		{iris, "adaboost", "rounds=3", learn.TreeNode{Tree: 1, Rows: data.AllRows(60)},
			"All rows count as the table weighs them"},
		{widths, "anyboost", "rounds=3 base=cart", learn.TreeNode{Tree: 2, Rows: data.AllRows(99)},
			"give the rows of the training, and its seed"},
		{iris, "knn", "", learn.TreeNode{}, "a model of learner knn has no trees"},
		{iris, "isolation", "trees=3", learn.TreeNode{}, "splits at random thresholds"},
		{iris, "cart", "", learn.TreeNode{Tree: 1}, "there is no tree 1: the model has the trees"},
		{iris, "cart", "", learn.TreeNode{Node: 99}, "there is no node 99: tree 0 has the nodes"},
		{widths, "cart", "", learn.TreeNode{Node: -1}, "there is no node -1"},
	} {
		m := trained(t, c.ds, c.learner, strings.Fields(c.set)...)
		listed, err := catalog.Candidates(context.Background(), m, c.ds, c.at)
		var got []string
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = listed.Notes
		}
		if !strings.Contains(strings.Join(got, " "), c.want) {
			t.Errorf("%s %+v: %q, want %q", c.learner, c.at.Tree, got, c.want)
		}
	}
	m := trained(t, iris, "cart")
	if _, err := catalog.Candidates(context.Background(), m, widths, learn.TreeNode{}); err == nil {
		t.Error("candidates on a table with another label")
	}
}
