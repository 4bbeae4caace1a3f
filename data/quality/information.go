package quality

import (
	"errors"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel"
)

// Information is what a single column X holds about a class label Y: their joint distribution and
// its entropies, in bits (Shannon 1948).
type Information struct {
	Column string
	Binned bool // the values of X are bins of numbers
	Values []InformationValue
	// by class: weight of all rows
	Classes []float64

	Label       float64 // H(Y)
	Conditional float64 // H(Y|X), the mean of the entropies of the values
	Own         float64 // H(X), the split information of a branch for each value
}

// InformationValue is the rows of one value of a column.
type InformationValue struct {
	Name    string
	Rows    int
	Classes []float64 // by class: weight of the rows
	Entropy float64   // H(Y|X=x)
}

// Gain returns I(X;Y) = H(Y) - H(Y|X), the information gain of a branch for each value.
func (t *Information) Gain() float64 { return max(0, t.Label-t.Conditional) }

// Ratio returns the gain ratio, which is the gain over H(X); 0 if that is 0.
func (t *Information) Ratio() float64 {
	if t.Own == 0 {
		return 0
	}
	return t.Gain() / t.Own
}

// weight returns the weight of all rows.
func (t *Information) weight() float64 { return kernel.Sum(t.Classes) }

// Given returns P(Y=class|X=x).
func (v *InformationValue) Given(class int) float64 { return v.Classes[class] / kernel.Sum(v.Classes) }

// Fraction returns P(X=x) of a value.
func (t *Information) Fraction(v *InformationValue) float64 {
	return kernel.Sum(v.Classes) / t.weight()
}

// Likelihood returns P(X=x|Y=class) of a value; 0 for a class without rows.
func (t *Information) Likelihood(v *InformationValue, class int) float64 {
	if t.Classes[class] == 0 {
		return 0
	}
	return v.Classes[class] / t.Classes[class]
}

// InformationOf returns what each column of a data set with a class label holds about it, on the
// given rows; nil = all. Numbers of more distinct values than bins are put in so many bins of about
// the same number of rows; bins is at least 2. Missing values are a value of their own. Rows
// without weight are left out.
func InformationOf(ds *data.Dataset, rows []int32, bins int) ([]Information, error) {
	t := &ds.Target
	switch {
	case t.Class == nil:
		return nil, errors.New("entropies are of classes, and the label has none")
	case bins < 2:
		return nil, fmt.Errorf("%d bins: want at least 2", bins)
	}
	if rows == nil {
		rows = data.AllRows(ds.Rows())
	}
	var weighed []int32
	for _, r := range rows {
		if t.WeightAt(r) > 0 {
			weighed = append(weighed, r)
		}
	}
	if weighed == nil {
		return nil, errors.New("no rows of positive weight")
	}
	tables := make([]Information, len(ds.Columns))
	for i := range ds.Columns {
		tables[i] = tableOf(ds, i, weighed, bins)
	}
	return tables, nil
}

// tableOf counts one column.
func tableOf(ds *data.Dataset, column int, rows []int32, bins int) Information {
	t := Information{Column: ds.Schema.Fields[column].Name,
		Classes: make([]float64, len(ds.Target.Classes))}
	names, place, binned := values(ds, column, rows, bins)
	t.Binned = binned
	t.Values = make([]InformationValue, len(names))
	for k, name := range names {
		t.Values[k] = InformationValue{Name: name, Classes: make([]float64, len(t.Classes))}
	}
	for _, r := range rows {
		w, class := ds.Target.WeightAt(r), ds.Target.Class[r]
		v := &t.Values[place(r)]
		v.Rows++
		v.Classes[class] += w
		t.Classes[class] += w
	}
	kept := t.Values[:0]
	for _, v := range t.Values {
		if v.Rows > 0 {
			kept = append(kept, v)
		}
	}
	t.Values = kept
	t.Label = entropy(t.Classes)
	var sizes []float64
	for k := range t.Values {
		v := &t.Values[k]
		v.Entropy = entropy(v.Classes)
		sizes = append(sizes, kernel.Sum(v.Classes))
		t.Conditional += float64(t.Fraction(v) * v.Entropy)
	}
	t.Own = entropy(sizes)
	return t
}

// entropy returns the entropy of weights in bits.
func entropy(weight []float64) float64 {
	total, h := kernel.Sum(weight), 0.0
	for _, w := range weight {
		if w > 0 && w < total {
			h += float64(w / total * kernel.Log2(total/w))
		}
	}
	return h
}
