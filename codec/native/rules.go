package native

import (
	"unsafe"

	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/model"
)

// ruleList is the section of rules: structures of arrays, rule after rule and condition after
// condition. With a rule of two conditions and one without,
//
//	rule.conditions   2     0
//	cond.feature      4 1
//	cond.words        0 1        (words of sets)
type ruleList struct {
	conditions              []uint32  // number of conditions of each rule
	value                   []float64 // class weights of each rule
	decided, covered, right []float64

	kind       []rules.Kind
	feature    []int32
	splitPoint []float64
	words      []uint32 // length of the set of each condition
	sets       []uint64
}

func (l *ruleList) arrays() []array {
	return []array{
		whole("rule.conditions", required, &l.conditions),
		whole("rule.value", required, &l.value),
		whole("rule.decided", required, &l.decided),
		whole("rule.covered", required, &l.covered),
		whole("rule.right", required, &l.right),
		whole("cond.kind", required, &l.kind),
		whole("cond.feature", required, &l.feature),
		whole("cond.split", required, &l.splitPoint),
		whole("cond.words", required, &l.words),
		whole("sets", required, &l.sets),
	}
}

func encodeRules(m model.Model, h *header) []array {
	l := newRuleList(m.(*rules.Rules))
	h.Rules = len(l.conditions)
	return l.arrays()
}

// newRuleList lays out the rules of a valid model.
func newRuleList(m *rules.Rules) *ruleList {
	l := &ruleList{}
	for _, r := range m.List {
		l.conditions = append(l.conditions, uint32(len(r.If)))
		l.value = append(l.value, r.Value...)
		l.decided = append(l.decided, r.Decided)
		l.covered = append(l.covered, r.Covered)
		l.right = append(l.right, r.Right)
		for _, c := range r.If {
			l.kind = append(l.kind, c.Kind)
			l.feature = append(l.feature, c.Feature)
			l.splitPoint = append(l.splitPoint, c.SplitPoint)
			l.words = append(l.words, uint32(len(c.Set)))
			l.sets = append(l.sets, c.Set...)
		}
	}
	return l
}

func decodeRules(f *file, h *header, s *model.Spec, p *payload) model.Checked {
	l := &ruleList{}
	p.loadAll(l.arrays())
	n, k := len(l.conditions), len(s.Classes)
	if n != h.Rules || len(l.decided) != n || len(l.covered) != n || len(l.right) != n ||
		int64(len(l.value)) != int64(n)*int64(k) {
		p.corrupt(0,
			"numbers of %d rules and %d values of %d classes, the header has %d rules", n,
			len(l.value), k, h.Rules)
	}
	if c := len(l.kind); len(l.feature) != c || len(l.splitPoint) != c || len(l.words) != c {
		p.corrupt(0, "%d kinds, %d features, %d split points and %d sets of conditions",
			c, len(l.feature), len(l.splitPoint), len(l.words))
	}
	f.take(int64(n)*int64(unsafe.Sizeof(rules.Rule{})) + int64(len(l.kind))*int64(unsafe.Sizeof(rules.Condition{})))
	conditions := l.takeConditions(p)
	m := &rules.Rules{Meta: *s, List: make([]rules.Rule, n)}
	for i := range m.List {
		own := uint64(l.conditions[i])
		if own > uint64(len(conditions)) {
			p.corrupt(0, "rule %d has %d conditions, %d are left", i, own,
				len(conditions))
		}
		m.List[i] = rules.Rule{Value: l.value[i*k : (i+1)*k : (i+1)*k], Decided: l.decided[i],
			Covered: l.covered[i], Right: l.right[i]}
		if own > 0 {
			m.List[i].If, conditions = conditions[:own:own], conditions[own:]
		}
	}
	if len(conditions) > 0 {
		p.corrupt(0, "%d conditions belong to no rule", len(conditions))
	}
	return m
}

// takeConditions hands each condition its set.
func (l *ruleList) takeConditions(p *payload) []rules.Condition {
	all, sets := make([]rules.Condition, len(l.kind)), l.sets
	for i := range all {
		all[i] = rules.Condition{Kind: l.kind[i], Feature: l.feature[i],
			SplitPoint: l.splitPoint[i]}
		words := uint64(l.words[i])
		if words > uint64(len(sets)) {
			p.corrupt(0, "condition %d has a set of %d words, %d are left", i,
				words, len(sets))
		}
		if words > 0 {
			all[i].Set, sets = sets[:words:words], sets[words:]
		}
	}
	if len(sets) > 0 {
		p.corrupt(0, "%d words of sets belong to no condition", len(sets))
	}
	return all
}
