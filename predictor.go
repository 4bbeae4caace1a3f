package coppice

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Predictor predicts structs of type T, one at a time. It is safe for concurrent use.
type Predictor[T any] struct {
	spec    *model.Spec
	reader  *data.RowReader
	bound   model.Predictor
	checks  *model.RowChecks
	buffers sync.Pool // of *rowBuffer[T], that are used again
}

// Policy is what prediction does with values that training had not: data.Learned accepts them,
// data.Flag reports them in Prediction.Flags, and data.Refuse returns an error.
type Policy = data.Policy

// Checks are the policies by what training had not, and by column.
type Checks = model.Checks

// rowBuffer is the scratch memory of one prediction. The row is a copy, so that the caller's stays
// where it is: reflection moves the values that it reads to the heap.
type rowBuffer[T any] struct {
	row    T
	fields reflect.Value // of row
	values []float64
	text   []byte
}

// Prediction is the prediction of a model for one row. The zero value is ready for PredictInto.
type Prediction struct {
	// Class is the predicted class, by the model's costs or threshold where it has some
	// (model.Decision), else the most probable one; of anomaly scores whether the row is an
	// anomaly. "" where the task has no classes.
	Class string
	// Value is the predicted number, of several outputs the first; of anomalies the score; of
	// classes the probability of Class.
	Value float64
	// Values are the probabilities of the classes in the order of model.Spec.Classes, else the
	// outputs.
	Values []float64
	// Flags are the row's values that training had not, as far as the checks flag them.
	Flags []model.Flag

	classes []string // of Values; nil where they are no probabilities
}

// Probability returns the predicted probability of a class by its name; NaN where the model has no
// class of that name.
func (y *Prediction) Probability(class string) float64 {
	if i := slices.Index(y.classes, class); i >= 0 {
		return y.Values[i]
	}
	return math.NaN()
}

// NewPredictor binds a model to the fields of a struct, by the tags that data.FromStructs uses:
//
//	type Customer struct {
//		Age   float64 `coppice:"age"`    // numeric; NaN is missing
//		Plan  string  `coppice:"plan"`   // categorical; "" is missing
//		Calls *int    `coppice:"calls"`  // numeric; nil is missing
//		Churn string  `coppice:"churn"`  // the label: no column of the model, ignored
//	}
//
// Fields are checked against the model's columns here, once. Errors name the struct: a column
// without a field, a field of another kind, a type that no column has. Categories are found by
// their texts; those that training did not have follow the model's policy (data.Field.Unseen).
//
// Values that training had not are flagged, or treated as checks require, of which there is at most
// one.
func NewPredictor[T any](m model.Model, checks ...Checks) (*Predictor[T], error) {
	spec := m.Spec()
	reader, err := data.NewRowReader(reflect.TypeFor[T](), &spec.Schema)
	if err != nil {
		return nil, err
	}
	bound, err := m.Bind(reader.Schema(), model.Options{Workers: 1})
	if err != nil {
		return nil, fmt.Errorf("struct %s: %w", reflect.TypeFor[T](), err)
	}
	if len(checks) == 0 {
		checks = []Checks{model.FlagAll}
	}
	return &Predictor[T]{spec: spec, reader: reader, bound: bound,
		checks: checks[0].Bind(m, reader.Schema())}, nil
}

// Predict predicts one row. The error is a *model.ValueError where the schema refuses a missing
// value or an unseen category, or the checks a value that training had not.
func (p *Predictor[T]) Predict(row T) (Prediction, error) {
	var y Prediction
	err := p.PredictInto(&y, &row)
	return y, err
}

// Schema returns the columns of Values, to which the model is bound. Callers must not change it.
func (p *Predictor[T]) Schema() *data.Schema { return p.reader.Schema() }

// Values writes a row's values as model.Predictor.PredictRow takes them, in the order of Schema,
// for explanations of the row. dst has as many places, or is nil.
func (p *Predictor[T]) Values(dst []float64, row *T) []float64 {
	if dst == nil {
		dst = make([]float64, len(p.Schema().Fields))
	}
	p.reader.Read(dst, reflect.ValueOf(row).Elem(), nil)
	return dst
}

// PredictInto is Predict into a prediction that is used again: it allocates nothing once y has been
// used, with models of trees and where no date is a category. On an error y is not to be used.
func (p *Predictor[T]) PredictInto(y *Prediction, row *T) error {
	b, _ := p.buffers.Get().(*rowBuffer[T])
	if b == nil {
		b = &rowBuffer[T]{values: make([]float64, len(p.reader.Schema().Fields))}
		b.fields = reflect.ValueOf(&b.row).Elem()
	}
	b.row = *row
	b.text = p.reader.Read(b.values, b.fields, b.text)
	y.Values = slices.Grow(y.Values[:0], p.bound.Width())[:p.bound.Width()]
	err := p.bound.PredictRow(y.Values, b.values)
	if err == nil {
		y.Flags, err = p.checks.Row(y.Flags[:0], b.values)
	}
	var none T
	b.row = none // strings and pointers of the row are not kept
	p.buffers.Put(b)
	if err != nil {
		return err
	}
	y.Class, y.Value, y.classes = "", y.Values[0], nil
	if p.spec.Labels() {
		label := p.spec.Decision.Label(y.Values)
		y.Class = p.spec.Classes[label]
		if p.spec.Task.Classes() {
			y.Value, y.classes = y.Values[label], p.spec.Classes
		}
	}
	return nil
}
