package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/quality"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/committee"
	"github.com/coppice-ml/coppice/model/rules"
	"github.com/coppice-ml/coppice/tree/draw"
)

// The most that train prints of a tree and of importances.
const (
	printedLeaves      = 31
	printedLevels      = 4
	printedImportances = 10
	printedMembers     = 10
)

// trainReport is the report of train; it is the object that --json prints.
type trainReport struct {
	Model      string          `json:"model"`
	Learner    string          `json:"learner"`
	Parameters json.RawMessage `json:"parameters"`
	Seed       uint64          `json:"seed"`
	Label      string          `json:"label,omitempty"`
	Task       data.Task       `json:"task"`
	Classes    []string        `json:"classes,omitempty"`
	// the positive one of two classes
	Positive string     `json:"positive,omitempty"`
	Why      string     `json:"positive_reason,omitempty"` // it is that one
	Size     modelSize  `json:"size"`
	Rows     setSizes   `json:"rows"`
	Sets     setReports `json:"sets"`
	// of Importances: gain or impurity
	Kind        string               `json:"importance_kind,omitempty"`
	Importances []explain.Importance `json:"importances,omitempty"`
	Permutation *model.Permutation   `json:"permutation_importance,omitempty"`
	Summary     json.RawMessage      `json:"summary,omitempty"`
	Warnings    []quality.Warning    `json:"warnings,omitempty"`

	how   string   // see rowSets
	files []string // see rowSets
}

// setSizes are numbers of rows.
type setSizes struct {
	Training   int         `json:"training"`
	Validation int         `json:"validation"`
	Test       int         `json:"test"`
	Weightless *weightless `json:"weightless,omitempty"`
}

// weightless are how many of the rows have weight 0.
type weightless struct {
	Training   int `json:"training"`
	Validation int `json:"validation"`
	Test       int `json:"test"`
}

func setSizesOf(s *rowSets, t *data.Target) setSizes {
	without := weightless{learn.TrainedOn(t, s.train).Weightless, learn.TrainedOn(t, s.valid).Weightless, learn.TrainedOn(t, s.test).Weightless}
	sizes := setSizes{Training: len(s.train), Validation: len(s.valid), Test: len(s.test)}
	if without != (weightless{}) {
		sizes.Weightless = &without
	}
	return sizes
}

// setReport holds the metrics of a model on one set of rows.
type setReport struct {
	name string
	// what training chose by these rows; 0 = nothing: the metrics are an estimate, or those of
	// training
	use    learn.ValidUse
	report *eval.Report
}

// title names the set by some words and, where something was chosen by it, the purpose.
func (p *setReport) title(words ...string) string {
	text := strings.Join(append([]string{p.name}, words...), " ")
	if p.use == 0 {
		return text
	}
	return fmt.Sprintf("%s (used for %s)", text, p.use)
}

// setReports are in the order of the sets. In JSON they are an object in that order.
type setReports []setReport

// MarshalJSON writes {"training":{...},"test":{...}}. A set by which something was chosen has the
// key used_for.
func (p setReports) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	if len(p) == 0 {
		return []byte("{}"), nil
	}
	for i, set := range p {
		text, err := json.Marshal(struct {
			UsedFor string `json:"used_for,omitempty"`
			*eval.Report
		}{set.use.String(), set.report})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, `%s%q:%s`, []string{"{", ","}[min(i, 1)], set.name, text)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// print prints the metrics side by side, and separately those of sets that something was
// chosen by.
func (p setReports) print(c *console) {
	var estimates setReports
	for _, set := range p {
		if set.use == 0 {
			estimates = append(estimates, set)
		}
	}
	if len(estimates) > 0 {
		printMetrics(c, estimates)
	}
	for _, set := range p {
		if set.use == 0 {
			continue
		}
		c.printf("\nThe %s set was used for %s: these metrics are too optimistic to be an estimate.\n", set.name, set.use)
		set.name = set.title()
		printMetrics(c, setReports{set})
	}
}

func newTrainReport(m model.Model, path string, s *rowSets, t *data.Target, seed uint64) *trainReport {
	spec := m.Spec()
	r := &trainReport{Model: path, Learner: spec.Learner, Parameters: spec.Params, Seed: seed, Label: spec.Label, Task: spec.Task,
		Classes: spec.Classes, Size: sizeOf(m), Rows: setSizesOf(s, t), Summary: spec.Summary, how: s.how, files: s.files}
	if r.Positive = positiveName(spec); r.Positive != "" {
		r.Why = t.Positive.Why
	}
	r.Importances = importances(m)
	if r.Importances != nil {
		r.Kind = importanceKind(spec)
	}
	return r
}

// print shows the report, the tree and what it looks at.
func (r *trainReport) print(c *console, m model.Model, p *problem, paths []string) error {
	spec := m.Spec()
	c.facts(
		fact{"data", fmt.Sprintf("%s: %s", pathWords(append(paths, r.files...)), tableWords(p.Dataset))},
		fact{"label", labelWords(&p.Target, p.Rows())},
		fact{"rows", r.rowWords()},
	)
	if r.Positive != "" {
		c.facts(positiveFacts(&p.Target)...)
	}
	c.facts(
		fact{"learner", learnerWords(spec)},
		sizeFact(r.Size, spec),
	)
	c.facts(roundFacts(spec)...)
	c.facts(thresholdFacts(spec)...)
	c.facts(calibrationFacts(m)...)
	c.facts(rankFacts(spec)...)
	c.facts(encodingFacts(spec)...)
	c.facts(outOfBagFacts(spec)...)
	if len(r.Sets) > 0 {
		c.printf("\n")
		r.Sets.print(c)
		last := r.Sets[len(r.Sets)-1]
		printConfusion(c, last.report.Confusion, last.title("set"))
	}
	if err := r.printModel(c, m); err != nil {
		return err
	}
	printHoldOut(c, spec)
	printImportances(c, r.Kind, r.Importances, printedImportances)
	printReported(c, spec, printedImportances)
	printPermutation(c, spec.Permutation, printedImportances)
	c.printf("\nThe model is in %s.\n", humanize.Name(r.Model))
	return nil
}

func (r *trainReport) rowWords() string {
	without := r.Rows.Weightless
	if without == nil {
		without = &weightless{}
	}
	text := rowsFor("training", r.Rows.Training, without.Training)
	if r.Rows.Validation > 0 {
		text += ", " + rowsFor("validation", r.Rows.Validation, without.Validation)
	}
	if r.Rows.Test > 0 {
		text += ", " + rowsFor("the test", r.Rows.Test, without.Test)
	}
	if r.how != "" {
		text += " (" + r.how + ")"
	}
	return text
}

// rowsFor counts the rows for a purpose, and those of weight 0 among them.
func rowsFor(purpose string, rows, weightless int) string {
	text := fmt.Sprintf("%d for %s", rows, purpose)
	if weightless > 0 {
		text += fmt.Sprintf(" (%d of weight 0)", weightless)
	}
	return text
}

// printModel lists rules, or prints the tree, of a large one the first levels.
func (r *trainReport) printModel(c *console, m model.Model) error {
	switch m := m.(type) {
	case *rules.Rules:
		return r.printRules(c, m)
	case *committee.Committee:
		c.printf("\n")
		printMembers(c, m, printedMembers)
		return nil
	}
	e, ok := m.(*model.Ensemble)
	if !ok {
		r.printTable(c, m)
		return nil
	}
	if len(e.Trees) != 1 {
		return nil
	}
	o := draw.Options{}
	if e.Trees[0].NumLeaves() > printedLeaves {
		o.MaxDepth = printedLevels
	}
	c.printf("\n")
	if err := draw.Text(c.out, e.Trees[0], names(e), o); err != nil {
		return err
	}
	if o.MaxDepth > 0 {
		c.printf("These are the first %d levels; coppice show %s shows all %d leaves.\n", o.MaxDepth, humanize.Name(r.Model), e.Trees[0].NumLeaves())
	}
	return nil
}

// tableWords counts the rows and columns of a table by kind.
func tableWords(ds *data.Dataset) string {
	kinds := map[data.Kind]int{}
	for i := range ds.Schema.Fields {
		kinds[ds.Schema.Fields[i].Kind]++
	}
	var texts []string
	for _, k := range []data.Kind{data.Numeric, data.Categorical} {
		if kinds[k] > 0 {
			texts = append(texts, fmt.Sprintf("%d %s", kinds[k], k))
		}
	}
	features := "features"
	if len(ds.Schema.Fields) == 1 {
		features = "feature"
	}
	return fmt.Sprintf("%s, %s %s", humanize.Count(ds.Rows(), "row", "rows"), strings.Join(texts, " and "), features)
}

// listedClasses is the largest number of classes that are listed by name.
const listedClasses = 6

// labelWords names the label with its classes and their frequencies, or its range.
func labelWords(t *data.Target, rows int) string {
	switch {
	case t.Class == nil && t.Y == nil:
		return "none"
	case t.Class == nil:
		return fmt.Sprintf("%s, numbers from %s to %s", humanize.Name(t.Name), humanize.Exact(slices.Min(t.Y[0])), humanize.Exact(slices.Max(t.Y[0])))
	}
	counts := make([]int, len(t.Classes))
	for _, class := range t.Class {
		counts[class]++
	}
	var texts []string
	for i, class := range t.Classes {
		if i == listedClasses {
			texts = append(texts, fmt.Sprintf("and %d more", len(t.Classes)-i))
			break
		}
		texts = append(texts, humanize.Name(class)+" "+humanize.Ratio(int64(counts[i]), int64(rows)))
	}
	return fmt.Sprintf("%s, %s: %s", humanize.Name(t.Name), humanize.Count(len(t.Classes), "class", "classes"), strings.Join(texts, ", "))
}
