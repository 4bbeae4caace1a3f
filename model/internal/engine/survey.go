package engine

import (
	"math"
	"slices"
	"unsafe"

	"github.com/coppice-ml/coppice/tree"
)

// The fields of kernel.Node.Look.
const (
	kindBits  = 0xf
	ruleAt    = 4
	ruleBits  = 0xf
	featureAt = 8
	noFeature = math.MaxUint32 >> featureAt
)

// Survey is what the nodes of a tree have in common.
type Survey struct {
	nodes    int
	looks    uint32   // all bits that some kernel.Node.Look has
	features []uint32 // that nodes test, each as its number + 1, in the order of their first nodes
	wrong    bool     // the kernel would leave the arrays
}

// Plain reports whether all nodes are leaves and split points of numbers.
func (s *Survey) Plain() bool { return s.looks&kindBits <= uint32(tree.Numeric) }

// Features returns the features that the nodes test, each as its number + 1, in no special order.
func (s *Survey) Features() []uint32 { return s.features }

// Clone returns a copy that stays valid.
func (s *Survey) Clone() *Survey {
	own := *s
	own.features = slices.Clone(s.features)
	return &own
}

// Surveys finds the Survey of trees whose nodes cannot change, by the first of their nodes.
type Surveys map[*tree.Node]*Survey

// of returns the survey of a tree, nil if there is none. It holds for plain nodes alone: those of
// other kinds depend on arrays that may have been replaced.
func (all Surveys) of(t *tree.Tree) *Survey {
	s := all[unsafe.SliceData(t.Nodes)]
	if s == nil || s.nodes != len(t.Nodes) || !s.Plain() {
		return nil
	}
	return s
}

// Surveyor surveys one tree after the other.
type Surveyor struct {
	seen   []bool // by feature + 1; false between two surveys
	survey Survey // the last
}

// Survey visits every node once. It collects the features, and checks what the kernel leaves to its
// callers. The result is valid until the next call; see Survey.Clone.
func (v *Surveyor) Survey(t *tree.Tree) *Survey {
	s := v.SurveyValid(t)
	nodes, wrong := packed(t.Nodes), int64(0) // wrong is negative if a node is
	last, sets := int64(len(nodes))-1, float64(len(t.SetAt)-1)
	for i := range nodes {
		d := &nodes[i]
		// A split point has a feature, and its children lie between it and the end. Leaves make no
		// branch, since a processor could not predict it.
		kind, feature := d.Look&kindBits, (d.Look>>featureAt+1)&noFeature
		child, inner := int64(d.Child), -int64(kind)>>63
		wrong |= ((child - int64(i) - 1) | (last - 1 - child) | (int64(feature) - 1)) & inner
		if kind > uint32(tree.Numeric) && !(d.SplitPoint >= 0 && d.SplitPoint < sets) {
			wrong = -1
		}
	}
	s.wrong = wrong < 0
	return s
}

// SurveyValid is Survey of a tree that was validated, so that no node is wrong.
func (v *Surveyor) SurveyValid(t *tree.Tree) *Survey {
	nodes := packed(t.Nodes)
	v.survey = Survey{nodes: len(nodes), features: v.survey.features[:0]}
	s, looks, seen := &v.survey, uint32(0), v.seen
	for i := range nodes {
		look := nodes[i].Look
		looks |= look
		feature := (look>>featureAt + 1) & noFeature
		if int(feature) >= len(seen) {
			seen = append(seen, make([]bool, int(feature)+1-len(seen))...)
		}
		if !seen[feature] {
			seen[feature] = true
			s.features = append(s.features, feature)
		}
	}
	for _, feature := range s.features {
		seen[feature] = false
	}
	s.looks, v.seen = looks, seen
	return s
}

// The bits of several kinds, or rules, are at most those of the greatest if that is 0, 1 or 3, all
// of whose bits are ones.
var _ = [1]struct{}{}[tree.Leaf|(tree.Numeric-1)|(tree.SetLast-3)]
var _ = [1]struct{}{}[tree.MissingFirst|(tree.MissingLast-1)]

// way returns how blocks of rows go down a tree with that survey.
func (s *Survey) way(t *tree.Tree) way {
	kinds, rules := s.looks&kindBits, s.looks>>ruleAt&ruleBits // leaves have MissingFirst
	switch {
	case s.wrong || kinds > uint32(tree.SetLast) || !soundSets(t):
		return plainly
	case rules > uint32(tree.MissingLast):
		return withoutMissing
	}
	return fast
}

// soundSets reports whether the sets lie in order.
func soundSets(t *tree.Tree) bool {
	at := int32(0)
	for _, next := range t.SetAt {
		if next < at {
			return false
		}
		at = next
	}
	return int(at) <= len(t.Sets)
}
