package playground

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/adaboost"
	"github.com/coppice-ml/coppice/learn/bag"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/forest"
	"github.com/coppice-ml/coppice/learn/gbm"
)

// knob is a setting of a method, as a slider.
type knob struct {
	Name    string  `json:"name"`
	Label   string  `json:"label"`
	Least   float64 `json:"least"`
	Most    float64 `json:"most"`
	Step    float64 `json:"step"`
	Default float64 `json:"default"`

	param string // of the learner, which the knob sets
}

// method is a learner that the page offers.
type method struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	About string `json:"about"` // a sentence
	// what a step of training adds: "leaves" of one tree, "trees", "rounds"
	Unit  string `json:"unit"`
	Knobs []knob `json:"knobs"`

	new     func() learn.Learner
	fixed   []string // settings of the learner that no knob changes
	pruned  bool     // steps are leaves, and cross-validation chooses one
	classes bool     // it is for classes only
}

// methods is the table of learners.
func methods() []method {
	depth := func(param string, most, preset float64) knob {
		return knob{"depth", "depth of a tree", 1, most, 1, preset, param}
	}
	trees := func(label, param string, preset float64) knob {
		return knob{"trees", label, 1, 200, 1, preset, param}
	}
	leaf := knob{"min_leaf", "rows in a leaf, at least", 1, 30, 1, 1, "min_leaf"}
	return []method{
		{Name: "tree", Title: "Tree", Unit: "leaves",
			About: "One tree: each split is the best for its own node.",
			Knobs: []knob{depth("depth", 12, 6), leaf},
			new:   func() learn.Learner { return cart.New() }, fixed: []string{"prune=none"}},
		{Name: "pruned", Title: "Pruned tree", Unit: "leaves", pruned: true,
			About: "A large tree, cut back to the size that cross-validation prefers.",
			Knobs: []knob{depth("depth", 12, 12), leaf,
				{"folds", "folds of the cross-validation", 2, 20, 1, 10, "folds"}},
			new: func() learn.Learner { return cart.New() }, fixed: []string{"prune=cv-min"}},
		{Name: "bagging", Title: "Bagging", Unit: "trees",
			About: "The mean of trees, each grown on rows drawn with replacement.",
			Knobs: []knob{trees("trees", "members", 60), depth("base.depth", 12, 12)},
			new:   func() learn.Learner { return bag.New(resolve) }},
		{Name: "forest", Title: "Forest", Unit: "trees", classes: true,
			About: "Bagging, where a node may split by a random part of the columns only.",
			Knobs: []knob{trees("trees", "trees", 60), depth("depth", 12, 12),
				{"mtry", "columns tried in a node", 1, 2, 1, 1, "mtry"}},
			new: func() learn.Learner { return forest.New() }},
		{Name: "adaboost", Title: "AdaBoost", Unit: "rounds", classes: true,
			About: "Small trees that vote. Each round gives more weight to the points that the " +
				"last tree got wrong.",
			Knobs: []knob{trees("rounds", "rounds", 60), depth("base.depth", 6, 1)},
			new:   func() learn.Learner { return adaboost.New(resolve) }},
		{Name: "gbm", Title: "Gradient boosting", Unit: "rounds",
			About: "A sum of small trees, each fitted to what the sum so far leaves over.",
			Knobs: []knob{trees("rounds", "trees", 100), depth("depth", 6, 2),
				{"rate", "learning rate", 0.01, 1, 0.01, 0.1, "learning_rate"},
				{"l2", "penalty λ on leaves", 0, 10, 0.5, 1, "l2"}},
			new: func() learn.Learner { return gbm.New() }, fixed: []string{"growth=depth", "leaves=0"}},
	}
}

// resolve finds the base learner of bagging and of AdaBoost, which is always cart.
func resolve(name string) (string, learn.Learner, error) {
	if name != cart.Name {
		return "", nil, refuse("the playground has no base learner %q", name)
	}
	return cart.Name, cart.New(), nil
}

// settings are values of knobs by name; those absent have their default.
type settings map[string]float64

// find returns a method by its name.
func find(name string, classes bool) (*method, error) {
	all := methods()
	at := slices.IndexFunc(all, func(m method) bool { return m.Name == name })
	if at < 0 || all[at].classes && !classes {
		return nil, refuse("there is no method %q here", name)
	}
	return &all[at], nil
}

// learner makes the learner of a method with settings, which are checked.
func (m *method) learner(s settings) (learn.Learner, error) {
	for name := range s {
		if !slices.ContainsFunc(m.Knobs, func(k knob) bool { return k.Name == name }) {
			return nil, refuse("%s has no setting %q", m.Title, name)
		}
	}
	texts := slices.Clone(m.fixed)
	for _, k := range m.Knobs {
		v, ok := s[k.Name]
		if !ok {
			v = k.Default
		}
		if v < k.Least || v > k.Most || k.Step == 1 && v != math.Trunc(v) {
			return nil, refuse("%s: %v is not from %v to %v in steps of %v", k.Label, v, k.Least,
				k.Most, k.Step)
		}
		texts = append(texts, k.param+"="+strconv.FormatFloat(v, 'g', -1, 64))
	}
	l := m.new()
	return l, l.Params().Set(texts)
}

// choices is what a page offers.
type choices struct {
	Methods  []method `json:"methods"`  // of classes
	Curves   []method `json:"curves"`   // of numbers
	Samples  []sample `json:"samples"`  // of classes
	Shapes   []sample `json:"shapes"`   // of numbers
	Impurity []string `json:"impurity"` // names of the impurities
	Lessons  []lesson `json:"lessons"`  // by scene
}

// choicesOf lists what there is. The request is an empty object.
func choicesOf(_ context.Context, _ *Handler, _ *struct{}) (*choices, error) {
	c := &choices{Methods: methods(), Samples: planes(), Shapes: shapes(), Impurity: impurities,
		Lessons: lessons()}
	c.Curves = slices.DeleteFunc(methods(), func(m method) bool { return m.classes })
	return c, nil
}
