package data

import (
	"github.com/coppice-ml/coppice/internal/enum"
)

// Task is the kind of a learning problem.
type Task uint8

// The tasks. Auto lets the label's values decide (see Roles). Anomaly is the task of models that
// score how unlike the rows of training a row is; no label has it, because such models use none.
const (
	Auto Task = iota
	Binary
	Multiclass
	Regression
	Ranking
	Survival
	Anomaly
)

var taskNames = enum.Names[Task]{"auto", "binary", "multiclass", "regression", "ranking",
	"survival", "anomaly"}

// String returns the name that UnmarshalText reads.
func (t Task) String() string { return taskNames.Name("task", t) }

// Classes reports whether the task predicts classes.
func (t Task) Classes() bool { return t == Binary || t == Multiclass }

// MarshalText writes the task by its name.
func (t Task) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a name that MarshalText wrote; any other name is an error.
func (t *Task) UnmarshalText(text []byte) error { return taskNames.Read(t, "task", text) }

// Target is what a learner predicts, one entry per frame row. At most one of Y and Class is set;
// with neither there is no label (anomaly detection). Labels and weights are finite; weights are
// not negative.
type Target struct {
	Name    string      // the label column, "" if none
	Roles   RoleColumns // the columns that the other values come from, as far as they have names
	Format  string      // how files write the label's numbers: Field.Format of its column
	Task    Task        // Auto only where there is no label
	Guessed bool        // few integers decided the task: another one is as possible (see Roles)
	Y       [][]float64 // regression: Y[output][row]
	Class   []uint32    // classification: index into Classes
	Classes []string    // names of the classes
	// Positive is which of two classes is the positive one. Learners write it into the model; of a
	// target without a choice that is the second class.
	Positive Positive
	// interval-censored labels: the upper end, may be +Inf; Y[0] is the lower end
	Upper  []float64
	Event  []uint8   // survival: 1 = the event was seen, 0 = censored
	Weight []float64 // observation weights; nil = all 1
	Offset []float64 // initial scores, rows x outputs
	Group  []int64   // rows of one group stay together (queries, patients)
	Time   []int64   // orders rows for splits by time; nothing but the order counts
}

// Pointwise returns the target for a learner that knows no queries: the relevance of each row as a
// number, where rows are to be ranked (pointwise ranking; Liu 2009, "Learning to Rank for
// Information Retrieval", section 1.3.1). Other targets are returned as they are.
func (t *Target) Pointwise() *Target {
	if t.Task != Ranking {
		return t
	}
	own := *t
	own.Task = Regression
	return &own
}

// NumClasses returns the number of classes, 0 for other tasks.
func (t *Target) NumClasses() int { return len(t.Classes) }

// WeightAt returns the observation weight of a row: 1 where no weights are set.
func (t *Target) WeightAt(row int32) float64 {
	if t.Weight == nil {
		return 1
	}
	return t.Weight[row]
}

// WithWeight returns the rows whose weight is not 0, in the order given: what a row of weight 0
// says counts for nothing, so it is absent for plans and learners. Rows are returned as they are
// where all of them have weight, or none.
func (t *Target) WithWeight(rows []int32) []int32 {
	return WithWeight(t.Weight, rows)
}

// WithWeight returns the rows whose weight, by frame row, is not 0; see Target.WithWeight.
func WithWeight(weight []float64, rows []int32) []int32 {
	without := 0
	for _, r := range rows {
		if uint(r) < uint(len(weight)) && weight[r] == 0 {
			without++
		}
	}
	if without == 0 || without == len(rows) {
		return rows
	}
	kept := make([]int32, 0, len(rows)-without)
	for _, r := range rows {
		if uint(r) >= uint(len(weight)) || weight[r] != 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

// Dataset is a table of features with its target.
type Dataset struct {
	*Frame
	Target Target
	// Kept are the rows of the table that Roles.Apply was given, ascending, where it left some out
	// because the label is missing; nil = all.
	Kept []int32

	window window // on the data set that Divide divided
}

// Number returns the number of a row, from 0, in the table that Roles.Apply was given.
func (d *Dataset) Number(row int32) int32 {
	if d.Kept == nil {
		return row
	}
	return d.Kept[row]
}
