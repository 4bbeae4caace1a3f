package native

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// A stack is stored as its members and, as one more behind them, the meta-learner.

func encodeStack(m model.Model, h *header) []array {
	s := m.(*committee.Stack)
	h.Names = stored(cast[text](s.Names))
	h.MemberOutput, h.Passthrough, h.Members = s.MemberOutput.String(), s.Passthrough,
		len(s.Members)+1
	return (&memberFiles{}).encode(append(slices.Clone(s.Members), s.MetaModel), &s.Meta, h.bare)
}

func decodeStack(f *file, h *header, spec *model.Spec, p *payload) model.Checked {
	l, members := decodeMembers(f, h.Members, spec, p)
	switch {
	case len(members) == 0:
		p.corrupt(0, "a stack without a meta-learner")
	case l.weights != nil || l.output != nil || l.bias != nil || l.scaleSize != nil ||
		l.scaleValue != nil || l.scaleRank != nil:
		p.corrupt(0, "a stack with weights, start values or scales")
	}
	last := len(members) - 1
	s := &committee.Stack{Meta: *spec, Members: members[:last], MetaModel: members[last],
		Passthrough: h.Passthrough, Names: cast[string](list[text](h.Names, p, f.budget))}
	named(&s.MemberOutput, h.MemberOutput)
	return s
}
