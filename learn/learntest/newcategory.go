package learntest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// A NewCategory is what is checked of the predictions for a category that training had not, and for
// a missing one where training had none, on random tables of one column of ten categories, or of
// another number.
type NewCategory struct {
	// the model is one tree, grown on all rows: its answer is that of grow.UnseenLast, by brute
	// force
	Tree bool
	// the prediction lies between the quartiles of those of the training rows in 80 % of the tables
	Quartiles bool
	// of the tables; 0 = 10
	Categories int
	// the categories weigh the same, so that means and hashes decide
	Equal bool
	// the column is one of numbers, of which none is missing in training: no category is new
	Numbers bool
	// the categories are ordered by their names, so that others may make another model
	Ordered bool
	// relative difference of two predictions that are the same: 0 where sums have one order
	Tolerance float64
}

// leastShare is the fraction of the tables in which a prediction lies between the quartiles.
const leastShare = 0.8

// newCategoryTables is the number of random tables by night; by day they are fewer.
const newCategoryTables = 200

// Run checks a learner that make returns.
func (c NewCategory) Run(t *testing.T, make func() learn.Learner) {
	t.Helper()
	learner := make()
	needs := learner.Capabilities().Needs
	within, of := 0, 0
	tables := tier.Count(8, 40, newCategoryTables)
	for i := range tables {
		task := newCategoryTask(needs, i)
		ds, renamed := c.table(task, uint64(i))
		fit := func(ds *data.Dataset) model.Model {
			return MustFit(t, learn.Env{Workers: 1}, learner, ds, learn.Job{Seed: uint64(i), Workers: 1})
		}
		m := fit(ds)
		new := predict(t, m, c.query())
		all := predict(t, m, ds.Frame)
		table := fmt.Sprintf("table %d (%s)", i, task)
		if !c.Ordered && !c.Numbers {
			other := fit(renamed)
			c.compare(t, table, slices.Concat(new, all), slices.Concat(
				predict(t, other, c.query()), predict(t, other, renamed.Frame)))
		}
		if c.Tree {
			c.checkTree(t, table, m.(*model.Ensemble), ds, new)
		}
		if k := m.Outputs(); c.Quartiles && (!task.Classes() || needs.Classes) {
			of++
			if betweenQuartiles(new[k-1], all, k) {
				within++
			}
		}
	}
	if !c.Quartiles {
		return
	}
	share := float64(within) / float64(of)
	t.Logf("between the quartiles in %.1f %% of %d tables", 100*share, of)
	least := leastShare
	if tables < newCategoryTables { // few may fall short by chance: by three standard errors, say
		least -= 3 * math.Sqrt(leastShare*(1-leastShare)/float64(of))
	}
	if share < least {
		t.Errorf("the prediction for a new category is between the quartiles of those for "+
			"training rows in %.1f %% of the tables, want %.0f %%", 100*share, 100*leastShare)
	}
}

// compare checks that predictions do not change where the categories have other names.
func (c NewCategory) compare(t *testing.T, table string, want, renamed []float64) {
	t.Helper()
	for i, got := range renamed {
		if math.Abs(got-want[i]) > c.Tolerance*max(1, math.Abs(want[i])) {
			t.Errorf("%s: prediction %d is %v, and %v where the categories have other names", table,
				i, want[i], got)
			return
		}
	}
}

// betweenQuartiles reports whether a prediction is between the quartiles of the last of k outputs.
func betweenQuartiles(x float64, all []float64, k int) bool {
	var sorted []float64
	for i := k - 1; i < len(all); i += k {
		sorted = append(sorted, all[i])
	}
	slices.Sort(sorted)
	n := len(sorted) - 1
	slack := 1e-9 * max(1, math.Abs(x))
	return sorted[n/4]-slack <= x && x <= sorted[n-n/4]+slack
}

// newCategoryTask returns the task of a table: numbers in two of three, where the learner has both.
func newCategoryTask(needs learn.Needs, i int) data.Task {
	switch {
	case needs.Unsupervised:
		return data.Auto
	case i%6 == 0 && !needs.Survival || needs.Classes && i%2 == 0:
		return data.Binary
	case i%6 == 3 && !needs.Survival || needs.Classes:
		return data.Multiclass
	case needs.Survival:
		return data.Survival
	}
	return data.Regression
}

// sizes returns the numbers of rows of some categories, each with its own, or all the same.
func sizes(categories int, equal bool) []int {
	rows := make([]int, categories)
	for i := range rows {
		if rows[i] = 5; !equal {
			rows[i] = 1 + i + i/3
		}
	}
	return rows
}

// table returns a table of categories of unequal weight, whose means do not depend on the weights,
// and the same table with other names of the categories.
func (c NewCategory) table(task data.Task, seed uint64) (ds, renamed *data.Dataset) {
	r, categories := rng.New(29, seed), cmp.Or(c.Categories, 10)
	var code []uint32
	for c, n := range permuted(r, sizes(categories, c.Equal)) {
		for range n {
			code = append(code, uint32(c))
		}
	}
	code = permuted(r, code)
	target := data.Target{Name: "y", Task: task}
	if task != data.Auto {
		setNewLabels(&target, code, r)
	}
	names, other := make([]uint32, categories), make([]uint32, len(code))
	for i := range names {
		names[i] = uint32(i)
	}
	names = permuted(r, names)
	for i, c := range code {
		other[i] = names[c]
	}
	if c.Numbers {
		return numbersTable(code, target), nil
	}
	return codesTable(code, target), codesTable(other, target)
}

// setNewLabels gives each category a mean, or class probabilities, and rows labels around them.
func setNewLabels(target *data.Target, code []uint32, r *rng.Stream) {
	means := make([]float64, slices.Max(code)+1)
	for c := range means {
		means[c] = r.Float64()
	}
	classes := 2
	switch target.Task {
	case data.Regression, data.Survival:
		y := make([]float64, len(code))
		for i, c := range code {
			y[i] = 10*means[c] + r.Float64()/4
		}
		target.Y = [][]float64{y}
		return
	case data.Multiclass:
		classes = 3
	}
	for i := range classes {
		target.Classes = append(target.Classes, string(rune('p'+i)))
	}
	target.Class = make([]uint32, len(code))
	for i, c := range code {
		target.Class[i] = uint32(i % classes) // every class has a row
		if i >= classes {
			target.Class[i] = uint32(min(classes-1, int(float64(classes)*(means[c]+0.6*(r.Float64()-0.5)))))
		}
	}
}

// permuted returns values in a random order.
func permuted[T any](r *rng.Stream, values []T) []T {
	out := slices.Clone(values)
	for i := range out {
		j := i + r.Intn(len(out)-i)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// mostCategories is the number of categories of a table's dictionary.
const mostCategories = 26

// codesTable returns a table of one column of categories.
func codesTable(code []uint32, target data.Target) *data.Dataset {
	field := data.Field{Name: "g", Kind: data.Categorical}
	for i := range mostCategories {
		field.Levels = append(field.Levels, string(rune('a'+i)))
	}
	return &data.Dataset{Target: target,
		Frame: mustFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{data.Codes(code)})}
}

// numbersTable returns a table of one column of numbers.
func numbersTable(numbers []uint32, target data.Target) *data.Dataset {
	x := make([]float64, len(numbers))
	for i, v := range numbers {
		x[i] = float64(v)
	}
	return &data.Dataset{Target: target,
		Frame: mustFrame(data.Schema{Fields: []data.Field{{Name: "g"}}},
			[]data.Column{data.Numbers(x)})}
}

// query returns a row of a category that training had not, and one without a category.
func (c NewCategory) query() *data.Frame {
	if c.Numbers {
		return mustFrame(data.Schema{Fields: []data.Field{{Name: "g"}}},
			[]data.Column{data.Numbers([]float64{math.NaN(), math.NaN()})})
	}
	return mustFrame(data.Schema{Fields: []data.Field{{Name: "g", Kind: data.Categorical,
		Levels: []string{"new"}}}}, []data.Column{data.Codes([]uint32{0, data.MissingCode})})
}

// checkTree compares the predictions of one tree for a new and a missing category with those
// by brute force.
func (c NewCategory) checkTree(t *testing.T, table string, m *model.Ensemble, ds *data.Dataset,
	new []float64) {
	t.Helper()
	if m.Combine == model.Sum && ds.Target.Task != data.Regression {
		return // leaves are scores of classes, of which brute force knows nothing
	}
	if len(m.Trees) != 1 {
		t.Fatalf("%s: %d trees, want 1", table, len(m.Trees))
	}
	b := bruteForce{m.Trees[0], ds}
	b.check(t, c.Numbers)
	rows := data.AllRows(ds.Rows())
	k := m.Outputs()
	for i, of := range []string{"a new category", "a missing category"} {
		answers := b.answers(0, rows, b.mean(rows), i == 1)
		got := slices.Clone(new[i*k : (i+1)*k])
		for j, bias := range m.Bias {
			got[j] -= bias
		}
		if !slices.ContainsFunc(answers, func(want []float64) bool { return equalish(got, want) }) {
			t.Errorf("%s: the prediction for %s is %v, by brute force one of %v", table, of, got,
				answers)
		}
	}
}

func equalish(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Abs(x-y) <= 1e-9*max(1, math.Abs(y))
	})
}

// bruteForce is a tree with all rows that it was grown on, of one column of categories.
type bruteForce struct {
	tree *tree.Tree
	ds   *data.Dataset
}

// check fails where the tree is none that brute force is for.
func (b bruteForce) check(t *testing.T, numbers bool) {
	t.Helper()
	for n := range int32(b.tree.Len()) {
		if k := b.tree.Kind(n); k > tree.ByCode || k == tree.Numeric != numbers && k != tree.Leaf {
			t.Fatalf("node %d is of kind %d", n, k)
		}
	}
}

// mean returns the mean label of rows, of classes their fractions.
func (b bruteForce) mean(rows []int32) []float64 {
	target := &b.ds.Target
	mean := make([]float64, max(1, len(target.Classes)))
	for _, row := range rows {
		if target.Class != nil {
			mean[target.Class[row]] += 1 / float64(len(rows))
		} else {
			mean[0] += target.Y[0][row] / float64(len(rows))
		}
	}
	return mean
}

// answers returns what the tree may predict for a category without a row, or a missing one, below a
// node that the given training rows reach. It is one answer, or several where a hash decides.
func (b bruteForce) answers(n int32, rows []int32, root []float64, missing bool) [][]float64 {
	if b.tree.Kind(n) == tree.Leaf {
		value := slices.Clone(b.tree.Value(n))
		if b.tree.Leaf.Kind == tree.Counts {
			normalise(value)
		}
		return [][]float64{value}
	}
	sides := make([][]int32, b.tree.Arity(n))
	for _, row := range rows {
		to := b.next(n, row) - b.tree.Child(n)
		sides[to] = append(sides[to], row)
	}
	if b.tree.Kind(n) == tree.ByCode || missing && b.tree.Missing(n) == tree.MissingFractional {
		return b.divided(n, sides, root, missing)
	}
	var out [][]float64
	for _, to := range b.unseen(sides, root) {
		out = append(out, b.answers(b.tree.Child(n)+to, sides[to], root, missing)...)
	}
	return out
}

// next returns the child of a node that a training row goes to.
func (b bruteForce) next(n, row int32) int32 {
	column := &b.ds.Columns[0]
	if b.tree.Kind(n) == tree.Numeric {
		return b.tree.NextNumeric(n, column.Number(int(row)))
	}
	return b.tree.NextCode(n, column.Code(int(row)))
}

// divided is answers for a node that divides rows: one with a child for each category, or one of
// the rule missing=fractional. C4.5 and ID3 define what a row without a known category gets: the
// answers of all children, each by its fraction of the rows.
func (b bruteForce) divided(n int32, sides [][]int32, root []float64, missing bool) [][]float64 {
	total := 0
	for _, rows := range sides {
		total += len(rows)
	}
	var sum []float64
	for c, rows := range sides {
		if len(rows) == 0 {
			continue
		}
		answer := b.answers(b.tree.Child(n)+int32(c), rows, root, missing)[0]
		if sum == nil {
			sum = make([]float64, len(answer))
		}
		for i, v := range answer {
			sum[i] += v * float64(len(rows)) / float64(total)
		}
	}
	return [][]float64{sum}
}

// unseen returns the child of more rows, of as many the one whose mean is nearer to the root's, or
// both.
func (b bruteForce) unseen(sides [][]int32, root []float64) []int32 {
	first, last := len(sides[0]), len(sides[1])
	switch {
	case first > last:
		return []int32{0}
	case last > first:
		return []int32{1}
	}
	a, z := distance(b.mean(sides[0]), root), distance(b.mean(sides[1]), root)
	switch {
	case a < z-1e-9:
		return []int32{0}
	case z < a-1e-9:
		return []int32{1}
	}
	return []int32{0, 1}
}

// distance returns the square of the Euclidean distance.
func distance(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return sum
}

// normalise divides values by their sum.
func normalise(values []float64) {
	sum := kernel.Sum(values)
	for i := range values {
		values[i] /= sum
	}
}

// Cases checks tables of one column of few categories. Nine rows of 10 and one of 0: a new category
// gets 10, or the mean, whatever their names are; hazards have no such mean. Eight categories of 0
// to 7, ten rows each: what is said of quartiles holds.
func (c NewCategory) Cases(t *testing.T, make func() learn.Learner) {
	t.Helper()
	if n := make().Capabilities().Needs; c.Numbers || n.Unsupervised || n.Survival {
		return
	}
	const mean = 9
	predicted := func(code []uint32, y []float64) float64 {
		ds := codesTable(code, data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}})
		output := 0
		if make().Capabilities().Needs.Classes {
			ds.Target = data.Target{Name: "y", Task: data.Binary, Classes: []string{"0", "10"},
				Class: classesOf(y)}
			output = 1
		}
		m := MustFit(t, learn.Env{Workers: 1}, make(), ds, learn.Job{Workers: 1})
		return predict(t, m, c.query())[output]
	}
	y := []float64{10, 10, 10, 10, 10, 10, 10, 10, 10, 0}
	k1 := predicted([]uint32{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, y)
	k1b := predicted([]uint32{9, 9, 9, 9, 9, 9, 9, 9, 9, 1}, y)
	classes := make().Capabilities().Needs.Classes
	least, most := float64(mean), 10.0
	if classes {
		least, most = 0.5, 1
	}
	slack := max(1e-9, c.Tolerance)
	if !(least-0.1 <= k1 && k1 <= most+0.1) || math.Abs(k1-k1b) > slack {
		t.Errorf("of nine rows of 10 and one of 0, a new category gets %v, and %v where 10 is last "+
			"by name", k1, k1b)
	}
	if !c.Quartiles || classes {
		return
	}
	var code []uint32
	y = nil
	for i := range 80 {
		code, y = append(code, uint32(i%8)), append(y, float64(i%8))
	}
	if x := predicted(code, y); x < 1.75 || x > 5.25 {
		t.Errorf("of labels 0 to 7, a new category gets %v, want 1.75 to 5.25", x)
	}
}

// classesOf returns 1 for labels above 0.
func classesOf(y []float64) []uint32 {
	class := make([]uint32, len(y))
	for i, v := range y {
		if v > 0 {
			class[i] = 1
		}
	}
	return class
}
