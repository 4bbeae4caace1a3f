package codectest

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// Models returns models that differ in everything a format has to store: Tiny, Full, Scores, Pool,
// Inclined, Derived, Quartiles, Covered, Refusing, an ensemble without trees, rules, committees,
// linear models, neighbours, calibrated models, and some random ones.
func Models() []model.Model {
	empty := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Learner: "none"},
		Bias: []float64{1.5}}
	models := []model.Model{Tiny(), Full(), Scores(), Pool(), Inclined(), Derived(), Nonzero(),
		Combined(), Quartiles(),
		Covered(), Imported(), empty, TinyRules(), FullRules(), TinyCommittee(), FullCommittee(),
		SumCommittee(),
		FullRanks(), TinyStack(), FullStack(), TinyLinear(), FullLinear(), TinyBayes(), FullBayes(),
		TinyNeighbours(), FullNeighbours(), MeanNeighbours(), TinyNetwork(), FullNetwork(),
		TinyMachine(), FullMachine(), TinyCalibrated(), FullCalibrated(), Dated(), DatedCommittee(),
		Texted(), Refusing(), Profiled(), Discreet(),
	}
	for seed := range 5 {
		models = append(models, Ensemble().Example(seed))
	}
	for seed := range 2 {
		models = append(models, Rules().Example(seed), Committees().Example(seed),
			Linear().Example(seed), Bayes().Example(seed), Neighbours().Example(seed),
			Networks().Example(seed), Machines().Example(seed), Calibrateds().Example(seed))
	}
	return models
}

// Tiny returns the smallest classification tree that is not trivial: one split point, two leaves.
//
//	x <= 0.5 ?  no : yes
func Tiny() *model.Ensemble {
	b := tree.NewBuilder(tree.Counts, 2, false)
	b.SetValue(0, []float64{3, 2})
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5,
		Missing: tree.MissingLast})
	b.SetValue(first, []float64{3, 0})
	b.SetValue(first+1, []float64{0, 2})
	return &model.Ensemble{
		Meta: model.Spec{
			Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}, Label: "y", Task: data.Binary,
			Classes: []string{"no", "yes"}, Learner: "cart", Params: json.RawMessage(`{"depth":1}`),
		},
		Trees:   []*tree.Tree{build(b)},
		Combine: model.Mean,
	}
}

// Scores returns the smallest model of anomalies: 2^-x of a path length, and the threshold that
// calls a score one.
//
//	x <= 0.5 ?  0.25 : 2
func Scores() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5,
		Missing: tree.MissingLast})
	b.SetValue(first, []float64{0.25})
	b.SetValue(first+1, []float64{2})
	return &model.Ensemble{
		Meta: model.Spec{
			Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}, Task: data.Anomaly,
			Classes: []string{"normal", "anomaly"},
			Learner: "isolation", Decision: model.Decision{Threshold: 0.5000000000000001},
		},
		Trees: []*tree.Tree{build(b)}, Combine: model.Mean, Link: link.Halving(),
	}
}

// Pool returns the smallest quantile forest: two trees whose leaves keep the training values 1, 2
// and 4, in the second with weights.
//
//	x <= 0.5 ?  1 2 2 : 4,  and 1 (weight 0.5), 4 (weight 2)
func Pool() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5,
		Missing: tree.MissingLast})
	b.SetValue(first, []float64{5. / 3})
	b.SetValue(first+1, []float64{4})
	plain := build(b).Compact()
	plain.Leaf.Samples = &tree.Samples{At: []int32{0, 3, 4}, Rank: []uint32{0, 1, 1, 2}}
	b = tree.NewBuilder(tree.Scalar, 1, false)
	b.SetValue(0, []float64{3.4})
	weighted := build(b)
	weighted.Leaf.Samples = &tree.Samples{At: []int32{0, 2}, Rank: []uint32{0, 2},
		Weight: []float64{0.5, 2}}
	return &model.Ensemble{
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{{Name: "x"}}}, Label: "y",
			Task: data.Regression, Learner: "forest"},
		Trees: []*tree.Tree{plain, weighted}, Combine: model.Pool, Targets: []float64{1, 2, 4},
	}
}

// Inclined returns a small ensemble with equations: a tree whose leaves have one each, and one
// without any.
//
//	x <= 0.5 ?  0.25 + 2 x - y (else 3) : 1 - 0.5 y (else 4),  and 10
func Inclined() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5,
		Missing: tree.MissingLast})
	b.SetValue(first, []float64{3})
	b.SetLinear(first, 0.25, []tree.Term{{Feature: 0, Coef: 2}, {Feature: 1, Coef: -1}})
	b.SetValue(first+1, []float64{4})
	b.SetLinear(first+1, 1, []tree.Term{{Feature: 1, Coef: -0.5}})
	plain := tree.NewBuilder(tree.Scalar, 1, false)
	plain.SetValue(0, []float64{10})
	return &model.Ensemble{
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "y"},
			{Name: "c", Kind: data.Categorical, Levels: []string{"p"}}}},
			Label: "z", Task: data.Regression, Learner: "gbm"},
		Trees: []*tree.Tree{build(b).Compact(), build(plain)},
	}
}

// Covered returns a small forest with training covers: of counted rows, of weights, and none.
//
//	x <= 0.5 ?  3 rows : 300 rows,  weight 0.5 : weight 1.25,  unknown
func Covered() *model.Ensemble {
	e := &model.Ensemble{Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{{Name: "x"}}},
		Label: "y", Task: data.Regression, Learner: "forest"}, Combine: model.Mean}
	for _, covers := range [][]float64{{3, 300}, {0.5, 1.25}, nil} {
		b := tree.NewLeafBuilder(tree.Scalar, 1)
		first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5})
		for i, value := range []float64{-1, 2} {
			b.SetValue(first+int32(i), []float64{value})
			if covers != nil {
				b.SetCover(first+int32(i), covers[i])
			}
		}
		e.Trees = append(e.Trees, build(b).Compact())
	}
	return e
}

// Imported returns a small ensemble as readers of other tools' files make it: two rounds of two
// trees for one output, of which predictions use the first, with the tool's leaf numbers.
//
//	x <= 0.5 ?  1 : 2,  and 10;  then  x <= 0.5 ?  4 : 8,  and 20
func Imported() *model.Ensemble {
	e := &model.Ensemble{Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{{Name: "x"}}},
		Label: "y", Task: data.Regression, Learner: "xgboost"}, Rounds: []int32{0, 2}, Best: 1,
		Origin: &model.Origin{Tool: "XGBoost", Version: "3.1.0", Gain: []float64{17.5},
			Objective: "reg:squarederror", Categories: []string{"text"},
			Settings: map[string]string{"attributes/best_score": "0.5"},
			Certificate: &model.Certificate{FromTool: true, Output: "raw", Rows: 7, Splits: 2,
				Probed: 1, Unprobed: []string{"1 split at x"}, Leaves: true, Largest: 1e-7,
				Allowed: 1e-6,
				Probes:  []float64{0.5, 3}, Expected: []float64{11, 12}}}}
	for i := range 2 {
		split, plain := tree.NewLeafBuilder(tree.Scalar, 1), tree.NewLeafBuilder(tree.Scalar, 1)
		first := split.Split(0, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 0.5})
		split.SetValue(first, []float64{float64(int(1) << (2 * i))})
		split.SetValue(first+1, []float64{float64(int(2) << (2 * i))})
		plain.SetValue(0, []float64{float64(10 * (i + 1))})
		e.Trees = append(e.Trees, build(split).Compact(), build(plain).Compact())
		e.Origin.Leaf = append(e.Origin.Leaf, []int32{-1, 7, 3}, []int32{0})
	}
	return e
}

// Quartiles returns an ensemble without trees that predicts two quantiles. Columns had all roles in
// its training.
func Quartiles() *model.Ensemble {
	return &model.Ensemble{
		Meta: model.Spec{Label: "z", Task: data.Regression, Learner: "gbm",
			Schema: data.Schema{AbsentValues: data.AbsentMissing, FirstIndex: data.FirstOne,
				TokensOf: map[string][]string{"größe\xff": {"-999", "\xff"}, "z": {}}},
			Roles: data.RoleColumns{Event: "e", Upper: "größe\xff", Group: "\"g\"", Weight: "w",
				Time: "t", Start: []string{"s\xff", "s2"}, Offset: "o\xff"},
			Quantiles: []float64{0.25, 0.75},
			TrainedOn: &model.TrainedOn{Seed: math.MaxUint64, Table: 0x1f},
			Study: &model.Study{Defaults: true, Metric: "rmse", Higher: true, Folds: 5, Trials: 3,
				Means: []model.StudyMean{{Trial: 1, Mean: 3}, {Trial: 2, Mean: 1.25}}, Best: []model.StudyTrial{
					{Trial: 2, Learner: "forest", Settings: []string{"trees=9", "mtry=0.2"}, Mean: 1.25},
					{Trial: 1, Learner: "cart", Settings: []string{}, Mean: 3}}},
			Permutation: &model.Permutation{Set: "test", UsedFor: "pruning\xff", Rows: 7,
				Metric: "auc", Higher: true, Value: 0.1, Repeats: 5,
				Columns: []model.Permuted{{Name: "d\xff", Columns: []string{"größe\xff", "y"},
					Drop: 5e-324, StdError: 1e-3}, {Name: "empty", Drop: -0.25}}}},
		Bias: []float64{-1, 1}, Link: link.Ascending(),
	}
}

// Derived returns a small ensemble with derived columns: the target statistic of two columns, whose
// table is split on, and of one of two outputs of another, which is not; and a count.
//
//	ts(a+b) <= 0.5 ?  -1 : (count(a+b) <= 1 ? 2 : 3)
func Derived() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 3, SplitPoint: 0.5})
	b.SetValue(first, []float64{-1})
	second := b.Split(first+1, tree.Split{Kind: tree.Numeric, Feature: 5, SplitPoint: 1,
		Missing: tree.MissingLast})
	b.SetValue(second, []float64{2})
	b.SetValue(second+1, []float64{3})
	return &model.Ensemble{
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{
			{Name: "a", Kind: data.Categorical, Levels: []string{"p", "q"}}, {Name: "x"},
			{Name: "b", Kind: data.Categorical, Levels: []string{"r", "s"}},
		}}, Label: "z", Task: data.Regression, Learner: "gbm"},
		Inputs: input.Set{
			Tables: []input.Table{
				{Source: []int32{0, 2}, Key: []uint64{1, 4, 8}, Count: []float64{1, 2, 0.5},
					Sum: []float64{1, 2, -0.25}},
				{Source: []int32{2}, Key: []uint64{0, 2}, Count: []float64{1, 2},
					Sum: []float64{1, 2, 3, 4}},
			},
			Columns: []input.Column{{Prior: 0.25, Weight: 1},
				{Table: 1, Output: 1, Prior: -1, Weight: 0.5}, {Kind: input.Count}},
		},
		Trees: []*tree.Tree{build(b)},
	}
}

// Nonzero returns a small ensemble with a column that is derived of a number.
//
//	nonzero(x) <= -2 or is missing ?  1 : (x <= 3 ? 2 : 4)
func Nonzero() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 2, SplitPoint: -2,
		Missing: tree.MissingFirst})
	b.SetValue(first, []float64{1})
	second := b.Split(first+1, tree.Split{Kind: tree.Numeric, Feature: 1, SplitPoint: 3})
	b.SetValue(second, []float64{2})
	b.SetValue(second+1, []float64{4})
	return &model.Ensemble{
		Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{{Name: "w"}, {Name: "x"}}},
			Label: "y", Task: data.Regression, Learner: "lightgbm"},
		Inputs: input.Set{Numbers: []input.Number{{Kind: input.Nonzero, Source: 1}}},
		Trees:  []*tree.Tree{build(b)},
	}
}

// Combined returns a small ensemble with columns of combinations: of the categories a and b, and of
// a, whether x is above 1.5 and whether b is "t". The categories of a are hashes, of "p" and "q".
//
//	statistic(a+b) <= 0.5 ?  1 : (statistic(a+x>1.5+b=t): 2 <= 3 ? 2 : 4)
func Combined() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: 3, SplitPoint: 0.5})
	b.SetValue(first, []float64{1})
	second := b.Split(first+1, tree.Split{Kind: tree.Numeric, Feature: 5, SplitPoint: 3})
	b.SetValue(second, []float64{2})
	b.SetValue(second+1, []float64{4})
	fields := []data.Field{
		{Name: "a", Kind: data.Categorical, Format: data.HashedLevels,
			Levels: []string{spelling.HashedLevel("p"), spelling.HashedLevel("q")}}, {Name: "x"},
		{Name: "b", Kind: data.Categorical, Levels: []string{"s", "t"}},
	}
	// the hashes of (p, s) and (q, t), and of q with x above 1.5 and b that is not t
	pairs := []uint64{0x898a2d7fca4fe298, 0xe06b33a241a08c44}
	one := []uint64{0xa0a0fde8b170b64c}
	return &model.Ensemble{
		Meta: model.Spec{Schema: data.Schema{Fields: fields}, Label: "y", Task: data.Regression,
			Learner: "catboost"},
		Inputs: input.Set{Combinations: []input.Combination{
			{Elements: []input.Element{{Source: 0}, {Source: 2}}, Key: pairs,
				Value: []float64{0.25, 0.75}, Absent: []float64{0.5}},
			{Elements: []input.Element{{Source: 0},
				{Kind: input.Above, Source: 1, SplitPoint: 1.5, Missing: true},
				{Kind: input.Equal, Source: 2, Code: 1}}, Key: one,
				Value: []float64{1, 5}, Absent: []float64{2, 3}},
		}},
		Trees: []*tree.Tree{build(b)},
	}
}

// Full returns an ensemble in which no field of any struct is zero, so that a test detects a format
// that omits one. Its texts are hard: not UTF-8, quotes, line ends, empty.
func Full() *model.Ensemble {
	t := fullTree()
	vector := tree.NewBuilder(tree.Vector, 2, false)
	vector.SetValue(0, []float64{math.MaxFloat64, math.Copysign(0, -1)})
	levels := make([]string, 66)
	for i := range levels {
		levels[i] = fmt.Sprintf("level %d", i)
	}
	levels[0], levels[1], levels[2], levels[65] = "", "\xff\xfe", "Straße, \"5\"\r\n",
		"<b>&amp;\u2028"
	return &model.Ensemble{
		Meta: model.Spec{
			Schema: data.Schema{Fields: []data.Field{
				{Name: "größe\xff", Kind: data.Numeric, Format: "1.234,5 €", Missing: data.Refuse,
					Unseen: data.Refuse},
				{Name: "a \"b\"\n<c>", Kind: data.Categorical, Levels: levels, Missing: data.Refuse,
					Unseen: data.Refuse},
				{Name: "empty", Kind: data.Categorical},
				{Name: "y", Kind: data.Numeric},
			}, Tokens: []string{"", "-999", "\xff"}},
			Label: "na\xefve", LabelFormat: "$1,234.5", Task: data.Multiclass,
			Classes: []string{"<=50K", "\xe9"}, Learner: "gbm",
			Params:  json.RawMessage(`{"depth": 3, "loss": "<>&\u2028", "big": 123456789012345678901234567890}`),
			Summary: json.RawMessage(`[1e-300, null]`),

			Decision: model.Decision{Costs: data.Costs{{0, 0.1}, {5e-324, 0}}},
		},
		Trees:   []*tree.Tree{t, build(vector).Compact()},
		Output:  []int32{1, -1},
		Combine: model.Mean,
		Weights: []float64{0.1, -0.25},
		Bias:    []float64{0.5, 1},
		Link:    link.Softmax(),
		State:   []byte("\x00state"),
	}
}

// fullTree returns a tree of all kinds of nodes and all missing rules.
//
//	0 set ? 1 : 2,  1 known ? 3 : 4,  2 oblique ? 5 : 6,  5 sphere ? 7 : 8,
//	6 by code 9 10 11,  11 set ? 12 : 13
func fullTree() *tree.Tree {
	b := tree.NewBuilder(tree.Scalar, 1, true)
	b.Split(0, tree.Split{Kind: tree.SetLast, Feature: 1, Set: []uint64{1<<63 | 5, 3},
		Missing: tree.MissingSurrogate, Gain: 1.25,
		Surrogates: []tree.Surrogate{
			{Kind: tree.Numeric, Feature: 3, SplitPoint: -0.5, Flip: true, Agree: 0.875,
				Adjusted: 0.75},
			{Kind: tree.SetFirst, Feature: 1, Set: []uint64{6, 1}, Agree: 0.625, Adjusted: 0.125},
		}})
	b.Split(1, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: math.Inf(1), Gain: 0.5,
		Missing: tree.MissingLast})
	b.Split(2, tree.Split{Kind: tree.Oblique, SplitPoint: 4,
		Direction: []tree.Term{{Feature: 0, Coef: 0.3}, {Feature: 3, Coef: -1.2}},
		Missing:   tree.MissingFractional})
	b.Split(5, tree.Split{Kind: tree.Sphere, SplitPoint: 2.25,
		Direction: []tree.Term{{Feature: 3, Coef: 2}}, Missing: tree.MissingStop})
	b.Split(6, tree.Split{Kind: tree.ByCode, Feature: 1, Arity: 3, Missing: tree.MissingMajority})
	b.Split(11, tree.Split{Kind: tree.SetFirst, Feature: 2, Missing: tree.MissingFirst})
	fraction := []float64{1, 0.25, 0.75, 1, 0, 0.1, 0.9, 0.5, 0.5, 0.25, 0.5, 0.25, 0, 1}
	for n := range int32(b.Len()) {
		b.SetValue(n, []float64{float64(n) - 1.5})
		b.SetStats(n, int(20-n), float64(19-n), 0.25*float64(n+1))
		b.SetFraction(n, fraction[n])
	}
	t := build(b)
	// Of the inner nodes only the root and that where rows stop keep a value.
	t.Leaf.Slot = []int32{0, -1, -1, 1, 2, 3, -1, 4, 5, 6, 7, -1, 8, 9}
	t.Leaf.Value = []float64{-1.5, 0.5, 1.5, math.SmallestNonzeroFloat64, 2, 2.5, 3, 3.5, 4, 4.5}
	return t
}

func build(b *tree.Builder) *tree.Tree {
	t, err := b.Build()
	if err != nil {
		panic(err) // the models of this file are valid
	}
	return t
}

// Refusing returns a small ensemble with leaves that have no prediction.
//
//	x <= 5, or missing ?  1 : (c of b, or missing ? 2 : none)
//	                      + (x <= 7, or missing ? 10 : none)
func Refusing() *model.Ensemble {
	b := tree.NewBuilder(tree.Scalar, 1, false)
	first := b.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: 5, Missing: tree.MissingFirst})
	b.SetValue(first, []float64{1})
	second := b.Split(first+1, tree.Split{Kind: tree.SetFirst, Feature: 1, Set: []uint64{2},
		Missing: tree.MissingFirst})
	b.SetValue(second, []float64{2})
	b.SetValue(second+1, []float64{0})
	c := tree.NewBuilder(tree.Scalar, 1, false)
	first = c.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: 7, Missing: tree.MissingFirst})
	c.SetValue(first, []float64{10})
	c.SetValue(first+1, []float64{0})
	fields := []data.Field{{Name: "x"}, {Name: "c", Kind: data.Categorical,
		Levels: []string{"a", "b"}}}
	return &model.Ensemble{
		Meta: model.Spec{Schema: data.Schema{Fields: fields}, Label: "y", Task: data.Regression,
			Learner: "pmml"},
		Trees:   []*tree.Tree{build(b), build(c)},
		Refused: []model.Refused{{Tree: 0, Leaf: 4}, {Tree: 1, Leaf: 2}},
	}
}
