package xgboost

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// What a file states beside what predictions need is in model.Origin.Settings, by its path, for
// files that are written of the model:
//
//	attributes/best_score                                            0.25
//	objective/tweedie_regression_param/tweedie_variance_power        1.2
//	feature_types                                                    int,float,c
const (
	attributeSettings = "attributes/"
	objectiveSettings = "objective/"
	typeSettings      = "feature_types"
)

// parameterGroups are the members of an objective that have its parameters, as texts.
var parameterGroups = map[string]bool{"reg_loss_param": true, "poisson_regression_param": true,
	"tweedie_regression_param": true, "pseudo_huber_param": true, "aft_loss_param": true,
	"lambda_rank_param": true, "lambdarank_param": true}

// settingSize bounds what a setting takes beside its texts.
const settingSize = 192

// setting returns a function that reads a setting; a value that is no text is left out.
func (s *structure) setting(path string) func() error {
	return func() error {
		kind, err := s.nextKind()
		if err != nil {
			return err
		}
		if kind != textKind {
			return s.skip()
		}
		text, err := s.text()
		if err == nil {
			err = s.Take(settingSize + int64(len(path)))
		}
		if s.file.settings == nil {
			s.file.settings = map[string]string{}
		}
		s.file.settings[path] = text
		return err
	}
}

// group returns a function that reads the parameters of an objective.
func (s *structure) group(name string) func() error {
	return func() error {
		kind, err := s.nextKind()
		if err != nil {
			return err
		}
		if kind != objectKind {
			return s.skip()
		}
		return s.members(func(parameter string) func() error {
			return s.setting(objectiveSettings + name + "/" + parameter)
		})
	}
}

// kept returns the settings of a file for its model.
func (f *file) kept() map[string]string {
	plain := func(kind string) bool { return kind == "float" || kind == "c" || kind == "" }
	types := f.columns.types
	if slices.ContainsFunc(types, func(kind string) bool { return !plain(kind) }) {
		if f.settings == nil {
			f.settings = map[string]string{}
		}
		f.settings[typeSettings] = strings.Join(types, ",")
	}
	return f.settings
}

// numberTypes are the types of columns of numbers in feature_types.
var numberTypes = []string{"float", "int", "i", "q"}

// putTypes gives columns of numbers the types that they had in the file which the model comes from,
// and reports whether that has some.
func (w *writing) putTypes() bool {
	types := strings.Split(w.settings()[typeSettings], ",")
	if len(types) != len(w.Meta.Schema.Fields) || types[0] == "" {
		return false
	}
	for i, kind := range types {
		if w.Meta.Schema.Fields[i].Kind == data.Numeric && slices.Contains(numberTypes, kind) {
			w.file.columns.types[i] = kind
		}
	}
	return true
}

// putAttributes writes the attributes that the file which the model comes from had.
func (w *writing) putAttributes() {
	for path, text := range w.settings() {
		if name, ok := strings.CutPrefix(path, attributeSettings); ok && !isKnownAttribute(name) {
			w.file.setAttribute(name, text)
		}
	}
}

// settings returns those of the file of XGBoost that the model comes from, nil if there are none.
func (w *writing) settings() map[string]string {
	if w.Origin == nil || w.Origin.Tool != toolName {
		return nil
	}
	return w.Origin.Settings
}

// parameters are the parameters of an objective, by groups.
type parameters map[string]map[string]string

// put sets a parameter.
func (p parameters) put(group, name, text string) {
	if p[group] == nil {
		p[group] = map[string]string{}
	}
	p[group][name] = text
}

// parameters returns the parameters of the objective. XGBoost requires some, which have defaults:
// predictions do not depend on them. Those of the file that the model comes from are kept.
func (f *file) parameters() parameters {
	p := parameters{}
	switch f.objective {
	case "reg:squarederror", "reg:squaredlogerror", "binary:logistic", "reg:logistic",
		"binary:logitraw":
		p.put("reg_loss_param", "scale_pos_weight", "1")
	case "count:poisson":
		p.put("poisson_regression_param", "max_delta_step", "0.699999988")
	case "reg:tweedie":
		p.put("tweedie_regression_param", "tweedie_variance_power", "1.5")
	case "reg:pseudohubererror":
		p.put("pseudo_huber_param", "huber_slope", "1")
	case "survival:aft":
		p.put("aft_loss_param", "aft_loss_distribution", "normal")
		p.put("aft_loss_param", "aft_loss_distribution_scale", "1")
	case "multi:softprob", "multi:softmax":
		p.put("softmax_multiclass_param", "num_class", strconv.FormatInt(f.classes, 10))
	case "rank:pairwise", "rank:ndcg", "rank:map":
		p.put("lambda_rank_param", "fix_list_weight", "0")
		p.put("lambda_rank_param", "num_pairsample", "1")
	case "reg:quantileerror":
		var levels []string
		for _, a := range f.alpha {
			levels = append(levels, string(appendFloat(nil, a)))
		}
		p.put("quantile_loss_param", "quantile_alpha", "["+strings.Join(levels, ",")+"]")
	}
	for path, text := range f.settings {
		rest, ok := strings.CutPrefix(path, objectiveSettings)
		group, name, found := strings.Cut(rest, "/")
		if ok && found && parameterGroups[group] {
			p.put(group, name, text)
		}
	}
	return p
}

// writeObjective writes the objective with its parameters.
func (f *file) writeObjective(s sink) {
	var groups []member
	of := f.parameters()
	for _, group := range slices.Sorted(maps.Keys(of)) {
		var members []member
		for _, name := range slices.Sorted(maps.Keys(of[group])) {
			members = append(members, parameter(s, name, of[group][name]))
		}
		groups = append(groups, member{group, func() { s.object(members...) }})
	}
	s.object(append(groups, parameter(s, "name", f.objective))...)
}
