package metric

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// Metric is one entry of the table.
type Metric struct {
	Name   string
	Help   string
	Higher bool        // whether higher is better
	Tasks  []data.Task // the tasks it fits
	// of a sample that passes Check; the error is an *Undefined
	Func  func(s *Sample) (float64, error)
	begin begin // of rows that come in blocks; nil: Func needs all at once
}

// Fits reports whether the metric is one of a task.
func (m *Metric) Fits(task data.Task) bool { return slices.Contains(m.Tasks, task) }

// Range returns the least and the greatest value of a metric of this package, infinite where there
// is none.
func (m *Metric) Range() (least, greatest float64) {
	switch {
	case m.Name == "cost": // costs below 0 are gains
		return math.Inf(-1), math.Inf(1)
	case m.Name == "r2":
		return math.Inf(-1), 1
	case m.Name == "mcc":
		return -1, 1
	case m.Higher:
		return 0, 1
	}
	return 0, math.Inf(1)
}

// Table lists the metrics that are reported, in this order. A new metric is a file and an entry
// here, in Further or in families.
func Table() []Metric {
	classes := []data.Task{data.Binary, data.Multiclass}
	labels, binary := append(classes, data.Anomaly), classes[:1]
	two := []data.Task{data.Binary, data.Anomaly}
	values := []data.Task{data.Regression}
	ranking, survival := []data.Task{data.Ranking}, []data.Task{data.Survival}
	return []Metric{
		{"accuracy", "fraction of rows whose label is predicted", true, labels, Accuracy, newAccuracy},
		{"balanced_accuracy", "mean over the classes of the fraction of their rows whose label " +
			"is predicted", true, classes, BalancedAccuracy, newBalancedAccuracy},
		{"error", "fraction of rows whose label is not predicted (error rate)", false,
			labels, Error, newError},
		{"cost", "mean cost of the predicted labels, for models with costs", false, classes, Cost, newCost},
		{"f1", "harmonic mean of precision and recall of the positive class", true, binary, F1, newF1},
		{"mcc", "Matthews's correlation coefficient of class and predicted label", true,
			binary, MCC, newMCC},
		{"auc", "probability that a row of the positive class scores above one of the other",
			true, two, AUC, newAUC},
		{"average_precision", "area under the precision-recall curve (PR-AUC) of the positive " +
			"class, in steps", true, binary, AveragePrecision, newAveragePrecision},
		{"logloss", "mean of -log of the probability predicted for the true class", false,
			classes, LogLoss, newLogLoss},
		{"brier", "mean squared error of the probability predicted for the positive class", false,
			binary, Brier, newBrier},
		{"rmse", "square root of the mean squared error", false, values, RMSE, newRMSE},
		{"mae", "mean absolute error", false, values, MAE, newMAE},
		{"r2", "fraction of the label's variance that is explained", true, values, R2, newR2},
		{"pinball", "mean pinball loss of the quantiles that are predicted", false, values,
			QuantileLoss, newQuantileLoss},
		{"ndcg@10", "gains of the first 10 rows of a group against those of the best order", true,
			ranking, NDCG(10), newNDCG(10).begin},
		{"map@10", "mean precision of the first 10 rows of a group", true, ranking, MAP(10),
			newMAP(10).begin},
		{"mrr", "mean of 1 / the place of a group's first relevant row", true, ranking, MRR,
			mrr.begin},
		{"concordance", "fraction of the pairs of rows whose events are predicted in their order",
			true, survival, Concordance, nil},
	}
}

// OnRequest lists the metrics that are evaluated only where they are requested by name.
func OnRequest() []Metric {
	values := []data.Task{data.Regression}
	return []Metric{
		{"mape", "mean absolute error as a fraction of the label", false, values,
			single("mape", MAPE), nil},
		{"rmsle", "square root of the mean squared error of log(1 + label)", false, values,
			single("rmsle", RMSLE), nil},
		{"poisson_deviance", "mean Poisson deviance: counts", false, values,
			single("poisson_deviance", PoissonDeviance), nil},
		{"gamma_deviance", "mean gamma deviance: amounts above 0", false, values,
			single("gamma_deviance", GammaDeviance), nil},
	}
}

// family is metrics that differ by a number, which their names end in: "ndcg@5".
type family struct {
	stem   string
	number string // what it stands for
	at     func(number float64) (m Metric, ok bool)
}

func families() []family {
	ranking, values := []data.Task{data.Ranking}, []data.Task{data.Regression}
	places := func(of func(k int) func(*Sample) (float64, error),
		help string) func(float64) (Metric, bool) {
		return func(x float64) (Metric, bool) {
			k := int(min(max(x, 0), math.MaxInt32))
			return Metric{"", help, true, ranking, of(k), nil}, k > 0 && float64(k) == x
		}
	}
	return []family{
		{"ndcg", "K", places(NDCG, "gains of the first rows of a group against those of "+
			"the best order")},
		{"map", "K", places(MAP, "mean precision of the first rows of a group")},
		{"pinball", "LEVEL", func(x float64) (Metric, bool) {
			return Metric{"", "mean pinball loss of a quantile", false, values,
				Pinball(x), nil}, x > 0 && x < 1
		}},
		{"tweedie_deviance", "POWER", func(x float64) (Metric, bool) {
			return Metric{"", "mean Tweedie deviance: amounts, many of them 0", false, values,
				single("tweedie_deviance", TweedieDeviance(x)), nil}, x > 1 && x < 2
		}},
	}
}

// Names lists what Lookup finds: the names of Table and Further, and of families such as "ndcg@K"
// with any number in the place of the capitals.
func Names() []string {
	var names []string
	for _, m := range append(Table(), OnRequest()...) {
		names = append(names, m.Name)
	}
	for _, f := range families() {
		names = append(names, f.stem+"@"+f.number)
	}
	return names
}

// single leaves a metric of one value per row undefined where several are predicted.
func single(metric string, of func(s *Sample) (float64, error)) func(s *Sample) (float64, error) {
	return func(s *Sample) (float64, error) {
		if s.Width != 1 {
			return 0, &Undefined{metric, "several quantiles are predicted"}
		}
		return of(s)
	}
}

// ForTask lists the metrics that fit a task.
func ForTask(task data.Task) []Metric {
	return slices.DeleteFunc(Table(), func(m Metric) bool { return !m.Fits(task) })
}

// Lookup returns the metric called name, which may be one of Further or of a family, such as
// "ndcg@5" or "pinball@0.9"; false if there is none.
func Lookup(name string) (Metric, bool) {
	for _, m := range append(Table(), OnRequest()...) {
		if m.Name == name {
			return m, true
		}
	}
	stem, text, _ := strings.Cut(name, "@")
	number, err := strconv.ParseFloat(text, 64)
	for _, f := range families() {
		if f.stem == stem && err == nil {
			m, ok := f.at(number)
			m.Name = name
			return m, ok
		}
	}
	return Metric{}, false
}
