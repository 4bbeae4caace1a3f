package pmml

import (
	"errors"
	"fmt"
	"strconv"
)

// strategy is missingValueStrategy.
type strategy uint8

// The strategies.
const (
	noStrategy strategy = iota
	lastPrediction
	nullPrediction
	defaultChild
)

var strategies = map[string]strategy{"": noStrategy, "none": noStrategy,
	"lastPrediction": lastPrediction, "nullPrediction": nullPrediction, "defaultChild": defaultChild}

// fileNode is a node of a tree.
type fileNode struct {
	predicate
	first, next int32     // the first child, and the next child of its parent; -1: none
	fallback    int32     // the default child; -1: none
	number      int32     // its id, or its place from 1 on
	class       int32     // its class; -1: none
	value       float64   // its number
	count       float64   // recordCount; -1: none
	counts      []float64 // rows of each class; nil: unknown
	rows        float64   // their sum
	scored      bool      // it has a score
}

// bytesPerNode bounds the memory of a node.
const bytesPerNode = 184

// treeModel is a tree.
type treeModel struct {
	classes bool
	// rows of which it is not true get nothing of the tree; nil: it counts for all rows
	condition *predicate
	missing   strategy
	last      bool              // without a true child the node's own prediction is the answer
	replace   map[int32]float64 // by column: what stands for a missing value
	nodes     []fileNode        // the root first
	output    int32             // the score that it feeds
	weight    float64
	fraction  bool // a leaf's value is its class probabilities, else a vote or a number
}

// treeReader reads a tree.
type treeReader struct {
	*reader
	t       *treeModel
	numbers map[int32]bool // ids; nil: places are the numbers
}

// tree reads a TreeModel.
func (p *reader) tree(e *element, replace map[int32]float64) (*part, error) {
	if err := p.Take(512); err != nil {
		return nil, err
	}
	t := &treeModel{classes: e.get("functionName") == "classification", weight: 1, fraction: true}
	if f := e.get("functionName"); !t.classes && f != "regression" {
		return nil, unsupported("functionName %.50q", f)
	}
	var ok bool
	if t.missing, ok = strategies[e.get("missingValueStrategy")]; !ok {
		return nil, unsupported("missingValueStrategy %.50q", e.get("missingValueStrategy"))
	}
	switch s := e.get("noTrueChildStrategy"); s {
	case "", "returnNullPrediction":
	case "returnLastPrediction":
		t.last = true
	default:
		return nil, fmt.Errorf("noTrueChildStrategy %.50q", s)
	}
	m := &part{classes: t.classes, trees: []*treeModel{t}, factor: 1}
	r := &treeReader{p, t, map[int32]bool{}}
	err := p.children(func(e *element) (err error) {
		switch e.name {
		case "MiningSchema":
			replace, err = p.miningSchema(replace)
			return err
		case "Node":
			if len(t.nodes) > 0 {
				return errors.New("a tree with two roots")
			}
			_, _, err := r.node(e)
			return err
		}
		return p.about(e, m)
	})
	if err == nil && len(t.nodes) == 0 {
		err = errors.New("a tree without nodes")
	}
	if t.replace = replace; r.numbers == nil {
		for i := range t.nodes {
			t.nodes[i].number = int32(i + 1)
		}
	}
	return m, err
}

// node reads a node with those below it, and returns its number and its id.
func (p *treeReader) node(e *element) (place int32, id string, err error) {
	t := p.t
	if t.nodes, err = grow(t.nodes, bytesPerNode, p.Budget); err != nil {
		return 0, "", err
	}
	place, id = int32(len(t.nodes)), e.get("id")
	n, err := p.bare(e, id)
	if err != nil {
		return 0, "", err
	}
	t.nodes = append(t.nodes, n)
	fallback, defaultID := int32(-1), e.get("defaultChild")
	before, known := int32(-1), false
	err = p.children(func(e *element) error {
		switch {
		case isPredicate(e.name):
			if known {
				return errors.New("a node with two predicates")
			}
			known = true
			t.nodes[place].predicate, err = p.predicate(e)
			return err
		case e.name == "ScoreDistribution":
			return p.distribution(place, e)
		case e.name != "Node":
			return p.unknown(e)
		}
		child, id, err := p.node(e)
		if err != nil {
			return err
		}
		if id == defaultID && id != "" {
			fallback = child
		}
		if before < 0 {
			t.nodes[place].first = child
		} else {
			t.nodes[before].next = child
		}
		before = child
		return nil
	})
	t.nodes[place].fallback = fallback
	switch {
	case err != nil:
	case !known:
		err = errors.New("a node without a predicate")
	case defaultID != "" && fallback < 0 && t.missing == defaultChild:
		err = fmt.Errorf("the default child %.50q is not among the children", defaultID)
	default:
		err = p.finish(&t.nodes[place])
	}
	return place, id, err
}

// bare reads the attributes of a node.
func (p *treeReader) bare(e *element, id string) (n fileNode, err error) {
	n = fileNode{first: -1, next: -1, fallback: -1, class: -1}
	if n.count, err = e.number("recordCount", -1); err != nil {
		return n, err
	}
	n.number = p.numberOf(id)
	if score := e.get("score"); score != "" {
		if n.scored = true; !p.t.classes {
			n.value, err = finiteNumber(score)
		} else {
			n.class, err = p.f.classCode(score, p.reader)
		}
	}
	return n, err
}

// unknown skips an element that has no part in predictions, and refuses one that may have.
func (p *treeReader) unknown(e *element) error {
	switch e.name {
	case "Extension", "Partition":
		return p.skip()
	}
	return unsupported("%.50s in a node", e.name)
}

// numberOf returns an id as a number; once one is not, places are the numbers.
func (p *treeReader) numberOf(id string) int32 {
	x, err := strconv.ParseInt(id, 10, 32)
	if err != nil || x < 1 || p.numbers == nil || p.numbers[int32(x)] || p.Take(48) != nil {
		p.numbers = nil
		return 0
	}
	p.numbers[int32(x)] = true
	return int32(x)
}

// distribution reads the rows of a class in a node.
func (p *treeReader) distribution(place int32, e *element) error {
	code, err := p.f.classCode(e.get("value"), p.reader)
	if err != nil {
		return err
	}
	count, err := e.number("probability", -1)
	if err == nil && count < 0 {
		count, err = e.number("recordCount", -1)
	}
	if err == nil && count < 0 {
		err = errors.New("a class has less than no rows")
	}
	if err != nil {
		return err
	}
	n := &p.t.nodes[place]
	if int(code) >= len(n.counts) {
		classes := max(int(code)+1, len(p.f.target.levels))
		if err := p.Take(8 * int64(classes)); err != nil {
			return err
		}
		n.counts = append(make([]float64, 0, classes), n.counts...)[:classes]
	}
	n.counts[code] = count
	return p.skip()
}

// finish adds up the rows of a node, and finds its class where it has no score.
func (p *treeReader) finish(n *fileNode) error {
	best := int32(-1)
	n.rows = 0
	for k, x := range n.counts {
		n.rows += x
		if best < 0 || x > n.counts[best] {
			best = int32(k)
		}
	}
	if !(n.rows > 0 && n.rows*2 > n.rows) {
		n.counts = nil
		return nil
	}
	if n.class < 0 && p.t.classes {
		n.class, n.scored = best, true
	}
	return nil
}
