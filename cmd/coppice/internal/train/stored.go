package train

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// storedFlags choose what the model stores beside what it predicts with.
type storedFlags struct {
	noProfile, noExtremes bool
	notes                 []string
	stamp                 bool
	golden                string
}

func (o *storedFlags) define(f *pflag.FlagSet) {
	f.BoolVar(&o.noProfile, "no-profile", false,
		"store no profile of the training rows: ranges, quantiles and levels of each column")
	f.BoolVar(&o.noExtremes, "no-extremes", false,
		"store no least and largest values in the profile, which are values of single rows")
	f.StringArrayVar(&o.notes, "note", nil,
		"store a note of yours: `KEY=TEXT`, such as git=4f2c; may repeat")
	f.StringVar(&o.golden, "golden-rows", "synthetic", "the `ROWS` that are stored with their "+
		"predictions for coppice verify: synthetic, which no table has; drawn, of the training "+
		"table; or none")
	f.BoolVar(&o.stamp, "stamp", false, "store the time and the release of this program; the "+
		"same training then gives another file each time")
}

func (o *storedFlags) check() error {
	if o.noProfile && o.noExtremes {
		return cli.Misusef("--no-extremes does not go with --no-profile: use one of them")
	}
	if kinds := []string{"synthetic", "drawn", "none"}; !slices.Contains(kinds, o.golden) {
		return cli.Misusef("--golden-rows %q: %s", o.golden, cli.Instead(o.golden, kinds))
	}
	seen := map[string]bool{}
	for _, n := range o.notes {
		key, text, ok := strings.Cut(n, "=")
		if !ok {
			return cli.Misusef("--note %q: want KEY=TEXT, such as git=4f2c", n)
		}
		if err := model.CheckNote(key, text); err != nil {
			return cli.Misusef("--note: %w", err)
		}
		if seen[key] {
			return cli.Misusef("--note: the key %q occurs twice", key)
		}
		seen[key] = true
	}
	return nil
}

// storePlan stores how the table was read and divided, unless it was as it is.
func (o *command) storePlan(s *model.Spec, times []int64, sets *tables.RowSets) {
	p := o.TrainingFlags.Plan(s, &o.SplitFlags)
	if p.NoProfile = o.noProfile; !o.noProfile && !o.noExtremes {
		p.Times = span(times, slices.Concat(sets.Train, sets.Valid))
	}
	if !p.IsZero() && s.TrainedOn != nil {
		s.TrainedOn.Plan = &p
	}
	if o.repeated == nil {
		return
	}
	was := o.repeated.spec
	s.Study = was.Study // its choice stays that of the parameters
	if was.TrainedOn == nil || s.TrainedOn == nil || was.TrainedOn.Table != s.TrainedOn.Table {
		return
	}
	for i := len(was.Evaluations) - 1; i >= 0; i-- { // the tests of the search had these rows
		if e := was.Evaluations[i]; e.Origin == model.OfFolds {
			s.Evaluations = append([]model.Evaluation{e}, s.Evaluations...)
		}
	}
}

// span returns the first and the last time of some rows; nil without times.
func span(times []int64, rows []int32) []int64 {
	if times == nil || len(rows) == 0 {
		return nil
	}
	chosen := data.Pick(times, rows)
	return []int64{slices.Min(chosen), slices.Max(chosen)}
}

// repeat sets the flags to those of a model's training.
func (o *storedFlags) repeat(s *model.Spec) {
	o.noProfile = s.TrainedOn != nil && s.TrainedOn.Plan != nil && s.TrainedOn.Plan.NoProfile
	o.noExtremes = s.Profile != nil && s.Profile.NoExtremes
	switch {
	case s.Golden != nil && s.Golden.Drawn:
		o.golden = "drawn"
	case s.Golden == nil && s.Profile != nil: // older models have neither
		o.golden = "none"
	}
}

// options returns the options of the training.
func (o *storedFlags) options() []coppice.Option {
	options := []coppice.Option{coppice.Unevaluated()} // the report has the validation set
	if o.noProfile {
		options = append(options, coppice.NoProfile())
	}
	if o.noExtremes {
		options = append(options, coppice.NoExtremes())
	}
	switch o.golden {
	case "drawn":
		options = append(options, coppice.GoldenDrawn())
	case "none":
		options = append(options, coppice.NoGolden())
	}
	for _, n := range o.notes {
		key, text, _ := strings.Cut(n, "=")
		options = append(options, coppice.Note(key, text))
	}
	return options
}

// store writes into the model what training does not: how good it is on the sets of the report that
// it was not trained on, by rows that the recorder has, and the stamp. Out-of-bag metrics are
// there.
func (o *storedFlags) store(
	ctx context.Context, m model.Model, r *report, recorder *eval.Recorder,
) error {
	s := m.Spec()
	outOfBag := s.Evaluations
	s.Evaluations = nil
	for i, set := range r.Sets {
		if set.Name == trainingSet || set.Report.Rows == 0 {
			continue
		}
		e, err := recorder.Record(ctx, i, set.Report, set.Name)
		if err != nil {
			return err
		}
		e.UsedFor, e.Plan = set.Use, r.sets.How
		if set.Use == "" {
			profile.AddPredictions(m, recorder.Predictions(i))
		}
		s.Evaluations = append(s.Evaluations, e)
	}
	s.Evaluations = append(s.Evaluations, outOfBag...)
	if o.stamp {
		s.Stamp = &model.Stamp{Time: outside.Now().UTC().Format(time.RFC3339),
			Version: cli.BuildVersion()}
	}
	return nil
}

// complete makes what a model of all shards stores of what the first shard stored: the predictions
// of its golden rows, and the out-of-bag metrics in place of the shard's metrics.
func complete(ctx context.Context, m model.Model, u *learn.Unseen) (*describe.View, error) {
	v := describe.Of(m)
	v.Spec.Evaluations = nil
	if p := v.Spec.Profile; p != nil {
		p.Predictions, p.PredictionRows = nil, 0
	}
	if g := v.Spec.Golden; g != nil {
		v.Spec.Golden = g.Predicted(m)
	}
	if u == nil || v.Spec.TrainedOn == nil {
		return v, nil
	}
	return v, coppice.StoreOutOfBag(ctx, m, u, v.Spec.TrainedOn.Seed, 0)
}
