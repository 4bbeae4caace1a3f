package lightgbm

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/model"
)

// objective is what LightGBM stores of the loss: what makes a response of scores.
type objective struct {
	name    string  // "" for none: the response is the raw score
	classes int     // num_class of multi-class objectives
	sigmoid float64 // the factor of logistic objectives; 1 where none is stored
	sqrt    bool    // reg_sqrt: training was on the square root of the label
	text    string  // as the file has it
}

// response is how an objective makes a response of scores.
type response uint8

// The responses.
const (
	identity     response = iota
	sigmoid               // 1 / (1 + exp(-factor x))
	softmax               // of all scores
	exponential           // exp(x)
	softplus              // log(1 + exp(x))
	signedSquare          // x |x|
)

// kind is what an objective predicts.
type kind struct {
	link     response
	binary   bool // one score for two classes
	perClass bool // a score for each class
	ranks    bool // scores order the rows of a query
	factor   bool // has sigmoid
}

// kinds has the objectives of all versions, by the name that LightGBM stores.
var kinds = map[string]kind{
	"":                     {},
	"custom":               {},
	"regression":           {},
	"regression_l1":        {},
	"huber":                {},
	"fair":                 {},
	"quantile":             {},
	"quantile_l2":          {},
	"mape":                 {},
	"poisson":              {link: exponential},
	"gamma":                {link: exponential},
	"tweedie":              {link: exponential},
	"binary":               {link: sigmoid, binary: true, factor: true},
	"multiclass":           {link: softmax, perClass: true},
	"multiclassova":        {link: sigmoid, perClass: true, factor: true},
	"cross_entropy":        {link: sigmoid},
	"cross_entropy_lambda": {link: softplus},
	"lambdarank":           {ranks: true},
	"rank_xendcg":          {ranks: true},
}

// aliases are other names of objectives that LightGBM reads.
var aliases = map[string]string{
	"regression_l2": "regression", "mean_squared_error": "regression", "mse": "regression",
	"l2": "regression", "l2_root": "regression", "root_mean_squared_error": "regression",
	"rmse": "regression", "mean_absolute_error": "regression_l1", "l1": "regression_l1",
	"mae": "regression_l1", "softmax": "multiclass", "multiclass_ova": "multiclassova",
	"ova": "multiclassova", "ovr": "multiclassova", "xentropy": "cross_entropy",
	"xentlambda": "cross_entropy_lambda", "mean_absolute_percentage_error": "mape",
	"xendcg": "rank_xendcg", "xe_ndcg": "rank_xendcg", "xe_ndcg_mart": "rank_xendcg",
	"xendcg_mart": "rank_xendcg", "none": "custom", "null": "custom", "na": "custom",
}

// setObjective reads an objective with its parameters, such as "multiclassova num_class:3
// sigmoid:1".
func (f *file) setObjective(text string) (err error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return nil
	}
	o := objective{name: words[0], sigmoid: 1, text: strings.Join(words, " ")}
	if name := aliases[o.name]; name != "" {
		o.name = name
	}
	k, known := kinds[o.name]
	if !known {
		return f.unsupported("unknown objective %.50q", o.name)
	}
	for _, w := range words[1:] {
		key, value, _ := strings.Cut(w, ":")
		switch key {
		case "num_class":
			o.classes, err = strconv.Atoi(value)
		case "sigmoid":
			o.sigmoid, err = strconv.ParseFloat(value, 64)
		case "sqrt":
			o.sqrt = k.link == identity && !k.ranks
		}
		if err != nil {
			return fmt.Errorf("%s: no number", w)
		}
	}
	if !(o.sigmoid > 0 && o.sigmoid <= math.MaxFloat64) {
		return fmt.Errorf("sigmoid %v is not a positive number", o.sigmoid)
	}
	if k.perClass && o.classes < 2 {
		return fmt.Errorf("an objective for %d classes", o.classes)
	}
	f.objective = o
	return nil
}

// kind returns what the objective predicts.
func (o *objective) kind() kind {
	k := kinds[o.name]
	if o.sqrt {
		k.link = signedSquare
	}
	return k
}

// like returns the objective of the file that a model comes from, if it makes the same responses of
// scores as a chosen one, else that one. Trainings that continue depend on it: regression_l1 and
// tweedie stay what they are.
func like(o *model.Origin, chosen string) string {
	if o == nil || o.Tool != tool || strings.Join(strings.Fields(o.Objective), " ") != o.Objective {
		return chosen
	}
	var a, b file
	if o.Objective == "" || chosen == "" || a.setObjective(o.Objective) != nil || b.setObjective(chosen) != nil {
		return chosen
	}
	x, y := &a.objective, &b.objective
	if x.kind() != y.kind() || x.sigmoid != y.sigmoid || x.classes != y.classes {
		return chosen
	}
	return o.Objective
}

// link returns how the model makes a response of scores. Random forests of version v2 have none:
// their leaves hold responses, and their mean is the response.
func (f *file) link() response {
	if f.average && f.version == "v2" {
		return identity
	}
	return f.objective.kind().link
}
