// Package model owns what training leaves behind and prediction needs: the Model interface, and the
// Spec that every model carries (schema, classes, learner, parameters). Ensemble is the one type of
// all tree models, native or imported. A model has no access to the learner that made it nor of the
// file formats that store it.
package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/param"
)

// Model is anything that predicts. A model is immutable and safe for concurrent use.
type Model interface {
	// Spec returns what the model has of its problem. Callers must not change it.
	Spec() *Spec
	// Outputs is the width of a response: the number of classes, or of regression outputs.
	Outputs() int
	// Bind matches the model's columns, by name, to those of a table, once for many predictions.
	// Extra columns are ignored; a column that is absent (*MissingColumnError) or of another kind
	// (*KindError) is an error. Where a column's levels are bare codes (data.Field.BareCodes) the
	// table may have a numeric column, whose numbers are the codes as data.CodeIndex reads them.
	Bind(s *data.Schema, o Options) (Predictor, error)
	// Describe returns what the model consists of, as data that reports print.
	Describe() Description
	// Children returns the models that it consists of, in a fixed order, such as the members of an
	// ensemble; nil for models that consist of none. Checks of a model walk through them.
	Children() []Child
}

// Checked is a Model that can check whether its fields are consistent, as those of Coppice can.
type Checked interface {
	Model
	Validate() error
}

// Spec is what every model carries beside its numbers.
type Spec struct {
	Schema data.Schema `json:"schema"`          // the features, in training order
	Label  string      `json:"label,omitempty"` // name of the label column
	Task   data.Task   `json:"task"`            // what is predicted
	// LabelFormat is how files write the label's numbers, as data.Field.Format; "" for plain
	// numbers and for texts.
	LabelFormat string `json:"label_format,omitempty"`
	// Roles are the other columns of the training table that were no features: see RolesFor.
	Roles data.RoleColumns `json:"roles,omitzero"`
	// names of the classes, in the order of the response columns; for anomalies what is normal and
	// what is none
	Classes []string        `json:"classes,omitempty"`
	Learner string          `json:"learner"`           // name in the catalog, e.g. "cart"
	Params  json.RawMessage `json:"params,omitempty"`  // the learner's parameters, all of them
	Summary json.RawMessage `json:"summary,omitempty"` // what training found: learner-specific

	Decision Decision `json:"decision,omitzero"` // how a label is chosen
	// models that predict quantiles of a number: the level of each output, ascending; nil: it is a
	// mean or the like
	Quantiles []float64 `json:"quantiles,omitempty"`

	// TrainedOn identifies the seed and the rows of the training; nil: the model does not store
	// them.
	TrainedOn *TrainedOn `json:"trained_on,omitempty"`

	// Study is how learner and parameters were chosen; nil: by nobody, or by hand.
	Study *Study `json:"study,omitempty"`

	// Permutation is the permutation importance of the columns, if it was computed once the model
	// was trained; nil: it was not.
	Permutation *Permutation `json:"permutation_importance,omitempty"`

	// Profile is what the training rows were like; nil: the model does not store it.
	Profile *Profile `json:"profile,omitempty"`

	// Evaluations are how good the model was when it was made; nil: the model does not store it.
	Evaluations []Evaluation `json:"evaluations,omitempty"`
	// Notes are texts of the model's owner, by their keys: see CheckNote.
	Notes map[string]string `json:"notes,omitempty"`
	// Stamp is when and by which release the model was trained; nil, the default: it is not stored.
	Stamp *Stamp `json:"stamp,omitempty"`
	// Golden is some rows with their predictions; nil: the model does not store them.
	Golden *Golden `json:"golden,omitempty"`

	// Memory owns what the model's arrays lie in, such as a mapped file, and lasts as long as the
	// model or a Predictor of it; nil: they are Go's own.
	Memory any `json:"-"`
}

// Labels reports whether the model can name a class for a row: by its class probabilities, or by
// a score.
func (s *Spec) Labels() bool { return s.Task.Classes() || s.Task == data.Anomaly }

// Positive returns the place in Classes of the positive one of two classes, to which precision,
// recall, F1 and thresholds refer; of scores of anomalies it is the anomaly. It is -1 where classes
// are not two.
func (s *Spec) Positive() int {
	switch {
	case !s.Labels() || len(s.Classes) != 2:
		return -1
	case s.Decision.FirstPositive:
		return 0
	}
	return 1
}

// Median returns the output that predicts the median, or else the quantile nearest to it, the lower
// one of two. It is 0 where the model predicts no quantiles.
func (s *Spec) Median() int {
	at := 0
	for i, q := range s.Quantiles {
		if math.Abs(q-0.5) < math.Abs(s.Quantiles[at]-0.5) {
			at = i
		}
	}
	return at
}

// Decision is how one class is chosen from the fractions of all, or one of two classes by a score.
type Decision struct {
	// the label is the class of least expected cost; nil: of the largest probability
	Costs data.Costs `json:"costs,omitempty"`
	// Threshold, if not 0, decides between two classes whatever the costs: the label is the
	// positive class if its probability is greater, of scores of anomalies the second if the score
	// is greater; else it is the other one.
	Threshold float64 `json:"threshold,omitempty"`
	// FirstPositive reports that of two classes the first is the positive one (see Spec.Positive),
	// else the second is. Anomalies are always the second.
	FirstPositive bool `json:"first_positive,omitempty"`
}

// Label returns the index of the class chosen for a response.
func (d *Decision) Label(response []float64) int {
	switch {
	case d.Threshold == 0:
		return d.Costs.Label(response)
	case d.FirstPositive:
		if response[0] > d.Threshold {
			return 0
		}
		return 1
	case response[len(response)-1] > d.Threshold:
		return 1
	}
	return 0
}

// Output selects what a Predictor writes.
type Output = param.Enum[outputNames]

// The outputs.
const (
	// K probabilities for K classes (binary too), else the predicted values or the score
	Response Output = iota
	Raw             // before the link
	// the index of the predicted class by Spec.Decision, of equal ones the first. Where Spec has no
	// Labels as Response
	Label
	// the leaf reached in each tree: by the number of the node, or by that of the tool that made
	// the model (Origin.Leaf)
	Leaf
	// Quantiles are Options.Quantiles of the training values in the leaves reached: the least value
	// up to which the weights add up to the quantile. Models that keep no such values have none:
	// ErrNoQuantiles.
	Quantiles
)

type outputNames struct{}

func (outputNames) Enum() (string, []string) {
	return "output", []string{"proba", "raw", "label", "leaf", "quantiles"}
}

// Validate checks what a model predicts of its problem: the schema, which holds no dates and texts
// but their parts, that there are classes where they are predicted, and that the decision fits
// them. The models of Coppice call it when they are validated.
func (s *Spec) Validate() error {
	if err := s.Schema.Validate(); err != nil {
		return err
	}
	for i := range s.Schema.Fields {
		if f := &s.Schema.Fields[i]; f.Kind == data.Date || f.Kind == data.Text {
			return fmt.Errorf("column %q holds %ss: train on the columns that data.Expand "+
				"makes of them", f.Name, f.Kind)
		}
	}
	if _, err := spelling.ParseNumberFormat(s.LabelFormat); err != nil {
		return fmt.Errorf("the label: %w", err)
	}
	d := &s.Decision
	switch {
	case s.Task.Classes() && len(s.Classes) == 0:
		return errors.New("a classification model without classes")
	case s.Task == data.Anomaly && (len(s.Classes) != 2 || d.Threshold == 0 || d.Costs != nil):
		return errors.New("a model of anomalies needs a threshold between two classes, and no " +
			"costs")
	case d.FirstPositive && (!s.Task.Classes() || len(s.Classes) != 2):
		return fmt.Errorf("a positive class of %s with %d classes, want two classes", s.Task,
			len(s.Classes))
	case d.Threshold != 0 && len(s.Classes) != 2:
		return fmt.Errorf("a threshold between %d classes, want 2", len(s.Classes))
	case !(d.Threshold >= 0 && d.Threshold <= math.MaxFloat64):
		return fmt.Errorf("threshold %v: want a number from 0 up", d.Threshold)
	}
	if err := s.validateQuantiles(); err != nil {
		return err
	}
	if err := s.TrainedOn.validate(); err != nil {
		return err
	}
	if err := s.Permutation.validate(); err != nil {
		return err
	}
	if err := s.Profile.validate(&s.Schema); err != nil {
		return err
	}
	if err := s.Golden.validate(&s.Schema); err != nil {
		return err
	}
	if err := s.validateReport(); err != nil {
		return err
	}
	return d.Costs.Check(len(s.Classes))
}

func (s *Spec) validateQuantiles() error {
	if s.Quantiles != nil && s.Task != data.Regression {
		return fmt.Errorf("a model of %s with quantiles", s.Task)
	}
	last := 0.0
	for _, q := range s.Quantiles {
		if !(q > last && q < 1) {
			return fmt.Errorf("quantiles %v do not ascend between 0 and 1", s.Quantiles)
		}
		last = q
	}
	return nil
}

// Options are the choices of Bind. The zero value requests the response on one worker per
// processor.
type Options struct {
	Output Output
	// goroutines of Predict; 0 = one per processor. The result is the same for any number
	Workers int
	// use only the trees of the first Rounds rounds; 0 = the model's own number (Ensemble.Best),
	// which is all but for imported models; AllRounds = all
	Rounds int

	// Memory limits what callers hold of predictions for rows x classes, as evaluation does; 0 =
	// memory.Default.
	Memory memory.Limit

	// Layout requests a way in which an Ensemble keeps its trees; 0 = the engine's choice. Bind
	// returns a *LayoutError if the trees do not fit it. Other models ignore it.
	Layout Layout

	// for the output Quantiles, each from 0 to 1, in any order; nil = 0.1, 0.5, 0.9
	Quantiles []float64
}

// Predictor predicts rows of tables. It is safe for concurrent use, and keeps no memory of the
// schema that was bound.
type Predictor interface {
	// Width is the number of values per row.
	Width() int
	// Predict writes Width values for each of rows into dst, row after row; rows == nil means all
	// rows of the frame.
	//
	// The frame need not have the schema that was bound: its columns are found by name and its
	// categories by text, in each call. So its columns may have another order, and its dictionaries
	// other codes, more categories or fewer; categories that the model does not have are unseen.
	// What the call costs for that is at most in proportion to the rows, and least where the schema
	// is the bound one. A column that is absent (*MissingColumnError) or of another kind
	// (*KindError) is an error, as in Bind; so is a row that the frame does not have
	// (*data.RowError). Errors of values name the row and the column.
	Predict(dst []float64, f *data.Frame, rows []int32) error
	// PredictRow predicts one row given as values in the order of the bound schema. Missing is NaN;
	// a category is its code in the bound schema's dictionary, -1 for a text that the dictionary
	// does not hold. Any other value of a categorical column, such as a fraction or a code beyond
	// the dictionary, is a *ValueError that names the column. Where the bound column is numeric and
	// the model's has bare codes, any number is right (see Model.Bind).
	PredictRow(dst, row []float64) error
	// PredictSparse predicts one row given as the values of some columns, in any order: those at
	// the positions index in the bound schema, each at most once. Values are as in PredictRow.
	// Numeric columns that are not named are 0, or missing if the model's schema has
	// data.AbsentMissing; other columns are missing. With models of trees it takes time in
	// proportion to the values and the depth of the trees, and allocates nothing. A position that
	// the schema does not have is an *IndexError.
	PredictSparse(dst []float64, index []int32, value []float64) error
}

// MissingColumnError reports that a table does not have a column which the model needs.
type MissingColumnError struct{ Column string }

func (e *MissingColumnError) Error() string {
	return fmt.Sprintf("the table has no column %q, which the model needs", e.Column)
}

// KindError reports that a column has another kind than in training.
type KindError struct {
	Column    string
	Want, Got data.Kind
}

func (e *KindError) Error() string {
	return fmt.Sprintf("column %q is %s, the model was trained on a %s one", e.Column,
		e.Got, e.Want)
}

// ValueError reports that a row holds a value which the schema's policy refuses, or one that is no
// category of its column.
type ValueError struct {
	Column string
	Row    int // row of the frame, from 0; -1 in PredictRow
	// "missing value", "category never seen in training", or why a number is no category
	What string
}

func (e *ValueError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("column %q: %s", e.Column, e.What)
	}
	return fmt.Sprintf("row %d, column %q: %s", e.Row+1, e.Column, e.What)
}

// SizeError reports that a slice handed to a Predictor is too short.
type SizeError struct{ Want, Got int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("slice of %d values where %d are needed", e.Got, e.Want)
}
