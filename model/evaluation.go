package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/metric"
)

// Evaluation is how good a model was on some rows when it was made.
type Evaluation struct {
	// Origin is where the rows come from: validation, test, hold-out, cross-validation or
	// out-of-bag
	Origin string `json:"origin"`
	// what training chose by these rows, such as "pruning", so that the metrics are too optimistic;
	// "" = nothing
	UsedFor  string      `json:"used_for,omitempty"`
	Rows     int         `json:"rows"`
	Plan     string      `json:"plan,omitempty"`     // how the rows were chosen, in words
	Positive string      `json:"positive,omitempty"` // the positive one of two classes
	Metrics  []Evaluated `json:"metrics"`
}

// Evaluated is the value of a metric.
type Evaluated struct {
	Name  string  `json:"name"` // in package metric
	Value float64 `json:"value"`
	// the ends of its interval of 95 %; nil: nobody computed it
	Low  *float64 `json:"low,omitempty"`
	High *float64 `json:"high,omitempty"`
}

// Origins of evaluations.
const (
	OfValidation   = "validation"
	OfTest         = "test"
	OfOutOfBagRows = "out-of-bag"
	OfFolds        = "cross-validation"
	OfHoldOut      = "hold-out"
)

func origins() []string {
	return []string{OfValidation, OfTest, OfHoldOut, OfFolds, OfOutOfBagRows}
}

// Metric returns the value of a metric, nil if there is none of the name.
func (e *Evaluation) Metric(name string) *Evaluated {
	for i := range e.Metrics {
		if e.Metrics[i].Name == name {
			return &e.Metrics[i]
		}
	}
	return nil
}

// Words describes the evaluation for reports: so many of the metrics, 0 = all, with their
// intervals, the rows, and what training used them for.
func (e *Evaluation) Words(metrics int) string {
	text := ""
	for i, m := range e.Metrics {
		if metrics > 0 && i == metrics {
			break
		}
		text += metric.Words(m.Name) + " " + humanize.Metric(m.Value)
		if m.Low != nil {
			text += fmt.Sprintf(" (%s to %s)", humanize.Metric(*m.Low), humanize.Metric(*m.High))
		}
		text += ", "
	}
	text += e.Source() + " of " + humanize.Count(e.Rows, "row", "rows")
	if e.UsedFor != "" {
		text += ", too optimistic as it was used for " + e.UsedFor
	}
	return text
}

// Source names where the rows come from, in words.
func (e *Evaluation) Source() string {
	switch e.Origin {
	case OfHoldOut:
		return OfValidation + " set"
	case OfValidation, OfTest:
		return e.Origin + " set"
	}
	return e.Origin
}

// Best returns the evaluation that estimates the error on new rows, nil if there is none: that of
// the test set, else of a hold-out, of cross-validation, of out-of-bag rows, or of a validation set
// that training did not use.
func (s *Spec) Best() *Evaluation {
	for _, origin := range []string{OfTest, OfHoldOut, OfFolds, OfOutOfBagRows, OfValidation} {
		for i := range s.Evaluations {
			if e := &s.Evaluations[i]; e.Origin == origin && e.UsedFor == "" {
				return e
			}
		}
	}
	return nil
}

// Stamp is when and by which release a model was trained. Nothing stores it unasked, so that the
// same training gives the same bytes.
type Stamp struct {
	Time    string `json:"time"`    // as RFC 3339 has it
	Version string `json:"version"` // of the program
}

// Limits of evaluations and notes.
const (
	mostEvaluations = 100
	mostNotes       = 100
	longestKey      = 64
	longestNote     = 1000 // bytes of a note, a plan and other texts
)

// CheckNote reports what is wrong with a note: its key has letters, digits, dots, dashes and
// underscores, at most 64, and its text at most 1000 bytes in one line.
func CheckNote(key, text string) error {
	plain := func(r rune) bool {
		return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) ||
			strings.ContainsRune(".-_", r)
	}
	switch {
	case key == "" || len(key) > longestKey || strings.Trim(key, ".-_") == "":
		return fmt.Errorf("note %q: want a key of 1 to %d characters", key, longestKey)
	case strings.ContainsFunc(key, func(r rune) bool { return !plain(r) }):
		return fmt.Errorf("note %q: want letters, digits, dots, dashes and underscores in the key",
			key)
	}
	return checkText("note "+key, text)
}

// checkText reports a text that is long or no line of UTF-8.
func checkText(what, text string) error {
	if len(text) > longestNote || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("%s: want at most %d bytes of UTF-8 in one line", what, longestNote)
	}
	return nil
}

// validateReport checks evaluations, notes and stamp.
func (s *Spec) validateReport() error {
	if len(s.Evaluations) > mostEvaluations || len(s.Notes) > mostNotes {
		return fmt.Errorf("%d evaluations and %d notes, the most is %d", len(s.Evaluations),
			len(s.Notes), mostNotes)
	}
	for i := range s.Evaluations {
		if err := s.Evaluations[i].validate(); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Notes)) {
		if err := CheckNote(key, s.Notes[key]); err != nil {
			return err
		}
	}
	if s.Stamp == nil {
		return nil
	}
	if _, err := time.Parse(time.RFC3339, s.Stamp.Time); err != nil {
		return fmt.Errorf("stamp: %q is no time", s.Stamp.Time)
	}
	return checkText("version of the stamp", s.Stamp.Version)
}

func (e *Evaluation) validate() error {
	if !slices.Contains(origins(), e.Origin) || e.Rows < 1 || len(e.Metrics) > mostEvaluations {
		return fmt.Errorf("evaluation of %q on %d rows with %d metrics", e.Origin, e.Rows,
			len(e.Metrics))
	}
	for what, text := range map[string]string{"use": e.UsedFor, "plan": e.Plan} {
		if err := checkText(what+" of an evaluation", text); err != nil {
			return err
		}
	}
	for _, m := range e.Metrics {
		if m.Name == "" || notFinite(m.Value) || (m.Low == nil) != (m.High == nil) {
			return fmt.Errorf("metric %q is %v", m.Name, m.Value)
		}
		if err := checkText("name of a metric", m.Name); err != nil {
			return err
		}
		if m.Low != nil && (notFinite(*m.Low) || notFinite(*m.High) || *m.Low > *m.High) {
			return fmt.Errorf("metric %q is from %v to %v", m.Name, *m.Low, *m.High)
		}
	}
	return nil
}
