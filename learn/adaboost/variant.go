package adaboost

import (
	"context"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/param"
)

// variant is what a Variant does. A new one is a constant of Variant, in the same order, and a row
// of variants.
type variant struct {
	name    string
	help    string
	numbers bool // it is regression; the others predict classes
	begin   func(*job) booster
}

// variants returns those of all values of Variant behind auto, in their order.
func variants() []variant {
	return []variant{
		{"discrete", "members vote by 1/2 ln((1 - e) / e), and need an error e below 1/2", false,
			func(j *job) booster { return newDiscrete(j, false) }},
		{"samme", "the same for K classes, with an error below 1 - 1/K", false,
			func(j *job) booster { return newDiscrete(j, true) }},
		{"real", "members multiply their class probabilities", false, newReal},
		{"gentle", "members are regressions of +1 and -1, whose numbers add up", false, newGentle},
		{"r2", "regression, by the weighted median of the members", true, newR2},
	}
}

// logit is the variant of the learner logitboost.
var logit = variant{name: LogitBoost, begin: newLogit}

func variantNames() []string {
	names := []string{param.Auto}
	for _, v := range variants() {
		names = append(names, v.name)
	}
	return names
}

func variantHelp() string {
	var words []string
	for _, v := range variants() {
		words = append(words, v.name+": "+v.help)
	}
	return "way to boost; " + strings.Join(words, "; ") +
		"; auto = discrete for two classes, samme for more, r2 for regression"
}

// variantOf chooses the variant for a target.
func (l *Learner) variantOf(t *data.Target) (variant, error) {
	if l.logit {
		return logit, nil
	}
	chosen := l.Variant
	switch {
	case chosen != VariantAuto:
	case !t.Task.Classes():
		chosen = VariantR2
	case len(t.Classes) > 2:
		chosen = VariantSAMME
	default:
		chosen = VariantDiscrete
	}
	v := variants()[chosen-1] // of those that Validate accepts
	if v.numbers == t.Task.Classes() {
		return v, fmt.Errorf("variant=%s does not fit a %s label: use variant=auto", v.name, t.Task)
	}
	return v, nil
}

// booster is a variant at work on one job.
type booster interface {
	// round trains the members of one round and changes the weights of the rows for the next.
	round(ctx context.Context, n int) (round, error)
	// committee returns how the members make one model; it need not fill in Meta, Members, Weights
	// and Output.
	committee() *committee.Committee
	// error returns the fraction of the rows' first weight that the members so far get wrong; false
	// if it is not kept.
	error() (float64, bool)
	// replay changes the weights of the rows as a round of a finished training did, by the vote of
	// its members and what each of them predicts (see predictions). It returns the round's error.
	replay(vote float64, predicted [][]float64) float64
	// margins writes the margin of each row in the members so far; false if there are none.
	margins(dst []float64) bool
}

// round is what one round found.
type round struct {
	members []member // none: the round is not accepted, for the reason stop
	error   float64  // weighted, of the members; r2: the mean loss
	weight  float64  // of the vote
	// what the weights added up to before they were divided by it; 0 = no bound follows
	z     float64
	edges bool   // the bound by edges follows, too
	stop  string // why this is the last round; "" = it is not
}

// member is a model with its weight, and the score that it adds to.
type member struct {
	model  model.Model
	weight float64
	output int32
	gain   []float64 // decrease of impurity by column; nil = unknown
}

// The reasons to stop.
const (
	stopPerfect = "a member makes no error on the training rows"
	stopChance  = "the base is no better than chance on the weighted rows"
	stopSilent  = "members change no weight any more"
	stopBeyond  = "the weights of the rows are not finite: use a lower learning_rate"
	stopLarge   = "the mean loss of a member is 1/2 or more"
)
