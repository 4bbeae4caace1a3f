package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// TrainedOn identifies the training of a model: with the same table, parameters and seed, training
// gives the same model again. It belongs to the outermost model: members have none of their own,
// unless they were trained before.
type TrainedOn struct {
	Seed  uint64    `json:"seed"`
	Table data.Hash `json:"table"`          // of the training rows: data.BlockDataset.Hashing
	Plan  *Plan     `json:"plan,omitempty"` // nil: the zero value, or not stored
}

// Words describes the training for reports.
func (t *TrainedOn) Words() string {
	return fmt.Sprintf("seed %d, rows with hash %s", t.Seed, t.Table)
}

// Plan is what a training made of its table, beside what schema and roles state: with it the same
// table is read and divided in the same way. The zero value trains on all rows as they are.
type Plan struct {
	// fractions of the rows for the validation and the test set; 0 = none
	Valid float64 `json:"valid,omitempty"`
	Test  float64 `json:"test,omitempty"`
	// the rows of these sets were files of their own
	ValidFile bool `json:"valid_file,omitempty"`
	TestFile  bool `json:"test_file,omitempty"`

	Ignore        []string `json:"ignore,omitempty"` // columns that were left out
	Map           []string `json:"map,omitempty"`    // labels that were renamed, as OLD=NEW
	DropUnlabeled bool     `json:"drop_unlabeled,omitempty"`
	// the label and columns with roles that were read as categories, or, as COL=FORMAT, as dates
	Categorical []string `json:"categorical,omitempty"`
	Dates       []string `json:"dates,omitempty"`
	NoProfile   bool     `json:"no_profile,omitempty"` // no profile of the rows was to be stored
	// Times are the first and the last time of the training and the validation rows, as
	// data.Target.Time has them; nil: no column of time was given, or they were not to be stored
	Times []int64 `json:"times,omitempty"`
}

// IsZero reports whether the plan is that of all rows as they are.
func (p *Plan) IsZero() bool { return reflect.ValueOf(*p).IsZero() }

// validate checks what a file may have wrong.
func (t *TrainedOn) validate() error {
	if t == nil || t.Plan == nil {
		return nil
	}
	p := t.Plan
	if !(p.Valid >= 0 && p.Test >= 0 && p.Valid+p.Test < 1) {
		return fmt.Errorf("a plan with fractions %v and %v of the rows", p.Valid, p.Test)
	}
	for _, pair := range slices.Concat(p.Map, p.Dates) {
		if !strings.Contains(pair, "=") {
			return fmt.Errorf("a plan with %q: want two names", pair)
		}
	}
	if len(p.Times) != 0 && (len(p.Times) != 2 || p.Times[0] > p.Times[1]) {
		return fmt.Errorf("a plan with the times %v: want the first and the last one", p.Times)
	}
	if slices.Contains(slices.Concat(p.Ignore, p.Categorical), "") {
		return errors.New("a plan with a column without name")
	}
	return nil
}
