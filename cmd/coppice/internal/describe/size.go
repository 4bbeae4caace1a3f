package describe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
	"github.com/coppice-ml/coppice/model/rules"
)

// ModelSize is how large a model is.
type ModelSize struct {
	// of a committee; the numbers below are those of all members together
	Members    int `json:"members,omitempty"`
	Trees      int `json:"trees"`
	Leaves     int `json:"leaves"`          // of all trees
	Depth      int `json:"depth"`           // of the deepest tree
	Rules      int `json:"rules,omitempty"` // of lists of rules
	Conditions int `json:"conditions,omitempty"`

	name, words string // of model.Description
}

func SizeOf(m model.Model) ModelSize {
	var s ModelSize
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
			s.add(SizeOf(member))
		}
		s.Members = len(m.Members)
	default:
		d := m.Describe()
		s.name, s.words = d.Title, d.Words
	}
	return s
}

// add joins two sizes.
func (s *ModelSize) add(o ModelSize) {
	s.Trees += o.Trees
	s.Leaves += o.Leaves
	s.Depth = max(s.Depth, o.Depth)
	s.Rules += o.Rules
	s.Conditions += o.Conditions
}

// SizeFact describes the size of a model.
func SizeFact(size ModelSize, s *model.Spec) cli.Fact {
	switch {
	case size.Members > 0:
		return cli.Fact{Name: "members", Text: committeeWords(size)}
	case size.Rules > 0:
		return cli.Fact{Name: "rules", Text: ruleWords(size)}
	case size.words != "":
		return cli.Fact{Name: size.name, Text: size.words}
	}
	return cli.Fact{Name: "tree", Text: treeWords(size, s)}
}

// shapeWords counts trees, leaves and levels.
func shapeWords(size ModelSize) string {
	text := fmt.Sprintf("%s, depth %d", humanize.Count(size.Leaves, "leaf", "leaves"), size.Depth)
	if size.Trees != 1 {
		text = fmt.Sprintf("%d trees, %s", size.Trees, text)
	}
	return text
}

// treeWords describes the size of a model of trees and how it was pruned.
func treeWords(size ModelSize, s *model.Spec) string {
	text := shapeWords(size)
	found := TrainingSummary(s)
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

// ruleWords describes the size of a list of rules.
func ruleWords(size ModelSize) string {
	return fmt.Sprintf("%s, %s", humanize.Count(size.Rules, "rule", "rules"), humanize.Count(size.Conditions, "condition", "conditions"))
}

// memberWords describes the size of any model.
func memberWords(size ModelSize) string {
	switch {
	case size.Members > 0:
		return "members: " + committeeWords(size)
	case size.Rules > 0:
		return ruleWords(size)
	case size.words != "":
		return size.name + ": " + size.words
	}
	return shapeWords(size)
}

// committeeWords describes the size of a committee.
func committeeWords(size ModelSize) string {
	words := []string{strconv.Itoa(size.Members)}
	if size.Trees > 0 {
		words = append(words, shapeWords(size))
	}
	if size.Rules > 0 {
		words = append(words, ruleWords(size))
	}
	return strings.Join(words, ", ")
}
