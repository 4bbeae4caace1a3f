package h2o

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// file is a model as the archive has it.
type file struct {
	algorithm, distribution, version string

	label   string
	classes []string // nil: numbers
	names   []string
	levels  [][]string // by feature, nil: numbers
	start   float64    // of the scores
	link    link.Link
	cutoff  float64 // of the probability of the second class; 0: none

	scores int // trees of a round, each for a score
	trees  [][]node
	output []int32 // by tree: its score
	rounds []int32 // first tree of each
}

// links are the links of boosting, by the name of the distribution.
var links = map[string]link.Link{
	"bernoulli": link.Logistic(), "quasibinomial": link.Logistic(), "modified_huber": link.Logistic(),
	"multinomial": link.Softmax(), "gaussian": link.Identity(), "laplace": link.Identity(),
	"quantile": link.Identity(), "huber": link.Identity(), "poisson": link.Exp(), "gamma": link.Exp(),
	"tweedie": link.Exp(),
}

// linkNames are what H2O calls these links, where a file names one.
var linkNames = map[string]link.Link{"logit": link.Logistic(), "identity": link.Identity(),
	"log": link.Exp()}

// read reads a file and checks it. The rest of its memory is for the model.
func read(r io.ReaderAt, size int64, l codec.Limits) (*file, *foreign.Budget) {
	a := open(r, size, l)
	m := a.readIni()
	f := &file{algorithm: m.info["algo"], distribution: m.info["distribution"],
		version: m.info["h2o_version"]}
	f.describe(a, m)
	f.readTrees(a, m)
	return f, a.Budget
}

// describe reads what the model predicts, and from what.
func (f *file) describe(a *archive, m *ini) {
	version, err := strconv.ParseFloat(m.info["mojo_version"], 64)
	switch {
	case f.algorithm != "gbm" && f.algorithm != "drf":
		unsupported("a model of the algorithm %.40q: gbm and drf are read; of a stacked "+
			"ensemble give the members one by one", f.algorithm)
	case err != nil:
		corrupt(iniName, "mojo_version is %q", m.info["mojo_version"])
	case version < 1.2 || version > 1.4:
		unsupported("MOJO version %v: 1.2 to 1.4 are read, of H2O 3.12 and later", version)
	case m.info["balance_classes"] == "true":
		unsupported("probabilities that are corrected for balanced classes")
	case m.info["offset_column"] != "" && m.info["offset_column"] != "null":
		unsupported("the offset column %.40q", m.info["offset_column"])
	}
	if encoding := m.info["_genmodel_encoding"]; !slices.Contains([]string{"", "AUTO", "Enum",
		"SortByResponse"}, encoding) {
		unsupported("categories by the encoding %.40q", encoding)
	}
	features := m.count("n_features")
	if features > len(m.columns) || features > tree.MaxFeatures {
		corrupt(iniName, "%d features of %d columns", features, len(m.columns))
	}
	f.names = m.columns[:features]
	for i := range features {
		f.levels = append(f.levels, a.levels(m, i))
	}
	f.target(a, m)
}

// target reads the classes, and what makes a response of the scores.
func (f *file) target(a *archive, m *ini) {
	classes := m.count("n_classes")
	last := len(m.columns) - 1
	if last >= len(f.names) {
		f.label = m.columns[last]
	}
	if classes > 1 {
		f.classes = a.levels(m, last)
		if len(f.classes) != classes {
			corrupt(iniName, "%d classes, and the label has %d", classes, len(f.classes))
		}
	}
	f.scores = 1
	if classes == 2 {
		cutoff, err := strconv.ParseFloat(m.info["default_threshold"], 64)
		if err == nil && cutoff > 0 && cutoff < 1 {
			f.cutoff = cutoff
		}
	}
	if f.algorithm == "drf" {
		if classes > 2 || m.info["binomial_double_trees"] == "true" {
			f.scores, f.link = classes, link.Clipped()
		}
		return
	}
	known := false
	if f.link, known = links[f.distribution]; !known {
		unsupported("the distribution %.40q", f.distribution)
	}
	if name := m.info["link_function"]; name != "" && f.distribution != "multinomial" {
		if f.link, known = linkNames[name]; !known {
			unsupported("the link function %.40q", name)
		}
	}
	several := f.distribution == "multinomial"
	switch {
	case several && classes == 2:
		unsupported("the distribution multinomial of two classes")
	case several != (classes > 2), (f.link == link.Logistic()) != (classes == 2):
		corrupt(iniName, "%d classes of the distribution %s", classes, f.distribution)
	case several:
		f.scores = classes
		return
	}
	start, err := strconv.ParseFloat(m.info["init_f"], 64)
	if err != nil || !(math.Abs(start) <= math.MaxFloat64) {
		corrupt(iniName, "init_f is %q", m.info["init_f"])
	}
	f.start = start
}

// readTrees reads the trees, round by round. Rounds of several classes may lack some.
func (f *file) readTrees(a *archive, m *ini) {
	rounds := m.count("n_trees")
	if n := m.info["n_trees_per_class"]; n != "" && n != strconv.Itoa(f.scores) {
		unsupported("%.20s trees for each class, of %d scores", n, f.scores)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if m.info["endianness"] == "BIG_ENDIAN" {
		order = binary.BigEndian
	}
	for round := range rounds {
		for score := range f.scores {
			name := fmt.Sprintf("trees/t%02d_%03d.bin", score, round)
			if f.scores > 1 && !a.has(name) {
				continue
			}
			r := &treeReader{archive: a, name: name, b: a.read(name), order: order}
			nodes := r.read(len(f.names))
			f.check(name, nodes)
			if score == 0 || len(f.rounds) == 0 {
				f.rounds = append(f.rounds, int32(len(f.trees)))
			}
			f.trees, f.output = append(f.trees, nodes), append(f.output, int32(score))
		}
	}
	if len(f.trees) == 0 {
		corrupt(iniName, "there is no tree")
	}
}

// check checks that sets are of columns with categories, and that scores that are divided by their
// sum are fractions.
func (f *file) check(name string, nodes []node) {
	for i := range nodes {
		if n := &nodes[i]; n.kind == set && f.levels[n.feature] == nil {
			corrupt(name, "a set of categories of column %q, which has none", f.names[n.feature])
		} else if n.kind == leaf && n.value < 0 && f.link == link.Clipped() {
			corrupt(name, "a leaf has the fraction %v", n.value)
		}
	}
}

// model makes the model.
func (f *file) model(b *foreign.Budget) (*model.Ensemble, error) {
	spec := model.Spec{Schema: foreign.Schema(f.names, f.levels), Label: f.label,
		Learner: formatName, Classes: f.classes, Task: data.Regression}
	switch {
	case len(f.classes) == 2:
		spec.Task = data.Binary
		if f.cutoff > 0 { // H2O's label is the second class from the threshold on
			spec.Decision.Threshold = math.Nextafter(f.cutoff, 0)
		}
	case f.classes != nil:
		spec.Task = data.Multiclass
	}
	e := &model.Ensemble{Meta: spec, Link: f.link, Rounds: f.rounds,
		Origin: &model.Origin{Tool: "H2O", Version: f.version, Objective: f.distribution}}
	switch {
	case f.algorithm != "drf":
		e.Bias = slices.Repeat([]float64{f.start}, f.scores)
	case f.scores == 1:
		e.Combine, e.Rounds = model.Mean, nil
	}
	if f.scores > 1 {
		e.Output = f.output
	}
	for i := range f.trees {
		t, leaves, err := f.tree(b, f.trees[i])
		if err != nil {
			return nil, fmt.Errorf("tree %d: %w", i, err)
		}
		e.Trees, e.Origin.Leaf = append(e.Trees, t), append(e.Origin.Leaf, leaves)
	}
	return e, e.Validate()
}

// tree makes a tree, and the number of the leaf of each of its nodes. Leaves of a forest with one
// score for two classes hold the probability of the first one.
func (f *file) tree(b *foreign.Budget, nodes []node) (*tree.Tree, []int32, error) {
	s := foreign.Source{Nodes: len(nodes), Kind: tree.Scalar, Width: 1}
	forest := f.algorithm == "drf" && f.classes != nil && f.scores == 1
	if forest {
		s.Kind, s.Width = tree.Vector, 2
	}
	b.Need(4 * int64(len(nodes)))
	number := leafNumbers(nodes)
	s.Node = func(i int32, n *foreign.Node) error {
		from := &nodes[i]
		if from.kind == leaf {
			n.Number, n.Value = number[i], append(n.Value, float64(from.value))
			if forest {
				n.Value = append(n.Value, 1-float64(from.value))
			}
			return nil
		}
		n.Children = append(n.Children, from.children[0], from.children[1])
		n.Split.Feature = from.feature
		if n.Split.Missing = tree.MissingLast; from.left {
			n.Split.Missing = tree.MissingFirst
		}
		f.split(b, n, from)
		return nil
	}
	return foreign.Grow(s, b)
}

// leafNumbers returns for each node the number of leaves before it.
func leafNumbers(nodes []node) []int32 {
	number := make([]int32, len(nodes))
	for i := 1; i < len(nodes); i++ {
		if number[i] = number[i-1]; nodes[i-1].kind == leaf {
			number[i]++
		}
	}
	return number
}

// split makes the condition of a node.
func (f *file) split(b *foreign.Budget, n *foreign.Node, from *node) {
	levels := f.levels[from.feature]
	if levels == nil {
		n.Split.Kind = tree.Numeric
		switch v := float64(from.value); {
		case from.kind == known || v != v:
			n.Split.SplitPoint = math.Inf(1)
		case math.IsInf(v, -1):
			n.Never()
		default:
			n.Split.SplitPoint = math.Nextafter(v, math.Inf(-1))
		}
		return
	}
	// What the schema does not have goes opposite to the set, which is where missing values go.
	n.Split.Kind = tree.SetFirst
	if from.left {
		n.Split.Kind = tree.SetLast
	}
	words := max(1, (len(levels)+63)/64)
	b.Need(16 * int64(words))
	n.Split.Set = append(n.Split.Set, make([]uint64, words)...)
	for code := range levels {
		if from.right(float64(code), levels) == from.left {
			n.Split.Set[code/64] |= 1 << (code % 64)
		}
	}
}
