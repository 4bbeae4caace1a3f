package tree

import (
	"errors"
	"fmt"
	"math"
)

// Samples holds the training values that made the values of a tree of numbers, so that leaves can
// report more than their mean (quantile regression forests, Meinshausen 2006). A training value is
// its rank in an ascending list of distinct values. The owner of the trees keeps that list once for
// all of them:
//
//	slot     0        1      2
//	At       0        3      3      5
//	Rank     4 4 9           0 7           (slot 1, of an inner node, has none)
//
// A value that fell into a leaf twice is there twice. That takes 4 bytes for each row of the tree's
// sample, which is less than distinct ranks with their numbers would take.
type Samples struct {
	At     []int32   // slot s has the samples At[s] up to At[s+1]
	Rank   []uint32  // ascending within a slot
	Weight []float64 // of each sample, above 0; nil = all 1
}

// Of returns the samples of a slot, which may be that of Tree.Slot: none where it is -1, or the
// tree keeps no samples (nil). They are views into the tree. weight is nil where all are 1.
func (s *Samples) Of(slot int32) (rank []uint32, weight []float64) {
	if s == nil || slot < 0 {
		return nil, nil
	}
	from, to := s.At[slot], s.At[slot+1]
	if s.Weight != nil {
		weight = s.Weight[from:to]
	}
	return s.Rank[from:to], weight
}

// add appends the samples of the next slot.
func (s *Samples) add(rank []uint32, weight []float64) {
	s.Rank = append(s.Rank, rank...)
	s.Weight = append(s.Weight, weight...)
	s.At = append(s.At, int32(len(s.Rank)))
}

// samples checks the samples, whose ranks may be any: what they are ranks in is not the
// tree's.
func (t validation) samples() error {
	s := t.Leaf.Samples
	if s == nil {
		return nil
	}
	if t.Leaf.Kind != Scalar || s.At == nil || s.Weight != nil && len(s.Weight) != len(s.Rank) {
		return errors.New("samples of a tree that is not one of numbers, or of unequal length or " +
			"without an index")
	}
	if err := validateIndex("samples", s.At, len(t.Leaf.Value), len(s.Rank)); err != nil {
		return err
	}
	for slot := range int32(len(t.Leaf.Value)) {
		rank, weight := s.Of(slot)
		for i := 1; i < len(rank); i++ {
			if rank[i] < rank[i-1] {
				return fmt.Errorf("slot %d: the ranks of its samples do not ascend", slot)
			}
		}
		sum := 0.0
		for _, w := range weight {
			if sum += w; !(w > 0) || math.IsInf(sum, 1) {
				return fmt.Errorf("slot %d: a sample has weight %v", slot, w)
			}
		}
	}
	for n := range int32(t.Len()) {
		if t.Kind(n) != Leaf && t.Missing(n) != MissingStop {
			continue
		}
		if rank, _ := s.Of(t.Slot(n)); len(rank) == 0 {
			return fmt.Errorf("node %d, at which rows end, has no samples", n)
		}
	}
	return nil
}
