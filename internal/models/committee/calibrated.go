package committee

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/enum"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/model"
)

// Calibrated is a model for classes with the curves that its probabilities go through.
// Of the rows with probability 0.8 for a class, four of five are to be of that class.
//
//	platt         1 / (1 + exp(-(slope z + intercept)))    z = log of p / (1 - p)    Platt 1999
//	isotonic      a broken line through (p, q), rising                               Zadrozny & Elkan 2002
//	temperature   p^sharpness, normalised; sharpness = 1 / temperature               Guo et al. 2017
//	none          the probabilities as they are; the decision may differ
//
// With two classes platt and isotonic have one calibrator, of the second class's probability. With
// more classes they have one for each class against the rest, and the values are divided by their
// sum.
type Calibrated struct {
	Meta        model.Spec // its classes and columns are those of Base, its decision is its own
	Base        model.Model
	Method      CalibrationMethod
	Calibrators []Calibrator // as many as Method.Curves returns
}

// CalibrationMethod is what form the curves have.
type CalibrationMethod uint8

// The methods.
const (
	NoCurves CalibrationMethod = iota
	Platt
	Isotonic
	Temperature
)

var methodNames = enum.Names[CalibrationMethod]{"none", "platt", "isotonic", "temperature"}

// String returns the name that UnmarshalText reads.
func (m CalibrationMethod) String() string { return methodNames.Name("method", m) }

// CalibrationMethods returns the names of all methods.
func CalibrationMethods() []string { return slices.Clone(methodNames) }

// UnmarshalText reads what String returns; any other name is an error.
func (m *CalibrationMethod) UnmarshalText(text []byte) error {
	return methodNames.Read(m, "calibration", text)
}

// Curves returns how many curves there are for a number of classes.
func (m CalibrationMethod) Calibrators(classes int) int {
	switch {
	case m == NoCurves:
		return 0
	case m == Temperature || classes == 2:
		return 1
	}
	return classes
}

// Curve takes a probability to another. What belongs to another method is zero.
type Calibrator struct {
	Slope     float64 // of Platt; of Temperature the sharpness, from 0 up
	Intercept float64 // of Platt
	// At ascends, and Value with it or stays: the corners of the line of Isotonic, probabilities
	// from 0 to
	// 1. Before the first and behind the last the line is level.
	At, Value []float64
}

// smallestProbability is 2^-20. Platt and Temperature clip probabilities to it and to its
// complement, so that a probability of 0 or 1 that is wrong has no infinite effect.
const smallestProbability = 0x1p-20

// LogOdds returns log(p / (1 - p)), with p kept from 0 and 1 by smallestProbability.
func LogOdds(p float64) float64 {
	p = max(smallestProbability, min(1-smallestProbability, p))
	return kernel.Log(p) - kernel.Log1p(-p)
}

// LogProbability returns log(p), with p kept from 0 by smallestProbability.
func LogProbability(p float64) float64 { return kernel.Log(max(smallestProbability, p)) }

// Logistic returns 1 / (1 + exp(-z)).
func Logistic(z float64) float64 {
	if z < 0 {
		e := kernel.Exp(z)
		return e / (1 + e)
	}
	return 1 / (1 + kernel.Exp(-z))
}

// at returns what a curve makes of a probability, by the method.
func (c *Calibrator) at(m CalibrationMethod, p float64) float64 {
	if m == Platt {
		return Logistic(float64(c.Slope*LogOdds(p)) + c.Intercept)
	}
	i, found := slices.BinarySearch(c.At, p)
	switch {
	case found:
		return c.Value[i]
	case i == 0:
		return c.Value[0]
	case i == len(c.At):
		return c.Value[i-1]
	}
	left, right := c.At[i-1], c.At[i]
	return min(c.Value[i], c.Value[i-1]+float64((c.Value[i]-c.Value[i-1])*((p-left)/(right-left))))
}

// Apply turns the probabilities of one row, of as many classes as there are, into calibrated ones.
// If all classes come out with 0, they get equal probabilities.
func (c *Calibrated) Apply(probabilities []float64) {
	m, calibrators := c.Method, c.Calibrators
	switch {
	case m == NoCurves:
		return
	case m == Temperature:
		top := math.Inf(-1)
		for k, p := range probabilities {
			probabilities[k] = float64(calibrators[0].Slope * LogProbability(p))
			top = max(top, probabilities[k])
		}
		for k, z := range probabilities {
			probabilities[k] = kernel.Exp(z - top)
		}
	case len(probabilities) == 2:
		q := calibrators[0].at(m, probabilities[1])
		probabilities[0], probabilities[1] = 1-q, q
		return
	default:
		for k, p := range probabilities {
			probabilities[k] = calibrators[k].at(m, p)
		}
	}
	total := kernel.Sum(probabilities)
	for k := range probabilities {
		if total > 0 {
			probabilities[k] /= total
		} else {
			probabilities[k] = 1 / float64(len(probabilities))
		}
	}
}

// Spec returns the model's description.
func (c *Calibrated) Spec() *model.Spec { return &c.Meta }

// Outputs returns the number of classes.
func (c *Calibrated) Outputs() int { return len(c.Meta.Classes) }

// AsSum returns the sum of the base, whose raw scores are those of the model too.
func (c *Calibrated) AsSum() (model.Summed, bool) {
	s, ok := model.AsSum(c.Base)
	s.Whole = s.Whole && c.Method == NoCurves
	return s, ok
}

// Validate checks the curves, that the base predicts the same classes from the same columns, and
// the base. Codecs call it on what they read.
func (c *Calibrated) Validate() error {
	if err := c.Meta.Validate(); err != nil {
		return err
	}
	switch {
	case !c.Meta.Task.Classes():
		return fmt.Errorf("calibrated class probabilities, the task is %s", c.Meta.Task)
	case int(c.Method) >= len(methodNames):
		return fmt.Errorf("unknown calibration %d", c.Method)
	case len(c.Calibrators) != c.Method.Calibrators(len(c.Meta.Classes)):
		return fmt.Errorf("%d curves of %s for %d classes", len(c.Calibrators), c.Method,
			len(c.Meta.Classes))
	case c.Base == nil:
		return errors.New("no model to calibrate")
	}
	for i := range c.Calibrators {
		if err := c.Calibrators[i].check(c.Method); err != nil {
			return fmt.Errorf("curve %d: %w", i, err)
		}
	}
	if err := c.checkBase(); err != nil {
		return fmt.Errorf("base: %w", err)
	}
	return nil
}

func (c *Calibrated) checkBase() error {
	if err := checkInner(c.Base, (*Calibrated).Validate); err != nil {
		return err
	}
	if err := checkTask(c.Base, &c.Meta, "the calibrated model"); err != nil {
		return err
	}
	if c.Base.Outputs() != c.Outputs() {
		return fmt.Errorf("has %d outputs, the calibrated model %d", c.Base.Outputs(), c.Outputs())
	}
	return checkColumns(c.Base, c.Meta.Schema.Kinds(), "the calibrated model")
}

// check reports what is wrong with a curve.
func (c *Calibrator) check(m CalibrationMethod) error {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	switch {
	case !finite(c.Slope) || !finite(c.Intercept):
		return fmt.Errorf("slope %g and intercept %g", c.Slope, c.Intercept)
	case m == Temperature && c.Slope < 0:
		return fmt.Errorf("sharpness %g: want a number from 0 up", c.Slope)
	case m != Platt && c.Intercept != 0 || m == Isotonic && c.Slope != 0:
		return fmt.Errorf("slope %g and intercept %g of %s", c.Slope, c.Intercept, m)
	case m != Isotonic && len(c.At)+len(c.Value) > 0:
		return fmt.Errorf("corners of %s", m)
	case m == Isotonic && (len(c.At) == 0 || len(c.At) != len(c.Value)):
		return fmt.Errorf("%d places and %d values of corners", len(c.At), len(c.Value))
	}
	for i := range c.At {
		switch {
		case !(c.At[i] >= 0 && c.At[i] <= 1 && c.Value[i] >= 0 && c.Value[i] <= 1):
			return fmt.Errorf("corner (%g, %g) is outside of [0, 1]", c.At[i], c.Value[i])
		case i > 0 && (c.At[i] <= c.At[i-1] || c.Value[i] < c.Value[i-1]):
			return fmt.Errorf("corner (%g, %g) does not rise from the one before",
				c.At[i], c.Value[i])
		}
	}
	return nil
}
