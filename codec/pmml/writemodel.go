package pmml

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// document is a file that is written.
type document struct {
	xmlWriter
	*plan
	names map[string]bool // of columns, target and outputs
}

// write writes the file.
func (d *document) write() error {
	d.names = map[string]bool{d.target: true}
	for i := range d.Meta.Schema.Fields {
		d.names[d.Meta.Schema.Fields[i].Name] = true
	}
	d.out = append(d.out, `<?xml version="1.0" encoding="UTF-8"?>`...)
	d.start("PMML", "version", "4.4", "xmlns", "http://www.dmg.org/PMML-4_4")
	d.start("Header")
	d.empty("Application", "name", "coppice")
	d.close()
	d.dictionary()
	write := d.chain
	switch d.form {
	case probabilities:
		write = d.averaged
	case plain:
		write = func() error { return d.sum(&d.scores[0], "") }
	}
	if err := write(); err != nil {
		return err
	}
	d.close()
	return nil
}

// dictionary writes the columns with their categories and the texts of missing values.
func (d *document) dictionary() {
	fields := d.Meta.Schema.Fields
	d.start("DataDictionary", "numberOfFields", strconv.Itoa(len(fields)+1))
	for i := range fields {
		f := &fields[i]
		if f.Kind == data.Categorical {
			d.dataField(f.Name, "categorical", valueTypes[foreign.TypeOf(f)], f.Levels)
		} else {
			d.dataField(f.Name, "continuous", "double", nil)
		}
		for _, token := range d.Meta.Schema.Tokens {
			d.empty("Value", "value", token, "property", "missing")
		}
		d.close()
	}
	if d.Meta.Task.Classes() {
		d.dataField(d.target, "categorical", "string", d.Meta.Classes)
	} else {
		d.dataField(d.target, "continuous", "double", nil)
	}
	d.close()
	d.close()
}

// valueTypes are the types of categories in PMML.
var valueTypes = [...]string{foreign.TextLevels: "string", foreign.IntegerLevels: "integer",
	foreign.NumberLevels: "double"}

// dataField opens a field and writes its categories.
func (d *document) dataField(name, kind, values string, levels []string) {
	d.start("DataField", "name", name, "optype", kind, "dataType", values)
	for _, level := range levels {
		d.empty("Value", "value", level)
	}
}

// schema writes which columns a model has, nil = all, and whether it has the target.
func (d *document) schema(features []int32, target bool) {
	fields := d.Meta.Schema.Fields
	if features == nil {
		for i := range fields {
			features = append(features, int32(i))
		}
	}
	d.start("MiningSchema")
	for _, i := range features {
		f := &fields[i]
		missing, unseen, treatment := "", "", "asIs"
		if f.Missing == data.Refuse {
			missing = "missingValueTreatment"
		}
		if f.Kind == data.Categorical {
			if unseen = "invalidValueTreatment"; f.Unseen == data.Refuse {
				treatment = "returnInvalid"
			}
		}
		d.empty("MiningField", "name", f.Name, missing, "returnInvalid", unseen, treatment)
	}
	if target {
		d.empty("MiningField", "name", d.target, "usageType", "target")
	}
	d.close()
}

// output writes that a model's prediction has a name, which models after it may use; "" = none.
func (d *document) output(name string) {
	if name == "" {
		return
	}
	d.start("Output")
	d.empty("OutputField", "name", name, "optype", "continuous", "dataType", "double",
		"feature", "predictedValue", "isFinalResult", "false")
	d.close()
}

// probabilities writes that the result has the probability of each class.
func (d *document) probabilities() {
	if !d.Meta.Task.Classes() {
		return
	}
	d.start("Output")
	for _, class := range d.Meta.Classes {
		d.empty("OutputField", "name", d.unused("probability("+class+")"), "optype", "continuous",
			"dataType", "double", "feature", "probability", "value", class)
	}
	d.close()
}

// unused returns a name that no column and no output has.
func (d *document) unused(name string) string {
	for d.names[name] {
		name += "_"
	}
	d.names[name] = true
	return name
}

// function returns the functionName of the whole model.
func (d *document) function() string {
	if d.Meta.Task.Classes() {
		return "classification"
	}
	return "regression"
}

// segmentation opens the segments of a model. Rows without a prediction of one of them have none of
// the model.
func (d *document) segmentation(method string) {
	name := ""
	if len(d.Refused) > 0 {
		name = "missingPredictionTreatment"
	}
	d.start("Segmentation", "multipleModelMethod", method, name, "returnMissing")
}

// segment writes a segment that counts for all rows.
func (d *document) segment(weight string, write func() error) error {
	name := "weight"
	if weight == "" {
		name = ""
	}
	d.start("Segment", name, weight)
	d.empty("True")
	err := write()
	d.close()
	return err
}

// treeModel writes the tree of a member, of which functionName is function. before writes what
// stands between its columns and its nodes; whole reports that it is the whole model.
func (d *document) treeModel(
	m *member, function string, whole bool, before func(), end func(n int32) (ending, error),
) error {
	w := &treeWriter{xmlWriter: &d.xmlWriter, Tree: m.tree, fields: d.Meta.Schema.Fields,
		classes: d.Meta.Classes, covers: m.tree.Covers(), end: end, refused: m.refused}
	if err := w.check(); err != nil {
		return err
	}
	splits := "multiSplit"
	if w.binary {
		splits = "binarySplit"
	}
	d.start("TreeModel", "functionName", function, "missingValueStrategy", "defaultChild",
		"splitCharacteristic", splits)
	features := w.features()
	if whole {
		features = nil
	}
	d.schema(features, whole)
	before()
	err := w.node(0, w.always)
	d.close()
	return err
}

// members writes trees as segments; even reports that all have the same weight.
func (d *document) members(
	members []member, even bool, write func(m *member) error,
) error {
	for i := range members {
		weight := ""
		if !even {
			weight = decimal(members[i].weight)
		}
		if err := d.segment(weight, func() error { return write(&members[i]) }); err != nil {
			return err
		}
	}
	return nil
}

// averaged writes trees of classes.
func (d *document) averaged() error {
	s := &d.scores[0]
	write := func(m *member, whole bool) error {
		before := func() {}
		if whole {
			before = d.probabilities
		}
		return d.treeModel(m, "classification", whole, before, func(n int32) (ending, error) {
			return d.classEnding(m.tree, n)
		})
	}
	if len(s.members) == 1 {
		return write(&s.members[0], true)
	}
	d.start("MiningModel", "functionName", "classification")
	d.schema(nil, true)
	d.probabilities()
	even := evenly(s.members)
	method := map[[2]bool]string{{false, false}: "weightedAverage", {false, true}: "average",
		{true, false}: "weightedMajorityVote", {true, true}: "majorityVote"}[[2]bool{d.votes, even}]
	d.segmentation(method)
	err := d.members(s.members, even, func(m *member) error { return write(m, false) })
	d.close()
	d.close()
	return err
}

// evenly reports whether all members have the same weight.
func evenly(members []member) bool {
	return !slices.ContainsFunc(members, func(m member) bool {
		return m.weight != members[0].weight
	})
}

// classEnding returns the class of a node, and its distribution unless all nodes vote for one.
func (d *document) classEnding(t *tree.Tree, n int32) (ending, error) {
	counts := make([]float64, len(d.Meta.Classes))
	if err := classCounts(counts, t, t.Value(n)); err != nil {
		return ending{}, err
	}
	fractions := make([]float64, len(counts))
	tree.Probabilities(fractions, counts)
	e := ending{score: d.Meta.Classes[model.ArgMax(fractions)], counts: counts}
	if d.votes {
		e.counts = nil
	}
	return e, nil
}

// sum writes a model of numbers: the whole one if output is "", else one whose prediction has that
// name.
func (d *document) sum(s *score, output string) error {
	whole := output == ""
	factor, only := 1.0, len(s.members) == 1
	if only && !s.mean {
		factor = s.members[0].weight
	}
	before := func() {
		d.output(output)
		if factor == 1 && s.bias == 0 {
			return
		}
		field := "field"
		if !whole {
			field = ""
		}
		d.start("Targets")
		d.empty("Target", field, d.target, "rescaleFactor", decimal(factor),
			"rescaleConstant", decimal(s.bias))
		d.close()
	}
	write := func(m *member, whole bool, before func()) error {
		return d.treeModel(m, "regression", whole, before, func(n int32) (ending, error) {
			return ending{score: decimal(valueOf(m.tree, m.tree.Value(n), m.value))}, nil
		})
	}
	if only {
		return write(&s.members[0], whole, before)
	}
	d.start("MiningModel", "functionName", "regression")
	d.schema(nil, whole)
	before()
	even := evenly(s.members) && (s.mean || s.members[0].weight == 1)
	method := map[[2]bool]string{{false, false}: "weightedSum", {false, true}: "sum",
		{true, false}: "weightedAverage", {true, true}: "average"}[[2]bool{s.mean, even}]
	d.segmentation(method)
	err := d.members(s.members, even, func(m *member) error { return write(m, false, func() {}) })
	d.close()
	d.close()
	return err
}

// chain writes a model for each score, and the RegressionModel that makes the response of them.
func (d *document) chain() error {
	d.start("MiningModel", "functionName", d.function())
	d.schema(nil, true)
	d.probabilities()
	d.start("Segmentation", "multipleModelMethod", "modelChain")
	outputs := make([]string, len(d.scores))
	for k := range d.scores {
		if outputs[k] = "score"; len(d.scores) > 1 {
			outputs[k] = fmt.Sprintf("score(%s)", d.Meta.Classes[k])
		}
		outputs[k] = d.unused(outputs[k])
		err := d.segment("", func() error { return d.sum(&d.scores[k], outputs[k]) })
		if err != nil {
			return err
		}
	}
	if d.form == oneVsAll {
		for k, input := range outputs {
			outputs[k] = d.unused(fmt.Sprintf("logistic(%s)", d.Meta.Classes[k]))
			err := d.segment("", func() error {
				d.regression("regression", "logit", outputs[k], input)
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	err := d.segment("", func() error {
		d.regression(d.function(), d.method, "", outputs...)
		return nil
	})
	d.close()
	d.close()
	return err
}

// regression writes a RegressionModel with an equation for each input. It is the last model if
// output is "", else its prediction has that name.
func (d *document) regression(function, method, output string, inputs ...string) {
	d.start("RegressionModel", "functionName", function, "normalizationMethod", method)
	d.start("MiningSchema")
	for _, name := range inputs {
		d.empty("MiningField", "name", name)
	}
	if output == "" {
		d.empty("MiningField", "name", d.target, "usageType", "target")
	}
	d.close()
	d.output(output)
	classes := d.Meta.Classes
	one := function == "classification" && len(inputs) == 1 // of two classes
	if one {
		classes = classes[1:]
	}
	for k, name := range inputs {
		category, class := "", ""
		if function == "classification" {
			category, class = "targetCategory", classes[k]
		}
		d.start("RegressionTable", category, class, "intercept", "0")
		d.empty("NumericPredictor", "name", name, "coefficient", decimal(d.factor))
		d.close()
	}
	if one {
		d.empty("RegressionTable", "targetCategory", d.Meta.Classes[0], "intercept", "0")
	}
	d.close()
}
