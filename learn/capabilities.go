package learn

import (
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Capabilities is what a learner takes, does and uses, with its parameters as they are. The zero
// value is a learner of classification and regression that takes all columns, missing values and
// weights, trains at once, and uses no validation set.
type Capabilities struct {
	Needs // what the learner requires of its training data

	// Summary returns an empty training summary, to read what its models hold (ReadSummary). nil:
	// they hold none.
	Summary func() Summary
	// Tasks are those beyond classification and regression: data.Ranking, data.Survival.
	Tasks []data.Task
	// Task is that of a label which leaves it open, as a loss decides it; data.Auto: the label
	// does.
	Task data.Task
	// Metric names what models are compared by, as a loss decides it; "": metric.Main of the task.
	Metric string
	// Blocks reports that Prepare takes features that are read in blocks. Training then holds the
	// labels, what it needs for each row, and as much of the table as Env.Memory leaves; the rest
	// is in a file in Env.Scratch.
	Blocks bool
	// Unweighted learners ignore Target.Weight. Boosting samples their rows by weight instead.
	Unweighted bool
	// Offset reports that Fit starts from the scores of Target.Offset; others ignore them. They are
	// no part of the model.
	Offset bool
	// Validation is what Fit uses Job.Valid for.
	Validation Validation

	// Rounds reports that Fit trains in rounds: the model reports metrics of each, and predicts
	// with its first ones where model.Options.Rounds is set.
	Rounds bool
	// ChoosesRounds reports that Fit chooses the number of rounds: by Job.Valid, else by
	// cross-validation, which takes several trainings.
	ChoosesRounds bool
	// Chosen returns settings that the training of a model chose by comparing candidates on its
	// rows: other trainings take them in place of comparing anew. nil: Fit compares none.
	Chosen func(m model.Model) ([]string, error)
	// Resume reports that Fit resumes from Job.Start, and offers a Checkpoint after each Round.
	Resume bool
	// OutOfBag reports that members are trained on samples of the rows. Fit then passes their
	// predictions of other rows to Job.OutOfBag, unless NoneOut is the reason why there are none.
	OutOfBag bool
	NoneOut  error
	// Merge joins all shards of a model, in any order, to the model that training it at once
	// makes, byte for byte. It is an error if the models are not all the shards of one, a
	// *MergeError if some of them are to blame. nil: the learner has no parameter shard.
	Merge func(shards []model.Model) (model.Model, *Unseen, error)

	// RowClassBytes is how many bytes Fit holds for every row and every class: raw scores,
	// derivatives, votes, out-of-fold predictions. 0 = 16, for class counts in leaves and what a
	// model predicts of each row. What does not grow with the product of both is not counted.
	RowClassBytes int64
	// Presets are parameters for speed or for accuracy; the one called default has no settings.
	// Compats are the defaults and conventions of other programs, by their names.
	Presets, Compats []Preset
	// Conflicts reports all parameters that exclude each other; nil: there are none.
	Conflicts error
}

// Needs is what a learner requires of its training data. The zero value requires nothing: the
// learner takes numbers and categories, missing values, and labels of classes or numbers.
type Needs struct {
	// Classes: the label has classes; other tasks are refused with a *TaskError.
	Classes bool `json:"classes"`
	// Survival: the label is a time; other tasks are refused with a *TaskError.
	Survival bool `json:"survival"`
	// Categorical: features are categorical; numeric ones are refused with a *ColumnError.
	Categorical bool `json:"categorical"`
	// Complete: no feature has missing values; they are refused with a *ColumnError.
	Complete bool `json:"complete"`
	// Unsupervised learners ignore labels of all tasks. All others refuse a target without label
	// with a *TaskError.
	Unsupervised bool `json:"unsupervised"`
}

// and returns what two learners require that are trained on one table.
func (n Needs) and(other Needs) Needs {
	return Needs{
		Classes:      n.Classes || other.Classes,
		Survival:     n.Survival || other.Survival,
		Categorical:  n.Categorical || other.Categorical,
		Complete:     n.Complete || other.Complete,
		Unsupervised: n.Unsupervised && other.Unsupervised,
	}
}

// String lists what is required: "classes, categorical columns, no missing values"; "" is nothing.
func (n Needs) String() string {
	var words []string
	if n.Classes {
		words = append(words, "classes")
	}
	if n.Survival {
		words = append(words, "times of events")
	}
	if n.Unsupervised {
		words = append(words, "no label")
	}
	if n.Categorical {
		words = append(words, "categorical columns")
	}
	if n.Complete {
		words = append(words, "no missing values")
	}
	return strings.Join(words, ", ")
}

// Validation is what a learner uses the validation set of a Job for. The zero value: nothing.
type Validation struct {
	// metrics of the set are recorded in training, and nothing is chosen by them
	Monitoring    bool
	Pruning       bool // trees are pruned by the set
	EarlyStopping bool // the number of rounds is chosen by the set
	MetaLearning  bool // the meta-learner of a stack is fitted to the set
}

// Chosen leaves out Monitoring: what remains chose something of the model, so metrics on the
// validation set are too optimistic to be an estimate of the error on new rows. It is the zero
// value where they are an estimate.
func (v Validation) Chosen() Validation {
	v.Monitoring = false
	return v
}

// Or returns what two learners together use one validation set for.
func (v Validation) Or(other Validation) Validation {
	return Validation{v.Monitoring || other.Monitoring, v.Pruning || other.Pruning,
		v.EarlyStopping || other.EarlyStopping, v.MetaLearning || other.MetaLearning}
}

// String names the purposes: "", "pruning", "pruning and early stopping".
func (v Validation) String() string {
	var names []string
	for _, p := range []struct {
		is   bool
		name string
	}{{v.Monitoring, "monitoring"}, {v.Pruning, "pruning"}, {v.EarlyStopping, "early stopping"},
		{v.MetaLearning, "fitting the meta-learner"}} {
		if p.is {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, " and ")
}
