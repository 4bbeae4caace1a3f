package loss

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/param"
)

// Curvature describes what the h of Objective.Gradients is.
type Curvature uint8

// The kinds of h.
const (
	Exact Curvature = iota // the second derivative
	Bound                  // a stand-in that is nowhere less than the second derivative
)

// Entry is a loss as it stands in the table.
type Entry struct {
	Name      string
	Help      string
	Tasks     []data.Task // the tasks it fits
	Curvature Curvature
	New       func() Loss // with default parameters
}

// Table lists the losses. A new loss is a file and an entry here.
func Table() []Entry {
	numbers, two := []data.Task{data.Regression}, []data.Task{data.Binary}
	classes := []data.Task{data.Binary, data.Multiclass}
	ranking := []data.Task{data.Ranking}
	survival := []data.Task{data.Survival}
	return []Entry{
		{"squared", "half the squared error: means", numbers, Exact, fresh[squaredLoss]},
		{"absolute", "absolute error: medians", numbers, Bound, fresh[absoluteLoss]},
		{"huber", "squared error, linear beyond delta", numbers, Bound, fresh[huberLoss]},
		{"pseudo_huber", "smooth form of huber", numbers, Exact, fresh[pseudoHuberLoss]},
		{"fair", "squared error near 0, grows almost linearly", numbers, Exact, fresh[fairLoss]},
		{"quantile", "pinball loss: quantiles, several at once without crossing", numbers, Bound,
			fresh[quantileLoss]},
		{"expectile", "asymmetric squared error: expectiles", numbers, Exact, fresh[expectileLoss]},
		{"mape", "absolute error as a fraction of the label", numbers, Bound, fresh[mapeLoss]},
		{"poisson", "half the Poisson deviance: counts and rates from 0 up", numbers, Exact,
			fresh[poissonLoss]},
		{"gamma", "half the gamma deviance: amounts above 0", numbers, Exact, fresh[gammaLoss]},
		{"tweedie", "half the Tweedie deviance: amounts, many of them 0", numbers, Exact,
			fresh[tweedieLoss]},
		{"squared_log", "half the squared error of log(1 + label): amounts of many sizes", numbers,
			Bound, fresh[squaredLogLoss]},
		{"logistic", "log loss of two classes", two, Exact, fresh[logisticLoss]},
		{"cross_entropy", "log loss of labels that are probabilities", numbers, Exact,
			fresh[crossEntropyLoss]},
		{"exponential", "AdaBoost's loss of two classes", two, Exact, fresh[exponentialLoss]},
		{"hinge", "margin of two classes, without probabilities", two, Bound, fresh[hingeLoss]},
		{"focal", "log loss of two classes, with less weight on rows that are classified well", two,
			Bound, fresh[focalLoss]},
		{"lambdamart", "order of the rows of a group, pairs by what they change of NDCG or MAP, " +
			"or all alike", ranking, Exact, fresh[lambdaMARTLoss]},
		{"xe_ndcg", "order of the rows of a group, cross entropy of softmax probabilities", ranking,
			Exact, fresh[xeNDCGLoss]},
		{"cox", "times to an event: hazards in proportion", survival, Exact, fresh[coxLoss]},
		{"aft", "times to an event, or between which ones it was: factors of the time", survival,
			Exact, fresh[aftLoss]},
		{"softmax", "log loss of any number of classes", classes, Bound, fresh[softmaxLoss]},
		{"one_vs_all", "log loss of each class against the others", classes, Exact,
			fresh[oneVsAllLoss]},
	}
}

// fresh makes a T with default parameters.
func fresh[T any, P interface {
	*T
	Loss
}]() Loss {
	l := P(new(T))
	l.Params().Reset()
	return l
}

// aliases are the names that other tools use for a loss with the same minimum. A metric such as
// rmse stands for the loss that it is minimised by.
var aliases = map[string]string{
	"mse": "squared", "rmse": "squared", "squared_error": "squared", "regression": "squared",
	"mae": "absolute", "absolute_error": "absolute",
	"pinball":     "quantile",
	"rmsle":       "squared_log",
	"log_loss":    "logistic",
	"logloss":     "logistic",
	"binary":      "logistic",
	"xentropy":    "cross_entropy",
	"multiclass":  "softmax",
	"multinomial": "softmax",
	"ova":         "one_vs_all",
	"lambdarank":  "lambdamart",
}

// Find returns the entry of a name or of an alias, and whether there is one.
func Find(name string) (Entry, bool) {
	if known, ok := aliases[name]; ok {
		name = known
	}
	return byName(name)
}

// New returns the loss of a name or an alias, with parameters:
//
//	l, err := loss.New("huber", "delta=2")
func New(name string, settings ...string) (Loss, error) {
	e, ok := Find(name)
	if !ok {
		return nil, param.Unknown("loss", name, Names())
	}
	l := e.New()
	return l, l.Params().Set(settings)
}

// byName returns the entry called name, and whether there is one.
func byName(name string) (Entry, bool) {
	return enum.Find(Table(), name, func(r Entry) string { return r.Name })
}

// Names returns the names of Table, in its order.
func Names() []string {
	return enum.NamesOf(Table(), func(r Entry) string { return r.Name })
}
