package onnx

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/loss/link"
)

// form is how the sums of the trees become raw scores.
type form uint8

const (
	// one score for each target
	plain form = iota
	// one score s of two classes: the second class has the link of s, the first the rest of 1
	single
	// one score s of two classes, which have -s and s
	mirrored
)

// output is what the graph makes of the sums of the trees: factor x (sum + base) + shift, in a
// form, then the transform.
type output struct {
	form      form
	factor    float64
	shift     []float64 // by target; nil: 0
	transform string    // as of ensemble.post, or one of those below
	labels    []string  // nil: the scores are numbers that are predicted
	threshold float64   // of the second of two classes; 0: the label has the greatest response
}

// Transforms beyond those of the operators of trees.
const (
	exponential = "EXP"
	oneVsAll    = "LOGISTIC, then divided by the sum"
	normalised  = "divided by the sum"
)

// outputs follows the graph from the trees to its outputs.
type outputs struct {
	*onnxModel
	*ensemble
	producer map[string]int
	out      output
}

// mostOutputs is how many outputs of a graph are followed: one of labels and one of scores count.
const mostOutputs = 8

// read returns what the graph makes of the sums of the trees.
func (f *outputs) read() *output {
	f.out = output{factor: 1, transform: f.post}
	if f.classifier {
		f.classify()
	} else if f.targets == 1 && f.post != "PROBIT" {
		f.out.transform = "NONE" // as ONNX Runtime does
	}
	if n := len(f.onnxModel.outputs); n > mostOutputs {
		refuse("%d outputs", n)
	}
	isLargest := func(o *operator) bool { return o.op == "ArgMax" }
	scores, labels := [][]*operator{}, [][]*operator{}
	for _, name := range f.onnxModel.outputs {
		chain, isLabel := f.chain(name)
		if isLabel || slices.ContainsFunc(chain, isLargest) {
			labels = append(labels, chain)
		} else {
			scores = append(scores, chain)
		}
	}
	if len(scores) > 1 || len(labels) > 1 || len(scores)+len(labels) == 0 {
		refuse("%d outputs", len(scores)+len(labels))
	}
	if len(scores) == 0 && !f.classifier {
		chain := labels[0]
		at := slices.IndexFunc(chain, isLargest)
		scores = append(scores, chain[:at])
	}
	for _, chain := range scores {
		for _, o := range chain {
			f.score(o)
		}
	}
	for _, chain := range labels {
		for _, o := range chain {
			f.label(o, scores)
		}
	}
	if f.classifier && len(labels) == 1 && !slices.ContainsFunc(labels[0], isLargest) {
		f.out.threshold = f.threshold()
	}
	f.intact()
	return &f.out
}

// threshold returns the threshold by which the operator's own labels of two classes are made, where
// those of the greatest response differ from them; 0: they do not, or no threshold makes them. ONNX
// Runtime takes the second class if its score is above 0, and of one score without negative weights
// if that is above 0.5.
func (f *outputs) threshold() float64 {
	negative := func(w treeWeight) bool { return w.value < 0 }
	half := []float64{0.5}
	link.Logistic().Apply(half)
	switch {
	case f.targets != 2 || f.out.factor != 1 || f.out.shift != nil || f.out.form == mirrored:
		return 0
	case f.out.form == single && f.out.transform == "LOGISTIC" &&
		!slices.ContainsFunc(f.weights, negative):
		return half[0]
	case f.out.form == plain && f.out.transform == "LOGISTIC":
		return 0.5
	case f.out.form == plain && (f.out.transform == "NONE" || f.out.transform == normalised):
		return math.SmallestNonzeroFloat64
	}
	return 0
}

// classify sets the form of a classifier's scores. Those of two classes are as ONNX Runtime 1.30
// has them: where all weights are of class 0, they are the score of class 1.
func (f *outputs) classify() {
	f.out.labels = f.classes
	if f.targets > 2 {
		if n := len(f.base); n != 0 && n != f.targets {
			f.damaged("%d base values of %d classes", n, f.targets)
		}
		return
	}
	used := [2]bool{}
	negative := false
	for _, w := range f.weights {
		used[w.target] = true
		negative = negative || w.value < 0
	}
	if n := len(f.base); n > 1 || n == 1 && !used[0] {
		refuse("%d base values of two classes", n)
	}
	if len(f.weights) == 0 {
		refuse("two classes without weights")
	}
	if used[1] {
		f.base = append(f.base, make([]float64, 2-len(f.base))...)
		return
	}
	switch f.post {
	case "LOGISTIC":
		f.out.form = single
	case "PROBIT":
		refuse("PROBIT of one score for two classes")
	default:
		f.out.form, f.out.transform = single, "NONE"
		if negative {
			f.out.form = mirrored
		}
	}
}

// chain returns the operators between the trees and an output of the graph, in the order of their
// work, and whether they start with labels.
func (f *outputs) chain(name string) (chain []*operator, isLabel bool) {
	trees := f.ensemble.operator
	for range mostSteps {
		i := slices.Index(trees.output, name)
		if i >= 0 && name != "" {
			slices.Reverse(chain)
			return chain, f.classifier && i == 0
		}
		at, ok := f.producer[name]
		if !ok {
			refuse("the output %.50q, which does not depend on the trees",
				name)
		}
		o := &f.onnxModel.nodes[at]
		name = ""
		for _, from := range o.input {
			if _, constant := f.constants[from]; constant || from == "" {
				continue
			}
			if name != "" {
				refuse("%.50q of two tensors after the trees", o.op)
			}
			name = from
		}
		chain = append(chain, o)
	}
	refuse("more than %d operators after the trees", mostSteps)
	return nil, false
}

// score takes in an operator on scores.
func (f *outputs) score(o *operator) {
	switch o.op {
	case "Identity", "ZipMap", "Reshape", "Squeeze", "Unsqueeze", "Flatten":
		return
	case "Cast":
		if to := element(o.int("to", 0)); to != float32s && to != float64s {
			refuse("Cast of scores to type %d", to)
		}
		return
	case "Add", "Sub", "Mul", "Div":
		f.arithmetic(o)
		return
	case "Normalizer":
		f.normalise(o)
		return
	}
	link := map[string]string{"Exp": exponential, "Sigmoid": "LOGISTIC", "Softmax": "SOFTMAX"}[o.op]
	switch {
	case link == "" || f.out.transform != "NONE" || f.out.form != plain:
		refuse("%.50q after the trees", o.op)
	case link == "SOFTMAX" && (f.targets < 2 || o.int("axis", 1) != 1 && o.int("axis", 1) != -1):
		refuse("Softmax of %d scores along axis %d", f.targets, o.int("axis", 1))
	}
	f.out.transform = link
}

// arithmetic takes in an addition or multiplication by a constant.
func (f *outputs) arithmetic(o *operator) {
	if f.out.transform != "NONE" || f.out.form != plain || len(o.input) != 2 {
		refuse("%.50q after the trees", o.op)
	}
	c, second := f.constants[o.input[1]], true
	if c == nil {
		c, second = f.constants[o.input[0]], false
	}
	if c == nil || !second && (o.op == "Sub" || o.op == "Div") ||
		len(c.numbers) != 1 && (len(c.numbers) != f.targets || o.op == "Mul" || o.op == "Div") {
		refuse("%s after the trees with anything but scores and one number", o.op)
	}
	if f.out.shift == nil {
		f.out.shift = make([]float64, f.targets)
	}
	factor := 1.0
	switch o.op {
	case "Mul":
		factor = c.numbers[0]
	case "Div":
		factor = 1 / c.numbers[0]
	}
	f.out.factor *= factor
	for i := range f.out.shift {
		x := c.numbers[i%len(c.numbers)]
		switch f.out.shift[i] *= factor; o.op {
		case "Add":
			f.out.shift[i] += x
		case "Sub":
			f.out.shift[i] -= x
		}
	}
}

// normalise takes in a Normalizer: scores divided by the sum of their magnitudes.
func (f *outputs) normalise(o *operator) {
	norm := "MAX"
	for i := range o.attributes {
		if o.attributes[i].name == "norm" {
			norm = o.attributes[i].text()
		}
	}
	negative := f.out.factor < 0 ||
		slices.ContainsFunc(f.weights, func(w treeWeight) bool { return w.value < 0 }) ||
		slices.ContainsFunc(f.base, func(x float64) bool { return x < 0 }) ||
		slices.ContainsFunc(f.out.shift, func(x float64) bool { return x < 0 })
	switch {
	case norm != "L1" || f.out.form != plain || f.targets < 2:
		refuse("Normalizer %.50q after the trees", norm)
	case f.out.transform == "LOGISTIC":
		f.out.transform = oneVsAll
	case f.out.transform == "NONE" && !negative:
		f.out.transform = normalised
	case f.out.transform != "SOFTMAX": // which adds up to 1 as it is
		refuse("Normalizer after the trees where scores may be negative")
	}
}

// label takes in an operator on labels, or before them on scores.
func (f *outputs) label(o *operator, scores [][]*operator) {
	switch o.op {
	case "ArgMax":
		if axis := o.int("axis", 0); axis != 1 && axis != -1 || f.targets < 2 {
			refuse("ArgMax of %d scores along axis %d", f.targets, axis)
		}
		if o.int("select_last_index", 0) != 0 {
			if f.out.form != single || f.out.transform != "LOGISTIC" {
				refuse("ArgMax by which the last of equal scores is the label")
			}
			f.out.threshold = math.Nextafter(0.5, 0)
		}
		f.out.labels = foreign.Codes(f.targets)
		return
	case "Identity", "Cast", "Reshape", "Squeeze", "Unsqueeze", "Flatten":
		return
	case "LabelEncoder":
		f.rename(o)
		return
	}
	isScore := func(chain []*operator) bool { return slices.Contains(chain, o) }
	if f.out.labels == nil && slices.ContainsFunc(scores, isScore) {
		return
	}
	refuse("%.50q of labels", o.op)
}

// rename takes in a LabelEncoder, which has other names for classes.
func (f *outputs) rename(o *operator) {
	var keys, values []string
	missing, given := "", false
	for i := range o.attributes {
		a := &o.attributes[i]
		switch a.name {
		case "keys_strings", "keys_int64s":
			keys = f.names(a)
		case "values_strings", "values_int64s":
			values = f.names(a)
		case "classes_strings": // of version 1, by place
			values = f.names(a)
			for i := range values {
				keys = append(keys, fmt.Sprint(i))
			}
		case "default_string":
			missing, given = a.text(), true
		case "default_int64":
			missing, given = fmt.Sprint(a.int()), true
		case "default_float":
		default:
			refuse("the attribute %.50q of LabelEncoder", a.name)
		}
	}
	if len(keys) != len(values) {
		foreign.Check(corrupt("LabelEncoder", o.offset, fmt.Errorf("%d keys and %d values", len(keys),
			len(values))))
	}
	f.message.Take(int64(len(keys)+len(f.out.labels)) * bytesPerName)
	f.intact()
	value := make(map[string]string, len(keys))
	for i, key := range keys {
		value[key] = values[i]
	}
	renamed := make([]string, len(f.out.labels))
	for i, class := range f.out.labels {
		switch v, ok := value[class]; {
		case ok:
			renamed[i] = v
		case given:
			renamed[i] = missing
		default:
			refuse("a LabelEncoder without a value for the class %.50q", class)
		}
	}
	f.out.labels = renamed
}

// names returns the texts or integers of a list as texts.
func (f *outputs) names(a *attribute) (list []string) {
	a.texts(func(text []byte) {
		if f.message.Take(int64(len(text)) + bytesPerName) {
			list = append(list, string(text))
		}
	})
	for _, v := range a.ints() {
		if f.message.Take(bytesPerName) {
			list = append(list, fmt.Sprint(v))
		}
	}
	return list
}
