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
func readFile(r io.ReaderAt, size int64, b *foreign.Budget) (*file, error) {
	if err := b.Take(bytesPerFile + size); err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if n, err := r.ReadAt(data, 0); err != nil && !(err == io.EOF && n == len(data)) {
		if err == io.EOF {
			return nil, corrupt("file", int64(n), io.ErrUnexpectedEOF)
		}
		return nil, err
	}
	m, err := parse(data, b)
	if err != nil {
		return nil, err
	}
	f, err := m.file(b)
	if err != nil {
		return nil, wrap(err, "graph")
	}
	return f, nil
}

// treesOf finds the operator of trees of a graph, and by name the operator that makes a tensor.
func (m *onnxModel) treesOf(b *foreign.Budget) (
	trees *operator, producer map[string]int, err error,
) {
	producer = map[string]int{}
	for i := range m.nodes {
		o := &m.nodes[i]
		for _, name := range o.output {
			if err := b.Take(bytesPerName); err != nil {
				return nil, nil, err
			}
			producer[name] = i
		}
		if !slices.Contains(treeOperators, o.op) || o.domain != treeDomain {
			continue
		}
		if trees != nil {
			return nil, nil, unsupported("two operators of trees: %s and %s", trees.op, o.op)
		}
		trees = o
	}
	if trees == nil {
		return nil, nil, unsupported("a graph without %s, %s or %s%s", treeOperators[0],
			treeOperators[1], treeOperators[2], m.others())
	}
	return trees, producer, nil
}

// file finds the trees of a graph, and what is before and after them.
func (m *onnxModel) file(b *foreign.Budget) (*file, error) {
	trees, producer, err := m.treesOf(b)
	if err != nil {
		return nil, err
	}
	if len(trees.input) != 1 || len(trees.output) == 0 {
		return nil, unsupported("%s of %d inputs and %d outputs", trees.op, len(trees.input),
			len(trees.output))
	}
	e, err := readEnsemble(m.message, trees)
	if err != nil {
		return nil, err
	}
	f := &file{producer: m.producer, version: m.version, ensemble: e}
	in := &inputs{onnxModel: m, budget: b, producer: producer, first: map[string]int32{},
		width: map[string]int{}, element: map[string]element{}, least: e.leastColumns()}
	if f.fields, err = in.findFields(); err != nil {
		return nil, err
	}
	if !in.entry(levelsEntry, &f.levels) || len(f.levels) != len(f.fields) {
		f.levels = nil
	}
	if !in.entry(labelEntry, &f.label) {
		f.label = ""
	}
	t, err := in.table(trees.input[0], 0)
	if err != nil {
		return nil, err
	}
	if f.wide = t.element == float64s; t.element == int32s || t.element == int64s {
		t.add(step{change: rounded}) // they are compared in single precision
	}
	if f.columns = t.columns; len(f.columns) < in.least {
		return nil, e.damaged("column %d of %d", in.least-1, len(f.columns))
	}
	o, err := (&outputs{onnxModel: m, ensemble: e, producer: producer}).read()
	if err != nil {
		return nil, err
	}
	f.output = *o
	if n := len(f.base); n != 0 && n != f.targets && f.form == plain {
		return nil, e.damaged("%d base values of %d targets", n, f.targets)
	}
	return f, nil
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
