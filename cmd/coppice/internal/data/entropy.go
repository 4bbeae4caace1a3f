package data

import (
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/internal/humanize"
)

// usualBins is the number of bins of a numeric column.
const usualBins = 4

func (o *command) defineEntropy(f *pflag.FlagSet) {
	f.BoolVar(&o.entropy, "entropy", false,
		"show the information of each column about the classes of --label, in bits")
	f.IntVar(&o.bins, "bins", usualBins,
		"with --entropy, `N` bins of a numeric column that has more values")
}

func (o *command) checkEntropy() error {
	switch {
	case o.entropy && !o.LabelGiven():
		return cli.Misusef("--entropy is that of a label: name its column with --label")
	case !o.entropy && o.bins != usualBins:
		return cli.Misusef("--bins goes with --entropy")
	case o.bins < 2:
		return cli.Misusef("--bins %d: want a number from 2 up", o.bins)
	}
	return nil
}

// entropyReport is a table of package information in the JSON of --entropy.
type entropyReport struct {
	Column      string        `json:"column"`
	Classes     []string      `json:"classes"`
	Label       float64       `json:"entropy"`
	Conditional float64       `json:"conditional_entropy"`
	Own         float64       `json:"split_information"`
	Gain        float64       `json:"gain"`
	Ratio       float64       `json:"gain_ratio"`
	Binned      bool          `json:"binned"`
	Values      []valueReport `json:"values"`
}

type valueReport struct {
	Value      string    `json:"value"`
	Rows       int       `json:"rows"`
	Fraction   float64   `json:"probability"`
	Entropy    float64   `json:"entropy"`
	Given      []float64 `json:"class_given_value"`
	Likelihood []float64 `json:"value_given_class"`
}

// showEntropy shows the information of all columns about the label on some rows.
func (o *command) showEntropy(r *report, ds *data.Dataset, rows []int32) error {
	tables, err := quality.InformationOf(ds, rows, o.bins)
	if err != nil {
		return err
	}
	if o.JSONFlag.JSON {
		for i := range tables {
			r.Entropy = append(r.Entropy, reportOf(&tables[i], ds.Target.Classes))
		}
		return o.Console.JSON(r)
	}
	printEntropy(o.Console, tables, &ds.Target)
	return nil
}

func reportOf(t *quality.Information, classes []string) entropyReport {
	r := entropyReport{Column: t.Column, Classes: classes, Label: t.Label,
		Conditional: t.Conditional, Own: t.Own, Gain: t.Gain(), Ratio: t.Ratio(), Binned: t.Binned}
	for i := range t.Values {
		v := &t.Values[i]
		one := valueReport{Value: v.Name, Rows: v.Rows, Fraction: t.Fraction(v),
			Entropy: v.Entropy}
		for k := range classes {
			one.Given = append(one.Given, v.Given(k))
			one.Likelihood = append(one.Likelihood, t.Likelihood(v, k))
		}
		r.Values = append(r.Values, one)
	}
	return r
}

const (
	// mostValues is the number of values of a column that its table lists.
	mostValues = 12
	// mostClasses is the number of classes up to which a table has their probabilities.
	mostClasses = 4
)

// printEntropy prints a line for each column, and then its table.
func printEntropy(c *cli.Console, tables []quality.Information, target *data.Target) {
	if len(tables) == 0 {
		c.Printf("There are no columns beside the label.\n")
		return
	}
	c.Printf("Y is %s: H(Y) = %s bits\n\n", humanize.Name(target.Name), bits(tables[0].Label))
	g := &cli.Grid{Columns: []cli.Column{{Name: "column X"}}}
	g.Columns = append(g.Columns,
		cli.Numbers("values", "H(Y|X)", "gain", "H(X)", "gain ratio")...)
	for i := range tables {
		t := &tables[i]
		g.Add(humanize.Name(t.Column), strconv.Itoa(len(t.Values)), bits(t.Conditional),
			bits(t.Gain()), bits(t.Own), bits(t.Ratio()))
	}
	g.Print(c.Out)
	for i := range tables {
		c.Printf("\n")
		printValues(c, &tables[i], target.Classes)
	}
	c.Printf("\nEntropies are in bits. The gain is H(Y) - H(Y|X), the gain ratio gain / H(X). " +
		"In a table, x\nis a value of X: the last columns are P(y|x) and P(x|y) of each class y.\n")
}

// printValues prints the probabilities of a column's values, of many those of the most rows.
func printValues(c *cli.Console, t *quality.Information, classes []string) {
	g := &cli.Grid{Columns: []cli.Column{{Name: humanize.Name(t.Column)}}}
	g.Columns = append(g.Columns, cli.Numbers("rows", "P(x)", "H(Y|x)")...)
	if len(classes) <= mostClasses {
		for _, of := range [][2]string{{"P(", "|x)"}, {"P(x|", ")"}} {
			for _, class := range classes {
				g.Columns = append(g.Columns,
					cli.Numbers(of[0]+humanize.Shorten(humanize.Name(class), 16)+of[1])...)
			}
		}
	}
	values := t.Values
	if len(values) > mostValues {
		values = slices.Clone(values)
		slices.SortStableFunc(values, func(a, b quality.InformationValue) int { return b.Rows - a.Rows })
		values = values[:mostValues]
	}
	for i := range values {
		v := &values[i]
		cells := []string{humanize.Name(v.Name), strconv.Itoa(v.Rows), bits(t.Fraction(v)),
			bits(v.Entropy)}
		if len(classes) <= mostClasses {
			for k := range classes {
				cells = append(cells, bits(v.Given(k)))
			}
			for k := range classes {
				cells = append(cells, bits(t.Likelihood(v, k)))
			}
		}
		g.Add(cells...)
	}
	g.Print(c.Out)
	if more := len(t.Values) - len(values); more > 0 {
		c.Printf("and %s of fewer rows\n", humanize.Count(more, "value", "values"))
	}
}

// bits prints an entropy or a probability.
func bits(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }
