// Package trees owns the exact Shapley values of the scores of single trees. It knows trees and
// blocks of rows; package shapley makes those of models from it.
//
// A tree is a sum of games, one for each leaf. The players of a leaf are those whose columns its
// path tests, each once. A player j is either satisfied by a row, o = 1, or not, o = 0. Where its
// value is taken from the training rows it is satisfied with probability z, the product of the
// fractions of the training weight that its splits send along the path. So a set S of known columns
// is worth
//
//	value of the leaf  x  product of o over S  x  product of z over the other players
//
// which is what TreeSHAP explains (Lundberg et al. 2020, algorithm 1). The value of player j is
//
//	(o - z of j)  x  integral from 0 to 1 of the product over k != j of (t o + (1-t) z)
//
// since the weight of a set in a Shapley value is such an integral, the beta function. The product
// is a polynomial in t, so Gauss's quadrature is exact with half as many points as there are
// players. All its terms are 0 or above: no digits are lost.
//
// The interaction of two players i and j is, for each of the two (Lundberg et al. 2020, "SHAP
// interaction values"; Fujimoto et al. 2006, the interaction index),
//
//	1/2 x (o - z of i) x (o - z of j) x integral of the product over k != i, j of (t o + (1-t) z)
package trees

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/tree"
)

// ErrNoCover is returned for a tree that keeps no training weights.
var ErrNoCover = errors.New("the trees keep no training weights (cover): " +
	"count the rows of a table for them, or use a background table")

// UnsupportedError reports a kind of node whose way for a row is no function of one column.
type UnsupportedError struct{ What string }

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("the trees have %s, which these Shapley values do not cover", e.What)
}

// Source is a tree and how it feeds the scores of a model.
type Source struct {
	Tree   *tree.Tree
	Next   *tree.Tree // whose turn is likely next; nil: none
	Weight float64    // factor of the tree's values in the scores
	Output int32      // score that it feeds; -1 = all, each by one of its values
	// what weighted values are divided by, for each score; nil = they are not
	Divisors []float64
	Place    []int32 // by feature of the tree: the column of blocks that holds it
	Index    Index   // what is computed
	// Cover, if not nil, has the rows that are counted at each node in place of training weights.
	Cover *Background
	// Background, if not nil, has the rows that stand for unknown values. Else these are averaged
	// by the training weights of branches.
	Background *Background
	// by column of blocks: its player, which several columns may share. With a background -1 = it
	// is derived of several.
	Player  []int32
	Derived []*Derived // with a background, by column; nil elements: it is one player's
}

// node is a node of a tree as the games need it.
type node struct {
	split    float64  // of numbers
	set      []uint64 // of sets
	kind     tree.Kind
	column   int32 // of blocks; -1 at leaves
	player   int32
	child    int32 // the first
	arity    int32
	missing  int32   // which child a missing value goes to, from 0
	fraction float64 // of the parent's training weight
	// of leaves: their values are games.values[value:end]
	value, end int32
}

// games is a tree in the form that tables and sets read, which takes several times its memory.
type games struct {
	survey
	nodes   []node
	values  []float64 // of leaves, weighted: one for each output
	output  int32     // the first score
	width   int       // scores
	players int       // of all trees
	limit   int       // largest number of players of a leaf that has a table
	bits    int       // of the indices of tables
	index   Index

	background *Background // nil: values that are not known are averaged by fraction
}

// newGames copies a tree. covers has by node the training weight, nil = no walk needs it.
func newGames(s *Source, covers []float64) (*games, error) {
	g := &games{nodes: make([]node, s.Tree.Len()), output: max(0, s.Output),
		width: s.Tree.Leaf.Width, players: s.players(), index: s.Index, limit: s.Index.most(),
		bits: s.Index.bits(), background: s.Background}
	if err := supported(s.Tree); err != nil {
		return nil, err
	}
	for n := range int32(s.Tree.Len()) {
		d := &g.nodes[n]
		d.kind, d.column, d.child, d.arity = s.Tree.Kind(n), -1, s.Tree.Child(n), s.Tree.Arity(n)
		for c := d.child; covers != nil && c < d.child+d.arity; c++ {
			g.nodes[c].fraction = fraction(covers[n], covers[c], d.arity)
		}
		if d.kind == tree.Leaf {
			d.value = int32(len(g.values))
			g.values = append(g.values, make([]float64, g.width)...)
			s.leafValue(g.values[d.value:], n)
			d.end = int32(len(g.values))
			continue
		}
		d.column, d.split = s.Place[s.Tree.Feature(n)], s.Tree.SplitPoint(n)
		if d.player = s.Player[d.column]; d.player < 0 {
			return nil, &UnsupportedError{"splits on a column that is made of several"}
		}
		d.set, d.missing = s.Tree.Set(n), s.Tree.NextMissing(n)-d.child
	}
	g.survey = s.survey()
	return g, nil
}

// fraction returns that of a node's training weight which a child has. Below a node without weight
// they are equal.
func fraction(all, child float64, arity int32) float64 {
	if all > 0 {
		return child / all
	}
	return 1 / float64(arity)
}

// count returns the number of rows of Cover that pass through each node.
func (s *Source) count() []float64 {
	covers := make([]float64, s.Tree.Len())
	for _, row := range s.Cover.lines() {
		n := int32(0)
		covers[n]++
		for s.Tree.Kind(n) != tree.Leaf {
			n = s.next(n, row[s.Place[s.Tree.Feature(n)]])
			covers[n]++
		}
	}
	return covers
}

// next returns the child that a value of a node's column leads to.
func (s *Source) next(n int32, x float64) int32 {
	if child := by(s.Tree, n, x); child >= 0 {
		return child
	}
	return s.Tree.NextMissing(n)
}

// supported returns an error if a row's way down a tree depends on more than single columns.
func supported(t *tree.Tree) error {
	if t.Leaf.Linear != nil {
		return &UnsupportedError{"linear equations in leaves"}
	}
	for n := range int32(t.Len()) {
		d := &t.Nodes[n]
		if d.Kind() < tree.Oblique && d.Missing() < tree.MissingFractional {
			continue
		}
		if d.Kind() >= tree.Oblique {
			return &UnsupportedError{"splits on several columns"}
		}
		switch d.Missing() {
		case tree.MissingFractional:
			return &UnsupportedError{"nodes that divide rows with missing values"}
		case tree.MissingStop:
			return &UnsupportedError{"nodes where rows with missing values end"}
		case tree.MissingSurrogate:
			if s := t.Surrogates; s != nil && s.At[n+1] > s.At[n] {
				return &UnsupportedError{"surrogate splits"}
			}
		}
	}
	return nil
}

// leafValue writes the weighted values of a leaf: numbers, or the fractions of classes.
func (s *Source) leafValue(dst []float64, n int32) {
	v := s.Tree.Value(n)
	if s.Tree.Leaf.Kind == tree.Counts {
		tree.Probabilities(dst, v)
	} else {
		copy(dst, v)
	}
	for i := range dst {
		dst[i] *= s.Weight
		if s.Divisors != nil {
			dst[i] /= s.Divisors[int(max(0, s.Output))+i]
		}
	}
}

// survey is what decides whether tables of a tree pay.
type survey struct {
	most   int // largest number of players that the path to a leaf tests
	leaves int64
	work   int64 // of tables of all leaves, a part of which has 2^bits entries
}

// players returns the number of players of all trees.
func (s *Source) players() int {
	most := int32(0)
	for _, player := range s.Player {
		most = max(most, player+1)
	}
	return int(most)
}

// survey counts the players of all leaves.
func (s *Source) survey() survey {
	var of survey
	tested := make([]int32, s.players()) // how often on the path
	var visit func(n int32, different int)
	visit = func(n int32, different int) {
		d := &s.Tree.Nodes[n]
		if d.Kind() == tree.Leaf {
			of.most = max(of.most, different)
			of.leaves++
			of.work += int64(max(s.Index.work(min(different, 20)), different<<s.Index.bits()))
			return
		}
		player := s.Player[s.Place[d.Feature()]]
		if tested[player]++; tested[player] == 1 {
			different++
		}
		for c := d.Child(); c < d.Child()+d.Arity(); c++ {
			visit(c, different)
		}
		tested[player]--
	}
	visit(0, 0)
	return of
}
