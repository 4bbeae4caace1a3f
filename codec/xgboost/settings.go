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
//	attributes/best_score                                     0.25
//	objective/tweedie_regression_param/tweedie_variance_power 1.2
//	feature_types                                             int,float,c
const (
	attributeSettings = "attributes/"
	objectiveSettings = "objective/"
	typeSettings      = "feature_types"
)

// parameterGroups are the members of an objective that have its parameters, as texts.
var parameterGroups = []string{"reg_loss_param", "poisson_regression_param",
	"tweedie_regression_param", "pseudo_huber_param", "aft_loss_param", "lambda_rank_param",
	"lambdarank_param"}

// required are the parameters that XGBoost requires of an objective when it reads one, with its
// defaults. Predictions do not depend on them.
var required = map[string][]string{
	"reg:squarederror":     {"reg_loss_param/scale_pos_weight=1"},
	"reg:squaredlogerror":  {"reg_loss_param/scale_pos_weight=1"},
	"reg:logistic":         {"reg_loss_param/scale_pos_weight=1"},
	"binary:logistic":      {"reg_loss_param/scale_pos_weight=1"},
	"binary:logitraw":      {"reg_loss_param/scale_pos_weight=1"},
	"count:poisson":        {"poisson_regression_param/max_delta_step=0.699999988"},
	"reg:tweedie":          {"tweedie_regression_param/tweedie_variance_power=1.5"},
	"reg:pseudohubererror": {"pseudo_huber_param/huber_slope=1"},
	"survival:aft": {"aft_loss_param/aft_loss_distribution=normal",
		"aft_loss_param/aft_loss_distribution_scale=1"},
	"rank:pairwise": {"lambda_rank_param/fix_list_weight=0", "lambda_rank_param/num_pairsample=1"},
	"rank:ndcg":     {"lambda_rank_param/fix_list_weight=0", "lambda_rank_param/num_pairsample=1"},
	"rank:map":      {"lambda_rank_param/fix_list_weight=0", "lambda_rank_param/num_pairsample=1"},
}

// settingSize bounds what a setting takes beside its texts.
const settingSize = 192

// setting returns a function that reads a text, or else an object of texts below its path. All
// other values are left out.
func (s *structure) setting(path string) func() {
	return func() {
		switch kind := s.nextKind(); {
		case kind == objectKind && strings.Count(path, "/") < 2:
			s.members(func(name string) func() { return s.setting(path + "/" + name) })
		case kind != textKind:
			s.skip()
		default:
			text := s.text()
			s.Need(settingSize + int64(len(path)))
			s.file.set(path, text)
		}
	}
}

func (f *file) set(path, text string) {
	if f.settings == nil {
		f.settings = map[string]string{}
	}
	f.settings[path] = text
}

// kept returns the settings of a file for its model.
func (f *file) kept() map[string]string {
	types := f.columns.types
	if slices.Contains(types, "int") || slices.Contains(types, "i") || slices.Contains(types, "q") {
		f.set(typeSettings, strings.Join(types, ","))
	}
	return f.settings
}

// putSettings takes over what the file of XGBoost had that the model comes from: types of columns
// of numbers, attributes, and the parameters of the same objective.
func (w *writing) putSettings() {
	f := w.file
	if w.Origin == nil || w.Origin.Tool != toolName {
		return
	}
	types := strings.Split(w.Origin.Settings[typeSettings], ",")
	for i, kind := range types {
		if len(types) == len(f.columns.types) && w.Meta.Schema.Fields[i].Kind == data.Numeric &&
			slices.Contains([]string{"float", "int", "i", "q"}, kind) {
			f.columns.types[i] = kind
		}
	}
	for path, text := range w.Origin.Settings {
		name, ok := strings.CutPrefix(path, attributeSettings)
		if ok && !isKnownAttribute(name) {
			f.setAttribute(name, text)
		}
		group, _, _ := strings.Cut(strings.TrimPrefix(path, objectiveSettings), "/")
		if w.Origin.Objective == f.objective && slices.Contains(parameterGroups, group) {
			f.set(path, text)
		}
	}
}

// writeObjective writes an objective with its parameters.
func (f *file) writeObjective(s sink) {
	of := map[string]map[string]string{}
	put := func(group, name, text string) {
		if of[group] == nil {
			of[group] = map[string]string{}
		}
		of[group][name] = text
	}
	for _, parameter := range required[f.objective] {
		path, text, _ := strings.Cut(parameter, "=")
		group, name, _ := strings.Cut(path, "/")
		put(group, name, text)
	}
	switch f.objective {
	case "multi:softprob", "multi:softmax":
		put("softmax_multiclass_param", "num_class", strconv.FormatInt(f.classes, 10))
	case "reg:quantileerror":
		var levels []string
		for _, a := range f.alpha {
			levels = append(levels, string(appendFloat(nil, a)))
		}
		put("quantile_loss_param", "quantile_alpha", "["+strings.Join(levels, ",")+"]")
	}
	for path, text := range f.settings {
		group, name, _ := strings.Cut(strings.TrimPrefix(path, objectiveSettings), "/")
		put(group, name, text)
	}
	var members []member
	for _, group := range slices.Sorted(maps.Keys(of)) {
		var own []member
		for _, name := range slices.Sorted(maps.Keys(of[group])) {
			own = append(own, parameter(s, name, of[group][name]))
		}
		members = append(members, member{group, func() { s.object(own...) }})
	}
	s.object(append(members, parameter(s, "name", f.objective))...)
}
