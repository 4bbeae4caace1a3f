package reproductions

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/c45"
	"github.com/coppice-ml/coppice/model"
)

// information is the textbook's table of twenty rows: entropies by hand, the column of most
// information, and the test whether it is more than chance.
var information = Reproduction{
	Name:  "information",
	Title: "Twenty rows of three binary columns: entropy, information gain, chi-squared",
	Source: "chapter on trees, section 9.1.10: H(Y) and the three information gains; Quinlan " +
		"1986 for the test",
	run: informationOf,
}

// informationGains are the gains as printed, of x1, x2 and x3.
var informationGains = []Print{"-0.0145", "0.0204", "0.0494"}

const informationMisprint = "joint probabilities stand in place of conditional ones"

// informationText describes the reproduction.
var informationText = []string{
	"12 rows are ones and 8 are zeros. The information gain of a " +
		"column is H(Y) - H(Y|X), where H(Y|X) is the mean entropy of its branches, weighted by " +
		"their rows. It is never negative. The gain ratio divides by the entropy of the branch " +
		"sizes (split information). A ? is printed there, with digits that are not known here.",
	"By formula: sums of p log2 p over the counts of the table below. The printed gains follow " +
		"if P(x, y) stands in place of P(y|x) in the entropy of each branch, before and in the " +
		"logarithm: H(Y) less the sum over x of P(x) (-sum over y of P(x, y) log2 P(x, y)). One " +
		"of them is negative.",
	"The chi-squared test asks how often a column without information has a table at least " +
		"as far from independence. No column here is significant at 5 %, so that id3 with " +
		"chi2=0.05 does not split at all.",
}

func informationOf(ctx context.Context, env *Env) *Result {
	ds := must(env.Read(ctx, "lectures/three_binary_features.csv", "y", 20))
	ds = asCategories(ds)
	m := fit(ctx, ds, learn.Job{}, c45.ID3Name)
	t := m.(*model.Ensemble).Trees[0]
	gains, best := gainsOf(ctx, ds, "entropy")
	r := &Result{Text: informationText,
		Claims: []Claim{{What: "H(Y), bits", Published: "0.970950594",
			Formula: given(bits(12, 8)), Ours: t.Stats.Impurity[0], Digits: 9}}}
	least, joint := informationTables(r, ds, gains)
	tested := fit(ctx, ds, learn.Job{}, c45.ID3Name, "chi2=0.05")
	leaves := tested.(*model.Ensemble).Trees[0].NumLeaves()
	root := ds.Schema.Fields[t.Feature(0)].Name
	r.Findings = []Finding{
		{What: "the root is x3", Holds: root == "x3" && best == 2, Found: "by id3 and by cart"},
		{What: "the printed gains are those of joint probabilities", Unpublished: true,
			Holds: joint < 0.00005, Found: fmt.Sprintf("they differ by %.6f at most", joint)},
		{What: "no column is significant at 5 %, and id3 with chi2=0.05 has one leaf",
			Unpublished: true, Holds: least > 0.05 && leaves == 1,
			Found: fmt.Sprintf("least p-value %.4f", least)},
	}
	r.Pictures = []Picture{treePicture("", "", m, "y", "entropy")}
	return r
}

// informationTables adds the tables of branches and of columns to a result, and the claims of the
// gains. It returns the least p-value, and by how much the printed gains differ from those of joint
// probabilities.
func informationTables(r *Result, ds *data.Dataset, gains []float64) (least, joint float64) {
	counts := Numbers{Title: "Branches: rows, and probabilities of y given x and of x given y",
		Columns: []string{"column", "x", "rows", "y = 0", "y = 1", "P(y=1|x)", "H(Y|X=x)",
			"P(x|y=0)", "P(x|y=1)"}}
	columns := Numbers{Title: "Columns",
		Columns: []string{"column", "H(Y|X)", "gain", "split information", "gain ratio",
			"chi-squared p", "H(Y|X) by joint probabilities", "gain by them"}}
	least = 1
	for at, field := range ds.Schema.Fields {
		n := countBranches(ds, at)
		left, sizes, mixed := 0.0, 0.0, 0.0
		var table []float64
		for v, level := range field.Levels {
			a, b := float64(n[v][0]), float64(n[v][1])
			left += float64((a + b) / 20 * bits(a, b))
			for _, n := range n[v] {
				p := float64(n) / 20
				mixed -= float64((a + b) / 20 * p * kernel.Log(p) / kernel.Log(2))
			}
			sizes -= float64((a + b) / 20 * kernel.Log((a+b)/20) / kernel.Log(2))
			table = append(table, a, b)
			for class, of := range []float64{a / 8, b / 12} {
				r.Claims = append(r.Claims, Claim{Published: unknown, Rule: Beside,
					What: fmt.Sprintf("P(%s=%s | y=%d)", field.Name, level, class),
					Ours: of, Digits: 4})
			}
			counts.add("%s | %s | %v | %v | %v | %.4f | %.4f | %.4f | %.4f", field.Name, level,
				a+b, a, b, b/(a+b), bits(a, b), a/8, b/12)
		}
		p := criterion.Independence(table, 2)
		least = min(least, p)
		columns.add("%s | %.6f | %.6f | %.4f | %.4f | %.4f | %.6f | %.6f", field.Name, left,
			gains[at], sizes, gains[at]/sizes, p, mixed, bits(12, 8)-mixed)
		printed, _ := informationGains[at].value()
		joint = max(joint, math.Abs(bits(12, 8)-mixed-printed))
		r.Claims = append(r.Claims, Claim{What: "H(Y|" + field.Name + "), bits", Published: unknown,
			Rule: Beside, Formula: given(left),
			Ours: bits(12, 8) - gains[at], Digits: 6},
			Claim{What: "information gain of " + field.Name + ", bits",
				Published: informationGains[at], Formula: given(bits(12, 8) - left),
				Reason: informationMisprint, Ours: gains[at], Digits: 6})
	}
	r.Claims = append(r.Claims, Claim{What: "other numbers of the page's tables, some 20",
		Published: unknown, Rule: Beside, Ours: math.NaN()})
	r.Tables = []Numbers{counts, columns}
	return least, joint
}

// bits is the entropy in bits of classes of so many rows.
func bits(counts ...float64) float64 {
	sum, all := 0.0, 0.0
	for _, n := range counts {
		all += n
	}
	for _, n := range counts {
		if n > 0 {
			sum -= float64(n / all * kernel.Log(n/all) / kernel.Log(2))
		}
	}
	return math.Max(0, sum)
}

// asCategories returns a data set whose numbers are categories by their text.
func asCategories(ds *data.Dataset) *data.Dataset {
	var columns []data.NamedColumn
	for i, field := range ds.Schema.Fields {
		texts := make([]string, ds.Rows())
		for r, v := range ds.Columns[i].Numbers() {
			texts[r] = fmt.Sprint(v)
		}
		columns = append(columns, data.NamedColumn{Name: field.Name, Values: texts})
	}
	return &data.Dataset{Frame: must(data.FromColumns(columns...)), Target: ds.Target}
}
