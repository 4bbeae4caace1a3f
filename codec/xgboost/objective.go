package xgboost

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
)

// objective is what an objective of XGBoost means for predictions.
type objective struct {
	link link.Link
	task data.Task
	// margin maps a base_score of the file to a raw score, as XGBoost does, in single precision;
	// nil: they are the same
	margin func(base float32) float32
}

func logit(base float32) float32 { return 0 - float32(math.Log(float64(1/base-1))) }

func log(base float32) float32 { return float32(math.Log(float64(base))) }

// objectives are those of several versions, by name.
var objectives = map[string]objective{
	"reg:squarederror":     {link.Identity(), data.Regression, nil},
	"reg:linear":           {link.Identity(), data.Regression, nil},
	"reg:squaredlogerror":  {link.Identity(), data.Regression, nil},
	"reg:pseudohubererror": {link.Identity(), data.Regression, nil},
	"reg:absoluteerror":    {link.Identity(), data.Regression, nil},
	"reg:quantileerror":    {link.Identity(), data.Regression, nil},
	"reg:expectileerror":   {link.Identity(), data.Regression, nil},
	"reg:logistic":         {link.Logistic(), data.Regression, logit},
	"binary:logistic":      {link.Logistic(), data.Binary, logit},
	"binary:logitraw":      {link.Identity(), data.Regression, nil},
	"binary:hinge":         {link.Step(), data.Binary, nil},
	"count:poisson":        {link.Exp(), data.Regression, log},
	"reg:gamma":            {link.Exp(), data.Regression, log},
	"reg:tweedie":          {link.Exp(), data.Regression, log},
	"survival:cox":         {link.Hazard(), data.Survival, log},
	"survival:aft":         {link.Exp(), data.Survival, log},
	"multi:softmax":        {link.Softmax(), data.Multiclass, nil},
	"multi:softprob":       {link.Softmax(), data.Multiclass, nil},
	"rank:pairwise":        {link.Identity(), data.Ranking, nil},
	"rank:ndcg":            {link.Identity(), data.Ranking, nil},
	"rank:map":             {link.Identity(), data.Ranking, nil},
}

// plainObjectives are those that models with a link are written as, by the link: Hazard and Exp
// have objectives of their own, and no objective has the factor of a ScaledLogistic.
var plainObjectives = map[link.Link]string{
	link.Identity(): "reg:squarederror", link.Logistic(): "binary:logistic",
	link.Step(): "binary:hinge", link.Softmax(): "multi:softprob", link.Exp(): "count:poisson",
	link.Hazard(): "survival:cox", link.Ascending(): "reg:quantileerror",
}

// like are the objectives that XGBoost 1.7 predicts with as by another one, by name. Written models
// that come from XGBoost keep theirs: multi:softmax predicts labels, and others matter to trainings
// that continue.
var like = map[string]string{
	"reg:squaredlogerror": "reg:squarederror", "reg:pseudohubererror": "reg:squarederror",
	"reg:absoluteerror": "reg:squarederror", "binary:logitraw": "reg:squarederror",
	"reg:logistic": "binary:logistic", "reg:gamma": "count:poisson", "reg:tweedie": "count:poisson",
	"multi:softmax": "multi:softprob", "rank:ndcg": "rank:pairwise", "rank:map": "rank:pairwise",
}

// meaning returns the file's objective; an error names what no model of ours can hold.
func (f *file) meaning(in *input) objective {
	o, ok := objectives[f.objective]
	several := f.scores() > 1
	switch {
	case !ok:
		in.unsupported("the objective %.60q, which is not known", f.objective)
	case f.objective == "reg:expectileerror" && several:
		in.unsupported("reg:expectileerror of %d levels", f.scores())
	case f.objective == "reg:quantileerror" && several && f.since(3, 4):
		o.link = link.Ascending()
	case f.objective == "binary:logitraw" && !f.since(1, 4):
		o.margin = logit
	case o.task == data.Binary && f.classes > 2:
		in.corrupt("%s of %d classes", f.objective, f.classes)
	case o.task == data.Binary && several: // a probability for each of several targets
		o.task = data.Regression
	case (o.task == data.Multiclass) != (f.classes > 1):
		in.corrupt("%s of %d classes", f.objective, f.classes)
	}
	return o
}

// since reports whether a version of XGBoost or a later one wrote the file.
func (f *file) since(major, minor int32) bool {
	return f.unversioned || slices.Compare(f.version[:2], []int32{major, minor}) >= 0
}

// scores returns the number of raw scores of a row.
func (f *file) scores() int { return int(max(f.classes, f.targets, 1)) }

// bias returns the start value of each score.
func (f *file) bias(o objective) []float32 {
	bias := make([]float32, f.scores())
	for i := range bias {
		b := f.base[min(i, len(f.base)-1)]
		if !f.margin && o.margin != nil {
			b = o.margin(b)
		}
		bias[i] = b
	}
	return bias
}

// versionText returns the version of XGBoost that wrote the file, "" if the file has none.
func (f *file) versionText() string {
	switch {
	case f.version[0] == 0:
		return ""
	case f.version[2] < 0:
		return fmt.Sprintf("%d.%d", f.version[0], f.version[1])
	}
	return fmt.Sprintf("%d.%d.%d", f.version[0], f.version[1], f.version[2])
}
