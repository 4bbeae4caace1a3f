package pmml

import "strconv"

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
func (p *reader) tree(e *element, replace map[int32]float64) *part {
	p.Need(512)
	t := &treeModel{classes: e.get("functionName") == "classification", weight: 1, fraction: true}
	if f := e.get("functionName"); !t.classes && f != "regression" {
		refuse("functionName %.50q", f)
	}
	var ok bool
	if t.missing, ok = strategies[e.get("missingValueStrategy")]; !ok {
		refuse("missingValueStrategy %.50q", e.get("missingValueStrategy"))
	}
	switch s := e.get("noTrueChildStrategy"); s {
	case "", "returnNullPrediction":
	case "returnLastPrediction":
		t.last = true
	default:
		fail("noTrueChildStrategy %.50q", s)
	}
	m := &part{classes: t.classes, trees: []*treeModel{t}, factor: 1}
	r := &treeReader{p, t, map[int32]bool{}}
	p.children(func(e *element) {
		switch e.name {
		case "MiningSchema":
			replace = p.miningSchema(replace)
		case "Node":
			if len(t.nodes) > 0 {
				fail("a tree with two roots")
			}
			r.node(e)
		default:
			p.about(e, m)
		}
	})
	if len(t.nodes) == 0 {
		fail("a tree without nodes")
	}
	if t.replace = replace; r.numbers == nil {
		for i := range t.nodes {
			t.nodes[i].number = int32(i + 1)
		}
	}
	return m
}

// node reads a node with those below it, and returns its number and its id.
func (p *treeReader) node(e *element) (place int32, id string) {
	t := p.t
	t.nodes = grow(t.nodes, bytesPerNode, p.Budget)
	place, id = int32(len(t.nodes)), e.get("id")
	t.nodes = append(t.nodes, p.bare(e, id))
	fallback, defaultID := int32(-1), e.get("defaultChild")
	before, known := int32(-1), false
	p.children(func(e *element) {
		switch {
		case isPredicate(e.name):
			if known {
				fail("a node with two predicates")
			}
			known = true
			t.nodes[place].predicate = p.predicate(e)
		case e.name == "ScoreDistribution":
			p.distribution(place, e)
		case e.name == "Node":
			child, id := p.node(e)
			if id == defaultID && id != "" {
				fallback = child
			}
			if before < 0 {
				t.nodes[place].first = child
			} else {
				t.nodes[before].next = child
			}
			before = child
		default:
			p.unknown(e)
		}
	})
	t.nodes[place].fallback = fallback
	switch {
	case !known:
		fail("a node without a predicate")
	case defaultID != "" && fallback < 0 && t.missing == defaultChild:
		fail("the default child %.50q is not among the children", defaultID)
	}
	p.finish(&t.nodes[place])
	return place, id
}

// bare reads the attributes of a node.
func (p *treeReader) bare(e *element, id string) (n fileNode) {
	n = fileNode{first: -1, next: -1, fallback: -1, class: -1}
	n.count = e.number("recordCount", -1)
	n.number = p.numberOf(id)
	if score := e.get("score"); score != "" {
		if n.scored = true; !p.t.classes {
			n.value = number(score)
		} else {
			n.class = p.f.classCode(score, p.reader)
		}
	}
	return n
}

// unknown skips an element that has no part in predictions, and refuses one that may have.
func (p *treeReader) unknown(e *element) {
	if e.name != "Extension" && e.name != "Partition" {
		refuse("%.50s in a node", e.name)
	}
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
func (p *treeReader) distribution(place int32, e *element) {
	code := p.f.classCode(e.get("value"), p.reader)
	count := e.number("probability", -1)
	if count < 0 {
		count = e.number("recordCount", -1)
	}
	if count < 0 {
		fail("a class has less than no rows")
	}
	n := &p.t.nodes[place]
	if int(code) >= len(n.counts) {
		classes := max(int(code)+1, len(p.f.target.levels))
		p.Need(8 * int64(classes))
		n.counts = append(make([]float64, 0, classes), n.counts...)[:classes]
	}
	n.counts[code] = count
}

// finish adds up the rows of a node, and finds its class where it has no score.
func (p *treeReader) finish(n *fileNode) {
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
		return
	}
	if n.class < 0 && p.t.classes {
		n.class, n.scored = best, true
	}
}
