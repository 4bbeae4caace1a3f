package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
	"github.com/coppice-ml/coppice/model/rules"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree/draw"
)

// fact is one line of a heading.
type fact struct{ name, text string }

// facts prints a heading, its texts in one column.
func (c *console) facts(facts ...fact) {
	width := 9
	for _, f := range facts {
		width = max(width, len(f.name))
	}
	for _, f := range facts {
		c.printf("%-*s %s\n", width, f.name, f.text)
	}
}

// pathWords lists files.
func pathWords(paths []string) string {
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = humanize.Name(path)
		if path == "-" {
			shown[i] = "standard input"
		}
	}
	return strings.Join(shown, ", ")
}

// learnersThat names the learners of the catalog that do something, with default parameters.
func learnersThat(do func(learn.Learner) bool) []string {
	var names []string
	for _, row := range catalog.Table() {
		if do(row.New()) {
			names = append(names, row.Name)
		}
	}
	return names
}

// modelSize is how large a model is.
type modelSize struct {
	// of a committee; the numbers below are those of all members together
	Members    int `json:"members,omitempty"`
	Trees      int `json:"trees"`
	Leaves     int `json:"leaves"`          // of all trees
	Depth      int `json:"depth"`           // of the deepest tree
	Rules      int `json:"rules,omitempty"` // of lists of rules
	Conditions int `json:"conditions,omitempty"`

	name, words string // of model.Description
}

func sizeOf(m model.Model) modelSize {
	var s modelSize
	switch m := within(m).(type) {
	case *model.Ensemble:
		s.Trees = len(m.Trees)
		for _, t := range m.Trees {
			s.Leaves += t.NumLeaves()
			s.Depth = max(s.Depth, t.Depth())
		}
	case *rules.Rules:
		s.Rules, s.Conditions = len(m.List), m.Conditions()
	case *committee.Committee:
		for _, member := range m.Members {
			s.add(sizeOf(member))
		}
		s.Members = len(m.Members)
	default:
		d := m.Describe()
		s.name, s.words = d.Title, d.Words
	}
	return s
}

// add joins two sizes.
func (s *modelSize) add(o modelSize) {
	s.Trees += o.Trees
	s.Leaves += o.Leaves
	s.Depth = max(s.Depth, o.Depth)
	s.Rules += o.Rules
	s.Conditions += o.Conditions
}

// names are the words of a model's trees.
func names(e *model.Ensemble) draw.Names {
	s := e.Spec()
	if s.Task == data.Anomaly {
		return draw.Names{Schema: e.Features(), Label: "path length"} // in units of the usual one
	}
	return draw.Names{Schema: e.Features(), Classes: s.Classes, Label: s.Label, Impurity: summaryOf(s).Criterion, Costs: s.Decision.Costs}
}

// summaryOf reads what training found as far as it is known; learners that keep other summaries
// leave fields empty.
func summaryOf(s *model.Spec) cart.Summary {
	var found cart.Summary
	if json.Unmarshal(s.Summary, &found) != nil {
		return cart.Summary{}
	}
	return found
}

// paramsOf returns the parameters that a model was trained with, nil if its learner is not in the
// catalog.
func paramsOf(s *model.Spec) param.Set {
	l, err := catalog.New(s.Learner)
	if err != nil {
		return nil
	}
	set := l.Params()
	if len(s.Params) > 0 && set.UnmarshalJSON(s.Params) != nil {
		return nil
	}
	return set
}

// learnerWords names the learner and the parameters that differ from their defaults.
func learnerWords(s *model.Spec) string { return settingWords(s.Learner, paramsOf(s)) }

func settingWords(learner string, params param.Set) string {
	var texts []string
	for _, p := range params.All() {
		if p.Value() != p.Default {
			value := p.Value()
			if value != "" {
				value = humanize.Name(value)
			}
			texts = append(texts, p.Name+"="+value)
		}
	}
	if len(texts) == 0 {
		return humanize.Name(learner) + ", default parameters"
	}
	return humanize.Name(learner) + ", " + strings.Join(texts, ", ")
}

// sizeFact describes the size of a model.
func sizeFact(size modelSize, s *model.Spec) fact {
	switch {
	case size.Members > 0:
		return fact{"members", committeeWords(size)}
	case size.Rules > 0:
		return fact{"rules", ruleWords(size)}
	case size.words != "":
		return fact{size.name, size.words}
	}
	return fact{"tree", treeWords(size, s)}
}

// thresholdFacts reports the threshold of a model of anomaly scores; for other models nothing.
func thresholdFacts(s *model.Spec) []fact {
	if s.Task != data.Anomaly {
		return nil
	}
	text := fmt.Sprintf("%s: a greater score is called %s", humanize.Metric(s.Decision.Threshold), humanize.Name(s.Classes[1]))
	var found isolation.Summary
	if json.Unmarshal(s.Summary, &found) == nil && found.Anomalies != nil {
		text += fmt.Sprintf(", which %d of the %d training rows exceed", *found.Anomalies, found.Rows)
	}
	return []fact{{"threshold", text}}
}

// shapeWords counts trees, leaves and levels.
func shapeWords(size modelSize) string {
	text := fmt.Sprintf("%s, depth %d", humanize.Count(size.Leaves, "leaf", "leaves"), size.Depth)
	if size.Trees != 1 {
		text = fmt.Sprintf("%d trees, %s", size.Trees, text)
	}
	return text
}

// treeWords describes the size of a model of trees and how it was pruned.
func treeWords(size modelSize, s *model.Spec) string {
	text := shapeWords(size)
	found := summaryOf(s)
	if found.Grown == 0 {
		return text
	}
	switch found.Prune {
	case "":
		return text
	case "validation":
		return fmt.Sprintf("%s, pruned from %d leaves by the validation set", text, found.Grown)
	case "none":
		return text + ", not pruned"
	case "alpha":
		return fmt.Sprintf("%s, pruned from %d leaves with alpha %s", text, found.Grown, humanize.Number(found.Alpha, 4))
	case "cv", "cv-min":
		if found.Requested > 0 && found.Folds == 0 {
			return text + ", not pruned: too few rows, groups or times for cross-validation"
		}
		text = fmt.Sprintf("%s, pruned from %d leaves by cross-validation, alpha %s", text, found.Grown, humanize.Number(found.Alpha, 4))
		if found.Requested > 0 {
			text += "; " + foldWords(found.Folds, found.Requested)
		}
		return text
	}
	return fmt.Sprintf("%s, pruned from %d leaves by %s", text, found.Grown, found.Prune)
}
