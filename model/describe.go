package model

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/loss/link"
)

// Description is what a model consists of, as data that reports print. A model without anything to
// list has a title and words only.
//
//	title    words                             table, rules, ensemble or children
//	tree     3 leaves, depth 2                 Ensemble, whose trees can be drawn
//	rules    8 rules, 11 conditions            Rules
//	weights  9, and a constant, for 5 columns  Table: a row for each column
//	members  10, 310 leaves, depth 8           Children of the model
type Description struct {
	Title string // what the model consists of, in one word, which heads a line
	Words string // how much of it there is
	Size  Size
	Facts []Fact // further lines below the size

	Table *Table // what show lists; nil: nothing
	// Content is the same with all digits, to be encoded as JSON: an Equation of weighted sums;
	// nil: nothing.
	Content any

	Ensemble *Ensemble // of a model of trees, itself; nil for others
	Rules    []Rule    // of a list of rules, and
	// WriteRules, which writes them for people, one below the other.
	WriteRules func(w io.Writer) error
	Combine    string // of an ensemble of models, how it combines them: mean, vote, ...
	// Obstacle is what keeps a model from being one ensemble of trees, which other formats hold: it
	// completes "this model ...". "" if Title says it, and for models of trees.
	Obstacle string

	// Leaves names the columns of the output Leaf, in order: tree_0, tree_1, ...
	Leaves []string
}

// Obstructs returns what keeps the model from being one ensemble of trees, "" if it is one.
func (d *Description) Obstructs() string {
	switch {
	case d.Ensemble != nil:
		return ""
	case d.Obstacle != "":
		return d.Obstacle
	}
	return "consists of " + d.Title
}

// Size counts what a model consists of. An ensemble of models counts that of all its members.
type Size struct {
	Members    int `json:"members,omitempty"` // of an ensemble of models
	Trees      int `json:"trees"`
	Leaves     int `json:"leaves"`          // of all trees
	Depth      int `json:"depth"`           // of the deepest tree
	Rules      int `json:"rules,omitempty"` // of lists of rules
	Conditions int `json:"conditions,omitempty"`
}

// Add joins the size of a member, but for the number of its own members.
func (s *Size) Add(o Size) {
	s.Trees += o.Trees
	s.Leaves += o.Leaves
	s.Depth = max(s.Depth, o.Depth)
	s.Rules += o.Rules
	s.Conditions += o.Conditions
}

// TreeWords describes trees: "3 leaves, depth 2", "10 trees, 310 leaves, depth 8".
func (s *Size) TreeWords() string {
	text := fmt.Sprintf("%s, depth %d", humanize.Count(s.Leaves, "leaf", "leaves"), s.Depth)
	if s.Trees != 1 {
		text = fmt.Sprintf("%d trees, %s", s.Trees, text)
	}
	return text
}

// RuleWords describes lists of rules: "8 rules, 11 conditions".
func (s *Size) RuleWords() string {
	return humanize.Count(s.Rules, "rule", "rules") + ", " +
		humanize.Count(s.Conditions, "condition", "conditions")
}

// String describes the model in a few words, as one member of another is described. Trees and rules
// are counted by name, so they need no title.
func (d *Description) String() string {
	if d.Ensemble != nil || d.Rules != nil {
		return d.Words
	}
	return d.Title + ": " + d.Words
}

// Fact is one line of a description: a name and what it is.
type Fact struct{ Name, Text string }

// Table is a table for people. Names of columns and classes in it are written by humanize.Name.
type Table struct {
	Caption string // a sentence above; "" = none
	Columns []TableColumn
	Rows    [][]string // a cell for each column
	Notes   []string   // sentences below
}

// TableColumn heads a column of a Table.
type TableColumn struct {
	Name string
	Text bool // words, which stand to the left; else numbers, to the right
}

// NewTable returns a table of a column of words, and of numbers.
func NewTable(words string, numbers ...string) *Table {
	return &Table{Columns: append([]TableColumn{{words, true}}, Numbers(numbers...)...)}
}

// Numbers returns columns of numbers.
func Numbers(names ...string) []TableColumn {
	columns := make([]TableColumn, len(names))
	for i, name := range names {
		columns[i].Name = name
	}
	return columns
}

// Add appends a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// Rule is a rule of a list, in words. The first rule that holds for a row decides its class.
type Rule struct {
	Number        int       `json:"rule"` // from 0
	If            []string  `json:"if"`   // all must hold; none: the rule always holds
	Class         string    `json:"class"`
	Probabilities []float64 `json:"probabilities"` // of the classes, in their order
	// weight of the training rows for which the conditions hold
	Covers  float64 `json:"covers"`
	Right   float64 `json:"right"`   // the weight among it that has the class
	Decides float64 `json:"decides"` // weight of the training rows that no earlier rule decides
}

// Equation is a model of weighted sums in the units of its columns: Constant + sum of coefficient
// times value. It is the Content of their Description. A missing number counts as the mean of
// the training rows, an unknown category as their fractions.
//
// The unit of a column may be so small, or its mean so large, that no float64 holds its coefficient
// or the constant. These are then ±Inf, or NaN where such numbers are subtracted. The standardised
// coefficients are always finite.
type Equation struct {
	Scores []string `json:"scores,omitempty"` // names, where there are several
	// Class is what the only score of two classes points towards, whichever of them is positive
	Class    string       `json:"class,omitempty"`
	Constant coefficients `json:"constant"`
	Terms    []Term       `json:"terms"`
}

// Term is a column, or a category of one, with its coefficients.
type Term struct {
	Name string `json:"name"`
	// Coef is by how much each score rises with a unit of the column, or where the row has the
	// category; Standard with a standard deviation of the column. They are the same for categories.
	Coef     coefficients `json:"coefficient"`
	Standard []float64    `json:"standardised"`
	Numeric  bool         `json:"-"` // false: a category
}

// coefficients is a list whose JSON has null for ±Inf and NaN, which JSON has no numbers for.
type coefficients []float64

// MarshalJSON implements json.Marshaler.
func (n coefficients) MarshalJSON() ([]byte, error) {
	list := make([]*float64, len(n))
	for i := range n {
		if !math.IsInf(n[i], 0) && !math.IsNaN(n[i]) {
			list[i] = &n[i]
		}
	}
	return json.Marshal(list)
}

// Child is a model that another consists of.
type Child struct {
	Role  Role
	Name  string // "" = it has a number alone
	Model Model
	// Weight is that of its predictions; 1 where all count alike.
	Weight float64
	// Power is the exponent of its probabilities (the inverse of a temperature); 0 = they are not
	// scaled.
	Power float64
}

// Role is what a Child is to the whole.
type Role string

// The roles.
const (
	Member      Role = "member"       // its prediction is combined with those of others
	MetaLearner Role = "meta_learner" // it predicts by the predictions of the members
	Base        Role = "base"         // its probabilities are calibrated
)

// Hazards reports whether a model predicts hazards, the larger the earlier the event, as in
// survival models with proportional hazards. Of a model of models the last child decides, as
// members are alike.
func Hazards(m Model) bool {
	if s, ok := AsSum(m); ok && s.Link == link.Link(link.Hazard()) {
		return true
	}
	if children := m.Children(); len(children) > 0 {
		return Hazards(children[len(children)-1].Model)
	}
	return false
}

// Summed is how a model makes its responses of raw scores, to which its parts add up.
type Summed struct {
	Of    Model     // whose raw scores they are: the model, or one inside it
	Link  link.Link // follows the raw scores; nil = identity
	Whole bool      // the link of the raw scores is the response: nothing else follows
}

// AsSum returns how a model makes its responses, false for a model that has no raw scores which its
// parts add up to.
func AsSum(m Model) (Summed, bool) {
	if s, ok := Inner(m).(interface{ AsSum() (Summed, bool) }); ok {
		return s.AsSum()
	}
	return Summed{}, false
}

// AsSum returns the link of the sum of the trees.
func (e *Ensemble) AsSum() (Summed, bool) { return Summed{e, e.Link, true}, true }

// AsTrees returns an ensemble of trees that predicts what a model does: a model of trees itself, or
// that of a model which can be flattened (see committee.Flatten). It reports false if there is
// none.
func AsTrees(m Model) (*Ensemble, bool) {
	switch m := Inner(m).(type) {
	case *Ensemble:
		return m, true
	case interface{ Flatten() (*Ensemble, bool) }:
		return m.Flatten()
	}
	return nil, false
}

// Inner returns the model that another one stands for, by its method Inner, as a model that can be
// closed does; else the model itself. Its type is that of what was trained.
func Inner(m Model) Model {
	if w, ok := m.(interface{ Inner() Model }); ok {
		return w.Inner()
	}
	return m
}
