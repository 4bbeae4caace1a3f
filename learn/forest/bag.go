package forest

import (
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/learn/sample"
)

// bag is the rows of one tree: for each position how often the row counts; nil = once.
type bag struct {
	count     []uint32 // in the bag
	structure []uint32 // those that choose splits
	leaves    []uint32 // those that make the leaves of an honest tree; nil: structure does
}

// sampler samples the bag of each tree.
type sampler struct {
	*setup
	bags   *ensembles.Bags
	counts stock[[]uint32]
	divide division
}

func newSampler(s *setup) (*sampler, error) {
	l := s.learner
	bags, err := ensembles.NewBags(l.Sample, l.ClassFractions, s.target, s.pop)
	if err != nil {
		return nil, err
	}
	b := &sampler{setup: s, bags: bags, divide: undivided{}}
	if l.Honest > 0 {
		b.divide = &honesty{s}
	}
	return b, nil
}

// division decides which rows of a bag choose splits, and which make the leaves.
type division interface {
	// divide divides the bag of tree number i.
	divide(count []uint32, i int) (bag, error)
}

// undivided bags use all rows for both.
type undivided struct{}

func (undivided) divide(count []uint32, _ int) (bag, error) {
	return bag{count: count, structure: count}, nil
}

// sample samples the bag of tree number i.
func (s *sampler) sample(i int) (bag, error) { return s.divide.divide(s.count(i), i) }

// count samples how often each row is in the bag of tree number i. Without sampling it is as often
// as it stands among the rows to train on.
func (s *sampler) count(i int) []uint32 {
	if s.learner.Sample.Method == sample.All {
		return s.pop.Count
	}
	count, ok := s.counts.take()
	if !ok {
		count = make([]uint32, len(s.pop.Rows))
	}
	clear(count)
	s.bags.Sample(count, s.seed(forRows, i))
	return count
}

// keep stores the memory of a bag that is not needed any more for later trees.
func (s *sampler) keep(b bag) {
	if s.learner.Sample.Method != sample.All {
		s.counts.keep(b.count)
	}
}
