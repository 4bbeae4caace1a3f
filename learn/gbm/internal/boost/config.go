package boost

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// Config is how a training boosts. It is made once of the user's parameters, which no stage reads:
//
//	Schedule      rounds, learning rates, what ends them, which earlier rounds one corrects
//	Objective     the loss, weights of classes, start values
//	table.Config  bins, categories, limits of single columns; the engine's own configuration
//	Values        the values of leaves
//	Rows          the rows of a round
type Config struct {
	Schedule
	Objective
	table.Config
	Values
	Rows
	Learner string // its name in the catalog, which models have
	User    User   // the parameters, for models and checkpoints, and for other settings
}

// Schedule is how many rounds there are, and what each of them adds.
type Schedule struct {
	Trees          int             // rounds; 0 = not decided yet
	LearningRate   float64         // 0 = not decided yet
	Decay          float64         // factor on the learning rate after each round
	Starts         []RateFrom      // rates that start at later rounds, ascending
	ValidFraction  float64         // of the rows, which is the validation set where none is given
	EarlyStopping  int             // rounds without improvement that end a training; 0 = none do
	Metric         string          // names of metrics, or "auto"
	Metrics        []metric.Metric // of the caller, before those
	TrainingMetric int             // rounds between evaluations of the training set; 0 = never
	Dropout        *Dropout        // nil: none
	Permutations   int             // orders of the rows of ordered boosting; 0: it is not ordered
}

// Objective is what a training minimises.
type Objective struct {
	Loss        loss.Choice
	ClassWeight data.ClassWeight
	BaseScore   string // response that rows start with; "": the best one by the loss
}

// Values is how leaves get their values.
type Values struct {
	Linear   bool // linear functions of the numeric columns on the path
	LinearL2 float64
	Refit    bool // values of least loss, where single Newton steps do not reach them
	Gradient bool // steps by the weights of rows in place of second derivatives
	Steps    int  // 0 = CatBoost's with its conventions, else 1
	// one tree of a round has values for all outputs
	MultiOutput bool
}

// Rows is which rows a round is grown on, and by which numbers of theirs.
type Rows struct {
	Sampling sample.Gradient // nil: all rows
	Fraction float64         // below 1: of the rows, in place of Sampling
	// splits are compared by the weights of rows, not by second derivatives
	ByWeight bool
	Noise    float64 // strength of random numbers that are added to scores of columns
}

// User is the parameters as the user gave them.
type User interface {
	// Params returns them for models and checkpoints.
	Params() param.Set
	// InEffect returns those that were left to training, with what it chose.
	InEffect(e *Effect) param.Set
	// With returns the configuration with settings that were left to training.
	With(settings []string) (Config, error)
	// Same returns an error if the model of a checkpoint was trained with other parameters.
	Same(m *model.Ensemble) error
	// Left returns which choices the user left to training.
	Left() Left
}

// Left is which choices the user left to training.
type Left struct {
	Rounds     bool // how many there are
	Rate       bool // the learning rate, the same for all rounds
	Rehearsal  bool // values of the others may be compared by cross-validation
	Columns    bool // the columns of a tree or node
	Categories bool // how categorical columns are split
	Leaves     bool // the size of trees
	Growth     bool // what is split next, which symmetric trees have another size by
	MinLeaf    bool // the rows that each leaf keeps
	// whether scores are divided by a temperature
	Temperature bool
	FewRows     bool // the shape of trees and the rows of a round, of tables of few rows
}

// Effect is what a training has chosen of the parameters.
type Effect struct {
	Trees         int // rounds that are kept
	LearningRate  float64
	Later         []RateFrom // the learning rates that follow; nil: none do, or they were given
	Depth         int        // 0 = no limit
	Leaves        int
	Symmetric     bool // all nodes of a level are split alike
	MinLeaf       int
	ColumnsByTree float64
	ColumnsByNode float64
	Fraction      float64 // of the rows that a round is grown on
	Steps         int     // of leaf values
	Categories    table.Encoding
	Rehearsed     bool // values were compared by cross-validation
}

// xgboostLosses reports whether losses are those of XGBoost.
func (c *Config) xgboostLosses() bool {
	return c.Follows(hist.XGBoost) || c.Follows(hist.XGBoostExact)
}

// samples reports whether rounds are grown on some of the rows only.
func (c *Config) samples() bool { return c.Fraction < 1 || c.Sampling != nil }

// LossOf returns the loss for a task, with its name. Softmax that was chosen automatically has the
// second derivatives of XGBoost, 2 p (1-p), by its conventions, and pairs have LightGBM's norm by
// those.
func (c *Config) LossOf(t *data.Target) (string, loss.Loss, error) {
	return boosting.LossFor(&c.Loss, c.Learner, t, func(params param.Set) error {
		switch {
		case c.xgboostLosses() && params.Lookup("curvature") != nil:
			return params.Set([]string{"curvature=xgboost"})
		case c.Follows(hist.LightGBM) && params.Lookup("norm") != nil:
			return params.Set([]string{"norm=true"})
		}
		return nil
	})
}
