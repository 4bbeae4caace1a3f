package loss

import "github.com/coppice-ml/coppice/data"

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
		{"squared", "half the squared error: means", numbers, Exact, fresh[Squared]},
		{"absolute", "absolute error: medians", numbers, Bound, fresh[Absolute]},
		{"huber", "squared error, linear beyond delta", numbers, Bound, fresh[Huber]},
		{"pseudo_huber", "smooth form of huber", numbers, Exact, fresh[PseudoHuber]},
		{"fair", "squared error near 0, grows almost linearly", numbers, Exact, fresh[Fair]},
		{"quantile", "pinball loss: quantiles, several at once without crossing", numbers, Bound,
			fresh[Quantile]},
		{"expectile", "asymmetric squared error: expectiles", numbers, Exact, fresh[Expectile]},
		{"mape", "absolute error as a fraction of the label", numbers, Bound, fresh[MAPE]},
		{"poisson", "half the Poisson deviance: counts and rates from 0 up", numbers, Exact,
			fresh[Poisson]},
		{"gamma", "half the gamma deviance: amounts above 0", numbers, Exact, fresh[Gamma]},
		{"tweedie", "half the Tweedie deviance: amounts, many of them 0", numbers, Exact,
			fresh[Tweedie]},
		{"squared_log", "half the squared error of log(1 + label): amounts of many sizes", numbers,
			Bound, fresh[SquaredLog]},
		{"logistic", "log loss of two classes", two, Exact, fresh[Logistic]},
		{"cross_entropy", "log loss of labels that are probabilities", numbers, Exact,
			fresh[CrossEntropy]},
		{"exponential", "AdaBoost's loss of two classes", two, Exact, fresh[Exponential]},
		{"hinge", "margin of two classes, without probabilities", two, Bound, fresh[Hinge]},
		{"focal", "log loss of two classes, with less weight on rows that are classified well", two,
			Bound, fresh[Focal]},
		{"lambdamart", "order of the rows of a group, pairs by what they change of NDCG or MAP, " +
			"or all alike", ranking, Exact, fresh[LambdaMART]},
		{"xe_ndcg", "order of the rows of a group, cross entropy of softmax probabilities", ranking,
			Exact, fresh[XENDCG]},
		{"cox", "times to an event: hazards in proportion", survival, Exact, fresh[Cox]},
		{"aft", "times to an event, or between which ones it was: factors of the time", survival,
			Exact, fresh[AFT]},
		{"softmax", "log loss of any number of classes", classes, Bound, fresh[Softmax]},
		{"one_vs_all", "log loss of each class against the others", classes, Exact,
			fresh[OneVsAll]},
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

// byName returns the entry called name, and whether there is one.
func byName(name string) (Entry, bool) {
	for _, r := range Table() {
		if r.Name == name {
			return r, true
		}
	}
	return Entry{}, false
}

// Names returns the names of Table, in its order.
func Names() []string {
	var names []string
	for _, e := range Table() {
		names = append(names, e.Name)
	}
	return names
}
