// Package engine owns compiled prediction. A Program of trees, weights and outputs takes single
// rows, or blocks of many at once, to leaves and adds up the values of these. It handles trees and
// numbers; schemas, links and labels belong to package model.
//
// Small trees are compiled when they are first used. The values of rows become codes of one byte or
// two, and kernels compare these for many rows, or for one row in many trees:
//
//	layout            segments of trees, with the codes of their columns
//	scanner           the rows of a block, tile by tile
//	cuts              many rows of a tile: a bit for each, and all bits of a node at once
//	wide              the same for columns of thousands of split points
//	rowForm           one row: lanes of trees, or steps down four trees at once
//
// Larger trees, and those with other nodes, are walked in place, also in a mapped file. Blocks of
// rows go through one of them after the other. kernel.Descend walks the nodes that it supports, and
// the plain walk the others. The choice changes no bit of the result.
package engine

import (
	"math/bits"
	"sync"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// Source is what a Program is compiled from.
type Source struct {
	Trees   []*tree.Tree
	Output  []int32   // which output each tree feeds, -1 = all; nil = all -1
	Weights []float64 // one per tree; nil = all 1
	Bias    []float64 // one per output; nil = 0
	Outputs int
	// divide the weighted sum of each output by the sum of the weights of its trees, once, before
	// the bias is added
	Mean bool
	// the layout of the trees; see Program.Fit
	Layout  Layout
	Surveys Surveys // of trees whose nodes cannot change; others are surveyed
}

// Program is a compiled ensemble. It is immutable and safe for concurrent use.
type Program struct {
	plans []plan
	scale []float64 // weight of each tree
	bias  []float64 // per output
	// of means, per output: the sum of the weights of its trees, 1 if that is 0; nil if nothing is
	// divided
	divisors []float64
	columns  []int32 // features that some tree tests, ascending
	place    []int32 // by feature: its position in columns, -1 for none
	// by feature: words of its longest set in trees that the kernel walks; nil: these have no sets
	widths []int32
	levels []int32 // by feature: codes up to the greatest that one of these sets holds
	// their sets as blocks have them, made for the first one so that opening a model takes no time
	folds   func() *folds
	outputs int

	nodes    int  // of all trees
	rankable bool // kernel.Ranks can hold the trees and their columns

	// the layout is a function of the machine and the trees, whatever the processor
	machine kernel.Machine

	compiling sync.Once
	compiled  *layout // by layout; nil: the trees are used in place
	requested Layout
	unfit     error // by layout: why the trees do not fit the layout that was requested

	bounding sync.Once
	bounds   *rest // by Early; nil: there are none
}

// Warm makes what the first row would make, so that it takes no longer than the next ones. A
// program that is never used need not have it.
func (p *Program) Warm() { p.layout() }

// layout returns the trees in the form that kernel.Scan needs, nil if they are not fit for it. It
// makes that form when it is called first, so that opening a model takes no time for it.
func (p *Program) layout() *layout {
	p.compiling.Do(func() {
		if p.requested != Chosen {
			p.compiled, p.unfit = requestedLayout(p)
		} else {
			p.compiled = layoutOf(p)
		}
	})
	return p.compiled
}

// Compile plans the walk of the trees.
func Compile(s Source) *Program { return compileFor(s, kernel.ThisMachine()) }

// compileFor is Compile for some machine, which tests choose. Trees keep their order, since the
// bits of a sum depend on it. An output without trees has the divisor 1, so that its bias stays.
func compileFor(s Source, on kernel.Machine) *Program {
	p := &Program{machine: on, outputs: s.Outputs, plans: make([]plan, len(s.Trees)),
		bias: make([]float64, s.Outputs), requested: s.Layout}
	for k, b := range s.Bias {
		p.bias[k] = b + 0 // no negative zero: adding zeros to a sum then never changes it
	}
	if s.Mean {
		p.divisors = make([]float64, s.Outputs)
	}
	var used usedColumns
	var surveyor Surveyor
	for i, t := range s.Trees {
		w, output := 1.0, int32(-1)
		if s.Weights != nil {
			w = s.Weights[i]
		}
		if s.Output != nil {
			output = s.Output[i]
		}
		p.scale = append(p.scale, w)
		p.weigh(output, w)
		survey := s.Surveys.of(t)
		if survey == nil {
			survey = surveyor.Survey(t)
		}
		p.plans[i] = newPlan(t, survey, output, &used)
	}
	for k, sum := range p.divisors {
		if sum == 0 {
			p.divisors[k] = 1
		}
	}
	p.columns, p.place = used.list()
	p.inspect()
	p.folds = sync.OnceValue(func() *folds { return foldsOf(p) })
	if len(p.place) > maxPlaces {
		for i := range p.plans {
			p.plans[i].way = plainly
		}
	}
	return p
}

// weigh adds the weight of a tree to the divisors of its outputs.
func (p *Program) weigh(output int32, weight float64) {
	for k := range p.divisors {
		if output < 0 || int(output) == k {
			p.divisors[k] += weight
		}
	}
}

// inspect finds the longest sets, and whether blocks may have ranks.
func (p *Program) inspect() {
	p.rankable = len(p.place) <= maxPlaces && 2*len(p.columns) <= kernel.MaxRankedPlaces
	for i := range p.plans {
		t := &p.plans[i]
		p.nodes += len(t.nodes)
		p.rankable = p.rankable && max(len(t.nodes), len(t.value)) <= kernel.MaxRankedNodes
		if t.way == plainly || len(t.SetAt) < 2 {
			continue
		}
		if p.widths == nil {
			p.widths, p.levels = make([]int32, len(p.place)), make([]int32, len(p.place))
		}
		for n := range t.nodes {
			if d := &t.nodes[n]; d.Look&2 != 0 {
				set, width, levels := t.Set(int32(n)), &p.widths[d.Look>>featureAt],
					&p.levels[d.Look>>featureAt]
				*width = max(*width, int32(len(set)), 1) // sets may be empty
				for w := len(set) - 1; w >= 0 && int32(64*(w+1)) > *levels; w-- {
					*levels = max(*levels, int32(64*w+bits.Len64(set[w])))
				}
				p.rankable = p.rankable && *levels <= kernel.MaxRankedLevels
			}
		}
	}
}

// Columns returns the features that the program tests, ascending. A row buffer holds their values
// in this order.
func (p *Program) Columns() []int32 { return p.columns }

// NumTrees returns the number of trees.
func (p *Program) NumTrees() int { return len(p.plans) }

// usedColumns is a set of features, each as its number + 1; 0 stands for none.
type usedColumns []bool

func (u *usedColumns) mark(feature uint32) {
	if int(feature) >= len(*u) {
		*u = append(*u, make([]bool, int(feature)+1-len(*u))...)
	}
	(*u)[feature] = true
}

// list returns the features in ascending order, and the position of each there, -1 for those that
// are not.
func (u usedColumns) list() (columns, place []int32) {
	for f := 1; f < len(u); f++ {
		at := int32(-1)
		if u[f] {
			at = int32(len(columns))
			columns = append(columns, int32(f-1))
		}
		place = append(place, at)
	}
	return columns, place
}
