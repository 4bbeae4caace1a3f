package metric

import (
	"fmt"
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
	begin begin // of rows that come in blocks; nil: the metric is none of this package
}

// entry returns a metric, whose function of a sample takes the sample as the only block.
func entry(name, help string, higher bool, tasks []data.Task, b begin) Metric {
	return Metric{name, help, higher, tasks, b.of, b}
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
	labels, binary, several := append(classes, data.Anomaly), classes[:1], classes[1:2]
	two := []data.Task{data.Binary, data.Anomaly}
	values := []data.Task{data.Regression}
	ranking, survival := []data.Task{data.Ranking}, []data.Task{data.Survival}
	return []Metric{
		entry(Accuracy, "fraction of rows whose label is predicted", true, labels, newAccuracy),
		entry(BalancedAccuracy, "mean over the classes of the fraction of their rows whose "+
			"label is predicted", true, classes, newBalancedAccuracy),
		entry(Top2Accuracy, "fraction of rows whose class is one of the 2 most probable ones",
			true, several, newTopK(2)),
		entry(ErrorRate, "fraction of rows whose label is not predicted (error rate)", false, labels,
			newError),
		entry(Cost, "mean cost of the predicted labels, for models with costs", false, classes,
			newCost),
		entry(F1, "harmonic mean of precision and recall of the positive class", true, binary,
			newF1),
		entry(MCC, "Matthews's correlation coefficient of class and predicted label", true,
			binary, newMCC),
		entry(AUC, "probability that a row of the positive class scores above one of the other",
			true, two, newAUC),
		entry(MacroAUC, "mean over several classes of the AUC of each against the rest (macro)",
			true, several, newAUCOfRest("roc_auc_ovr", false)),
		entry(AveragePrecision, "area under the precision-recall curve (PR-AUC) of the "+
			"positive class, in steps", true, binary, newAveragePrecision),
		entry(LogLoss, "mean of -log of the probability predicted for the true class", false,
			classes, newLogLoss),
		entry(Brier, "mean squared error of the probability predicted for the positive class",
			false, binary, newBrier),
		entry(RMSE, "square root of the mean squared error", false, values, newRMSE),
		entry(MAE, "mean absolute error", false, values, newMAE),
		entry(R2, "fraction of the label's variance that is explained", true, values, newR2),
		entry(Pinball, "mean pinball loss of the quantiles that are predicted", false, values,
			newQuantileLoss),
		entry(NDCG10, "gains of the first 10 rows of a group against those of the best order",
			true, ranking, newNDCG(10)),
		entry(MAP10, "mean precision of the first 10 rows of a group", true, ranking,
			newMAP(10)),
		entry(MRR, "mean of 1 / the place of a group's first relevant row", true, ranking, newMRR),
		entry(Concordance, "fraction of the pairs of rows whose events are predicted in their "+
			"order", true, survival, newConcordance),
	}
}

// OnRequest lists the metrics that are evaluated only where they are requested by name.
func OnRequest() []Metric {
	values := []data.Task{data.Regression}
	return []Metric{
		entry(WeightedAUC, "roc_auc_ovr with classes by their rows", true,
			[]data.Task{data.Multiclass}, newAUCOfRest("roc_auc_ovr_weighted", true)),
		entry(MAPE, "mean absolute error as a fraction of the label", false, values, newMAPE),
		entry(RMSLE, "square root of the mean squared error of log(1 + label)", false, values,
			newRMSLE),
		entry(PoissonDeviance, "mean Poisson deviance: counts", false, values,
			newPoissonDeviance),
		entry(GammaDeviance, "mean gamma deviance: amounts above 0", false, values,
			newGammaDeviance),
	}
}

// family is metrics that differ by a number, which their names end in: "ndcg@5".
type family struct {
	stem   string
	number string // what it stands for
	help   string
	higher bool
	task   data.Task
	fits   func(number float64) bool
	at     func(number float64) begin
}

func families() []family {
	place := func(x float64) bool { return x >= 1 && x == math.Trunc(x) && x <= math.MaxInt32 }
	return []family{
		{"top_k_accuracy", "K", "fraction of rows whose class is among the K most probable ones",
			true, data.Multiclass, place, func(k float64) begin { return newTopK(int(k)) }},
		{"ndcg", "K", "gains of the first rows of a group against those of the best order", true,
			data.Ranking, place, func(k float64) begin { return newNDCG(int(k)) }},
		{"map", "K", "mean precision of the first rows of a group", true,
			data.Ranking, place, func(k float64) begin { return newMAP(int(k)) }},
		{"pinball", "LEVEL", "mean pinball loss of a quantile", false,
			data.Regression, func(x float64) bool { return x > 0 && x < 1 }, newPinball},
		{"tweedie_deviance", "POWER", "mean Tweedie deviance: amounts, many of them 0", false,
			data.Regression, func(x float64) bool { return x > 1 && x < 2 }, newTweedieDeviance},
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
		if f.stem == stem && err == nil && f.fits(number) {
			return entry(name, f.help, f.higher, []data.Task{f.task}, f.at(number)), true
		}
	}
	return Metric{}, false
}

// Of returns a metric, which is called as in Lookup, of a sample that passes Check:
//
//	v, err := metric.Of("rmse", s)
//
// The error is an *Undefined, or reports that there is no such metric.
func Of(name string, s *Sample) (float64, error) {
	m, ok := Lookup(name)
	if !ok {
		return 0, fmt.Errorf("unknown metric %q: use one of %s", name, strings.Join(Names(), ", "))
	}
	return m.Func(s)
}
