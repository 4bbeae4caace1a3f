package native

import (
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// kind is a type of models that the format stores: in the JSON header what all models have and some
// keys of its own, in a section of arrays the rest.
type kind struct {
	name    string // header.Model
	section string // name of the section of its arrays
	is      func(model.Model) bool
	// encode sets the kind's keys of the header and returns the arrays of a valid model.
	encode func(m model.Model, h *header) []array
	// decode makes a model of the kind's keys and arrays in file f. The caller validates it.
	decode func(f *file, h *header, s *model.Spec, p *payload) model.Checked
}

// kinds are the types of models. To add one, add a row.
func kinds() []kind {
	return []kind{
		{"ensemble", "trees", is[model.Ensemble], encodeEnsemble, decodeEnsemble},
		{"rules", "rules", is[rules.Rules], encodeRules, decodeRules},
		{"committee", "members", is[committee.Committee], encodeCommittee, decodeCommittee},
		{"calibrated", "calibrated", is[committee.Calibrated], encodeCalibrated, decodeCalibrated},
		{"stack", "members", is[committee.Stack], encodeStack, decodeStack},
		{"linear", "linear", is[dense.Linear], encodeLinear, decodeLinear},
		{"svm", "svm", is[dense.Machine], encodeMachine, decodeMachine},
		{"network", "network", is[dense.Network], encodeNetwork, decodeNetwork},
		{"knn", "knn", is[dense.Neighbours], encodeNeighbours, decodeNeighbours},
		{"bayes", "bayes", is[dense.Bayes], encodeBayes, decodeBayes},
	}
}

// is reports whether a model is a *T that is not nil.
func is[T any](m model.Model) bool {
	t, ok := any(m).(*T)
	return ok && t != nil
}

// setLink stores a link; one that link.Table does not have cannot be.
func (h *header) setLink(l link.Link) {
	if l == nil {
		return
	}
	h.Link = l.Name()
	if _, err := link.ByName(h.Link); err != nil {
		unsupported("cannot store a link of one's own: %v", err)
	}
}

// link returns the link that was stored.
func (h *header) link() link.Link {
	if h.Link == "" {
		return nil
	}
	l, err := link.ByName(h.Link)
	if err != nil {
		unsupported("%v: use a newer program", err)
	}
	return l
}

// combineNames are the names of model.Combine in files.
var combineNames = []string{model.Sum: "sum", model.Mean: "mean", model.Pool: "pool"}

func encodeEnsemble(m model.Model, h *header) []array {
	e := m.(*model.Ensemble)
	h.Trees = len(e.Trees)
	if int(e.Combine) >= len(combineNames) {
		unsupported("cannot store the way %d to combine trees", e.Combine)
	}
	h.Combine = combineNames[e.Combine]
	h.setLink(e.Link)
	h.RoundsUsed = e.Best
	h.setOrigin(e.Origin)
	f := newForest(e)
	if !h.words {
		f.listCodes(leastSpared)
	}
	return append(f.perTree(), f.perNode()...)
}

func decodeEnsemble(f *file, h *header, s *model.Spec, p *payload) model.Checked {
	e := &model.Ensemble{Meta: *s}
	known := false
	for i, n := range combineNames {
		if n == h.Combine {
			e.Combine, known = model.Combine(i), true
		}
	}
	if !known {
		unsupported("unknown way %q to combine trees: use a newer program", h.Combine)
	}
	e.Link = h.link()
	e.Best = h.RoundsUsed
	e.Origin = h.origin(len(s.Schema.Fields), p, f.budget)
	parseTrees(p, e, h.Trees, f.budget)
	return e
}
