package gosource_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/gosource"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
)

// fields have names and levels that are no identifiers, that are equal, and one that a function
// has, and more levels than a word has bits.
func fields() []data.Field {
	many := make([]string, 100)
	for i := range many {
		many[i] = fmt.Sprintf("level-%d", i)
	}
	return []data.Field{{Name: "x"}, {Name: "9 rows"}, {Name: "X"},
		{Name: "row", Kind: data.Categorical, Levels: []string{"a b", "a_b", "", "\"é\n"}},
		{Name: "predict", Kind: data.Categorical, Levels: many}}
}

// random returns trees, few of them without a split.
func random(t *testing.T, kind tree.LeafKind, width, n int) []*tree.Tree {
	t.Helper()
	var all []*tree.Tree
	for seed := 0; len(all) < n; seed++ {
		made := treetest.Tree(treetest.Shape{Fields: fields(), Kind: kind, Width: width,
			Splits: 1 + seed%4}).Example(seed)
		if made.Len() > 1 || seed%7 == 0 {
			all = append(all, made)
		}
	}
	return all
}

func ensemble(task data.Task, trees ...*tree.Tree) *model.Ensemble {
	return &model.Ensemble{Trees: trees, Meta: model.Spec{Task: task, Label: "the\nlabel",
		Schema: data.Schema{Fields: fields()}}}
}

// models are ensembles of each way to combine, each link, and each form of leaves.
func models(t *testing.T) []*model.Ensemble {
	scalar := random(t, tree.Scalar, 1, 24)
	sum := ensemble(data.Regression, scalar[:8]...)
	sum.Bias, sum.Link = []float64{0.25}, link.Exp()
	two := ensemble(data.Binary, scalar[8:16]...)
	two.Meta.Classes, two.Link, two.Bias = []string{"no", "no!"}, link.Logistic(), []float64{-0.1}
	scaled := ensemble(data.Binary, scalar[16:]...)
	scaled.Meta.Classes, scaled.Link = []string{"no", "yes"}, link.ScaledLogistic(0.7)
	scaled.Meta.Decision = model.Decision{Threshold: 0.3, FirstPositive: true}
	three := ensemble(data.Multiclass, scalar[:9]...)
	three.Meta.Classes, three.Link = []string{"a", "b", ""}, link.Softmax()
	three.Output, three.Bias = []int32{0, 1, 2, 0, 1, 2, 0, 1, 2}, []float64{1, 2, -3}
	forest := ensemble(data.Multiclass, random(t, tree.Counts, 3, 12)...)
	forest.Meta.Classes, forest.Combine = []string{"a", "b", "c"}, model.Mean
	weighted := ensemble(data.Regression, random(t, tree.Vector, 2, 5)...)
	weighted.Weights, weighted.Bias = []float64{1, 0.5, -2, 3, 0.1}, []float64{1, 2}
	mean := ensemble(data.Regression, scalar[:5]...)
	mean.Combine, mean.Bias = model.Mean, []float64{10}
	binary := ensemble(data.Regression, simple(scalar)...)
	vectors := ensemble(data.Regression, simple(random(t, tree.Vector, 2, 20))...)
	square := ensemble(data.Regression, simple(scalar)...)
	square.Link = link.SignedSquare()
	each := ensemble(data.Multiclass, simple(scalar)[:6]...)
	each.Meta.Classes, each.Link, each.Output = three.Meta.Classes, link.OneVsAll(), []int32{0, 1, 2, 0, 1, 2}
	tiny := *each
	tiny.Bias = []float64{-800, -801, -900}
	return []*model.Ensemble{sum, two, scaled, three, forest, weighted, mean,
		ensemble(data.Regression, scalar[0]), binary, vectors, square, each, &tiny, nonzeros()}
}

// linked are models of every link: one score for two classes, one score, or three scores.
func linked(t *testing.T) []*model.Ensemble {
	scalar := random(t, tree.Scalar, 1, 6)
	var all []*model.Ensemble
	add := func(l link.Link, task data.Task, classes []string, scores int) {
		m := ensemble(task, scalar...)
		m.Link, m.Meta.Classes = l, classes
		for i := range scalar { // scores between 0 and 1, of which every link makes a number
			m.Bias, m.Weights = append(m.Bias[:min(i, scores-1)], 0.5), append(m.Weights, 1./64)
			m.Output = append(m.Output, int32(i%scores))
		}
		all = append(all, m)
	}
	for _, l := range link.Table() {
		switch d := l.Describe(); {
		case d.Symmetric, l == link.Step(), l == link.Clipped():
			add(l, data.Binary, []string{"no", "yes"}, 1)
		default:
			add(l, data.Regression, nil, 3)
		}
	}
	add(link.Softmax(), data.Regression, nil, 1)
	add(link.Softplus(), data.Regression, nil, 1)
	return all
}

// decided are models that choose their labels by costs, or by the threshold of anomalies.
func decided(t *testing.T) []*model.Ensemble {
	costly := ensemble(data.Multiclass, random(t, tree.Counts, 3, 4)...)
	costly.Meta.Classes, costly.Combine = []string{"a", "b", "c"}, model.Mean
	costly.Meta.Decision.Costs = data.Costs{{0, 1, 4}, {2, 0, 0.1}, {0.3, 7, 0}}
	scalar := random(t, tree.Scalar, 1, 4)
	two := ensemble(data.Binary, scalar...)
	two.Meta.Classes, two.Link = []string{"no", "yes"}, link.Logistic()
	two.Meta.Decision.Costs = data.Costs{{0, 1}, {5, 0}}
	anomalies := ensemble(data.Anomaly, scalar...)
	anomalies.Meta.Classes, anomalies.Link = []string{"normal", "anomaly"}, link.Halving()
	anomalies.Meta.Decision.Threshold = 0.7
	return []*model.Ensemble{costly, two, anomalies}
}

// refusing returns the models as ones that refuse missing and unseen values, also in columns that
// no tree uses. Each accepts missing ones in one column.
func refusing(all ...*model.Ensemble) []*model.Ensemble {
	changed := make([]*model.Ensemble, len(all))
	for i, m := range all {
		c := *m
		c.Meta.Schema.Fields = slices.Clone(m.Meta.Schema.Fields)
		for k := range c.Meta.Schema.Fields {
			f := &c.Meta.Schema.Fields[k]
			if k != i%len(c.Meta.Schema.Fields) {
				f.Missing = data.Refuse
			}
			if i%3 > 0 {
				f.Unseen = data.Refuse
			}
		}
		changed[i] = &c
	}
	return changed
}

// accepted returns the rows that the model does not refuse.
func accepted(m *model.Ensemble, rows [][]float64) [][]float64 {
	check := m.RowCheck()
	return slices.DeleteFunc(rows, func(row []float64) bool { return check(row) != nil })
}

// withoutPrediction returns a model of which some leaves of plain trees have no prediction.
func withoutPrediction(t *testing.T) *model.Ensemble {
	t.Helper()
	var trees []*tree.Tree
	for _, set := range [][]uint64{{2}, {0x100000004, 1 << 3}} { // a word, and more than one
		b := tree.NewBuilder(tree.Scalar, 1, false)
		first := b.Split(0, tree.Split{Kind: tree.Numeric, SplitPoint: 1, Missing: tree.MissingFirst})
		b.SetValue(first, []float64{1.5})
		f := int32(slices.IndexFunc(fields(), func(f data.Field) bool {
			return f.Kind == data.Categorical && len(f.Levels) > 64*(len(set)-1)+3
		}))
		second := b.Split(first+1, tree.Split{Kind: tree.SetFirst, Feature: f, Set: set, Missing: tree.MissingLast})
		b.SetValue(second, []float64{-2})
		made, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, made)
	}
	m := ensemble(data.Regression, trees...)
	m.Refused = []model.Refused{{Tree: 0, Leaf: 4}, {Tree: 1, Leaf: 3}}
	return m
}

// nonzeros is a model with columns in which zeros are missing, in splits and in equations.
func nonzeros() *model.Ensemble {
	const first, third = 5, 6 // the columns of the fields 0 and 2
	b := tree.NewBuilder(tree.Scalar, 1, false)
	child := b.Split(0, tree.Split{Kind: tree.Numeric, Feature: first, SplitPoint: -2})
	b.SetValue(child, []float64{1})
	b.SetLinear(child, 0.25, []tree.Term{{Feature: 1, Coef: 0.1}, {Feature: third, Coef: -0.3}})
	inner := b.Split(child+1, tree.Split{Kind: tree.Numeric, Feature: 0, SplitPoint: 1,
		Missing: tree.MissingFirst})
	b.SetValue(inner, []float64{2})
	b.SetLinear(inner, -0.5, []tree.Term{{Feature: 0, Coef: 1.7}})
	b.SetValue(inner+1, []float64{3})
	built, err := b.Build()
	if err != nil {
		panic(err)
	}
	m := ensemble(data.Regression, built)
	m.Inputs.Numbers = []input.Number{{Source: 0}, {Source: 2}}
	return m
}

// statistics is a model whose trees compare target statistics and counts of categories.
func statistics(t *testing.T) *model.Ensemble {
	t.Helper()
	m := ensemble(data.Regression)
	r := rand.New(rand.NewPCG(5, 6))
	for _, source := range [][]int32{{3, 4}, {4}, {3}} {
		table := input.Table{Source: source}
		keys, _ := input.Keys(m.Meta.Schema.Fields, source)
		for k := range keys {
			if r.IntN(3) > 0 { // else no training row has it
				table.Key = append(table.Key, k)
				table.Count = append(table.Count, float64(1+r.IntN(4)))
			}
		}
		for range 2 * len(table.Key) { // of two outputs
			table.Sum = append(table.Sum, float64(r.IntN(30)-15))
		}
		at := int32(len(m.Inputs.Tables))
		m.Inputs.Tables = append(m.Inputs.Tables, table)
		m.Inputs.Columns = append(m.Inputs.Columns, input.Column{Kind: input.Count, Table: at},
			input.Column{Table: at, Output: at % 2, Prior: 1.5, Shift: -0.5, Weight: 0.25})
	}
	m.Inputs.Numbers = []input.Number{{Source: 0}}
	for seed := 0; len(m.Trees) < 12; seed++ {
		made := treetest.Tree(treetest.Shape{Fields: m.Features().Fields, Width: 1, Splits: 8}).Example(seed)
		m.Trees = append(m.Trees, simple([]*tree.Tree{made})...)
	}
	return m
}

// simple returns the trees that can be tables: those whose nodes compare one value, have two
// children, and send missing values to one of them.
func simple(trees []*tree.Tree) []*tree.Tree {
	return slices.DeleteFunc(slices.Clone(trees), func(t *tree.Tree) bool {
		return len(special(t)) > 0
	})
}

// special names what a tree has that tables cannot express.
func special(t *tree.Tree) map[string]bool {
	used := map[string]bool{}
	for n := range int32(t.Len()) {
		switch k := t.Kind(n); {
		case k == tree.Leaf:
			continue
		case k == tree.ByCode:
			used["by code"] = true
		case k == tree.Oblique:
			used["oblique"] = true
		case k == tree.Sphere:
			used["sphere"] = true
		}
		if s := t.Surrogates; s != nil && s.At[n] < s.At[n+1] {
			used["surrogates"] = true
		}
		switch t.Missing(n) {
		case tree.MissingStop:
			used["stop"] = true
		case tree.MissingFractional:
			used["divided"] = true
		}
	}
	return used
}

// The trees of TestBits have every kind of node and every rule.
func TestModelsHaveAllNodes(t *testing.T) {
	used := map[string]bool{}
	for _, m := range models(t) {
		for _, made := range m.Trees {
			maps.Copy(used, special(made))
		}
	}
	if len(used) != 6 {
		t.Errorf("trees have %v", used)
	}
}

// rows returns random rows: split points of random trees are small whole numbers.
func rows(n int) [][]float64 {
	r := rand.New(rand.NewPCG(1, 2))
	all := make([][]float64, n)
	for i := range all {
		for _, f := range fields() {
			x := float64(r.IntN(8) - 4)
			if f.Kind == data.Categorical {
				x = float64(r.IntN(len(f.Levels)+1) - 1)
			}
			if r.IntN(5) == 0 {
				x = math.NaN()
			}
			all[i] = append(all[i], x)
		}
	}
	return all
}

// TestBits compiles generated packages, and runs their generated tests: the predictions have the
// bits of the models' own, as functions and as tables.
func TestBits(t *testing.T) {
	tier.NotShort(t, "compiles a package for each model")
	folder := t.TempDir()
	var imports, runs bytes.Buffer // of one test of all packages: to link one for each takes long
	write(t, filepath.Join(folder, "go.mod"), []byte("module generated\n\ngo 1.13\n"))
	tables := 0
	all := models(t)
	vectors, derived := all[9], all[len(all)-1]
	all = append(all, statistics(t), withoutPrediction(t))
	all = append(all, refusing(vectors, derived)...)
	both := len(all) // these differ in their trees, and become functions and tables
	for i, m := range slices.Concat(all, refusing(linked(t)...), refusing(decided(t)...)) {
		if err := m.Validate(); err != nil {
			t.Fatalf("model %d: %v", i, err)
		}
		for form, nodes := range map[string]int{"functions": 0, "tables": -1} {
			if nodes < 0 && i >= both {
				continue
			}
			o := gosource.Options{Package: fmt.Sprintf("%s%d", form, i), Nodes: nodes}
			var source, test bytes.Buffer
			err := gosource.Write(&source, m, o)
			var unsupported *codec.UnsupportedError
			if errors.As(err, &unsupported) && nodes < 0 {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", o.Package, err)
			}
			if err := gosource.WriteTest(&test, m, o, accepted(m, rows(300))); err != nil {
				t.Fatal(err)
			}
			if nodes < 0 {
				tables++
			}
			write(t, filepath.Join(folder, o.Package, "model.go"), source.Bytes())
			write(t, filepath.Join(folder, o.Package, "predictions.go"), test.Bytes())
			fmt.Fprintf(&imports, "\t\"generated/%s\"\n", o.Package)
			for _, name := range []string{"TestPredictions", "TestRefused"} {
				if bytes.Contains(test.Bytes(), []byte("func "+name+"(")) {
					fmt.Fprintf(&runs, "\tt.Run(%q, %s.%s)\n", o.Package+" "+name, o.Package, name)
				}
			}
		}
	}
	write(t, filepath.Join(folder, "all_test.go"), []byte("package generated\n\nimport (\n\t\"testing\"\n\n"+
		imports.String()+")\n\nfunc TestAll(t *testing.T) {\n"+runs.String()+"}\n"))
	if tables < 6 {
		t.Errorf("%d models became tables", tables)
	}
	parsed(t, filepath.Join(folder, "parsed"))
	for _, args := range [][]string{{"test", "-vet=off", "./..."}, {"vet", "./..."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("go %s: %v\n%s", args[0], err, out)
		}
	}
}

// parsed writes a package whose test parses texts of a column of integers and one of other names.
func parsed(t *testing.T, folder string) {
	t.Helper()
	var trees []*tree.Tree
	for feature := range int32(2) {
		b := tree.NewLeafBuilder(tree.Scalar, 1)
		first := b.Split(0, tree.Split{Kind: tree.SetFirst, Feature: feature, Set: []uint64{0b10}})
		b.SetValue(first, []float64{1})
		b.SetValue(first+1, []float64{-1})
		grown, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, grown)
	}
	m := &model.Ensemble{Trees: trees, Meta: model.Spec{Task: data.Regression,
		Schema: data.Schema{Fields: []data.Field{
			{Name: "plot", Kind: data.Categorical, Levels: []string{"0", "10", "2"}},
			{Name: "name", Kind: data.Categorical, Levels: []string{"1", "true"}}}}}}
	var source bytes.Buffer
	if err := gosource.Write(&source, m, gosource.Options{Package: "parsed"}); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "model.go"), source.Bytes())
	write(t, filepath.Join(folder, "model_test.go"), []byte(`package parsed

import "testing"

func TestTexts(t *testing.T) {
	for text, want := range map[string]Plot{"0": Plot0, "0.0": Plot0, "10": Plot10, "10.00": Plot10, "2.": Plot2, "2.5": PlotUnseen,
		"1": PlotUnseen, ".0": PlotUnseen, "": PlotUnseen} {
		if got := ParsePlot(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]Name{"1": Name1, "1.0": NameUnseen, "TRUE": NameTrue} {
		if got := ParseName(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
`))
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// unknown is a link that has no source.
type unknown struct{}

func (unknown) Name() string    { return "unknown" }
func (unknown) Apply([]float64) {}
func (l unknown) Describe() link.Description {
	return link.Description{Kind: l, Factor: 1}
}

func TestUnsupported(t *testing.T) {
	plain := random(t, tree.Scalar, 1, 1)[0]
	for want, change := range map[string]func(m *model.Ensemble){
		"link": func(m *model.Ensemble) { m.Link = unknown{} },
		"pool": func(m *model.Ensemble) { m.Combine = model.Pool },
		"hashes": func(m *model.Ensemble) {
			m.Inputs.Combinations = []input.Combination{{Elements: []input.Element{{Source: 3}}}}
		},
	} {
		m := ensemble(data.Regression, plain)
		change(m)
		var unsupported *codec.UnsupportedError
		if err := gosource.Write(io.Discard, m, gosource.Options{}); !errors.As(err, &unsupported) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := gosource.Write(io.Discard, ensemble(data.Regression, plain),
		gosource.Options{Package: "9rows"}); err == nil {
		t.Error("a package name that is none")
	}
}
