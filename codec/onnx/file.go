package onnx

import (
	"io"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
)

// file is what a file predicts: trees, with what comes before and after them.
type file struct {
	producer, version string
	fields            []string    // names of the columns
	levels            []levelList // of the columns, as this project writes them; nil: not given
	label             string
	columns           []column // of the trees' input
	wide              bool     // values are compared and added in double precision
	*ensemble
	output
}

// treeOperators are the operators that hold trees.
var treeOperators = []string{"TreeEnsembleClassifier", "TreeEnsembleRegressor", "TreeEnsemble"}

// bytesPerFile bounds what decoding takes whatever the file has.
const bytesPerFile = 16 << 10

// readFile reads a file of size bytes.
func readFile(r io.ReaderAt, size int64, b *foreign.Budget) *file {
	b.Need(bytesPerFile + size)
	data := make([]byte, size)
	n, err := r.ReadAt(data, 0)
	if err == io.EOF && n < len(data) {
		err = corrupt("file", int64(n), io.ErrUnexpectedEOF)
	}
	if err != io.EOF {
		foreign.Check(err)
	}
	return parse(data, b).file(b)
}

// treesOf finds the operator of trees of a graph, and by name the operator that makes a tensor.
func (m *onnxModel) treesOf(b *foreign.Budget) (trees *operator, producer map[string]int) {
	producer = map[string]int{}
	for i := range m.nodes {
		o := &m.nodes[i]
		for _, name := range o.output {
			b.Need(bytesPerName)
			producer[name] = i
		}
		if !slices.Contains(treeOperators, o.op) || o.domain != treeDomain {
			continue
		}
		if trees != nil {
			refuse("two operators of trees: %s and %s", trees.op, o.op)
		}
		trees = o
	}
	if trees == nil {
		refuse("a graph without %s, %s or %s%s", treeOperators[0],
			treeOperators[1], treeOperators[2], m.others())
	}
	return trees, producer
}

// file finds the trees of a graph, and what is before and after them.
func (m *onnxModel) file(b *foreign.Budget) *file {
	trees, producer := m.treesOf(b)
	if len(trees.input) != 1 || len(trees.output) == 0 {
		refuse("%s of %d inputs and %d outputs", trees.op, len(trees.input),
			len(trees.output))
	}
	e := m.readEnsemble(trees)
	f := &file{producer: m.producer, version: m.version, ensemble: e}
	in := &inputs{onnxModel: m, budget: b, producer: producer, first: map[string]int32{},
		width: map[string]int{}, element: map[string]element{}, least: e.leastColumns()}
	f.fields = in.findFields()
	if !in.entry(levelsEntry, &f.levels) || len(f.levels) != len(f.fields) {
		f.levels = nil
	}
	if !in.entry(labelEntry, &f.label) {
		f.label = ""
	}
	t := in.table(trees.input[0], 0)
	if f.wide = t.element == float64s; t.element == int32s || t.element == int64s {
		t.add(step{change: rounded}) // they are compared in single precision
	}
	if f.columns = t.columns; len(f.columns) < in.least {
		e.damaged("column %d of %d", in.least-1, len(f.columns))
	}
	o := (&outputs{onnxModel: m, ensemble: e, producer: producer}).read()
	f.output = *o
	if n := len(f.base); n != 0 && n != f.targets && f.form == plain {
		e.damaged("%d base values of %d targets", n, f.targets)
	}
	return f
}

// others names the first operators of a graph without trees.
func (m *onnxModel) others() string {
	text := ""
	for i := range min(3, len(m.nodes)) {
		if text += ", "; i == 0 {
			text = ": it has "
		}
		text += safe(m.nodes[i].op)
	}
	if len(m.nodes) > 3 {
		text += ", ..."
	}
	return text
}

// safe returns a text for messages: at most 50 letters and digits.
func safe(text string) string {
	kept := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' ||
			strings.ContainsRune(".-_ ", r) {
			return r
		}
		return -1
	}, text[:min(len(text), 1000)])
	return kept[:min(len(kept), 50)]
}

// leastColumns returns the number of columns that the trees need.
func (e *ensemble) leastColumns() int {
	n := 1
	for i := range e.nodes {
		if d := &e.nodes[i]; d.mode != leaf {
			n = max(n, int(d.feature)+1)
		}
	}
	return n
}
