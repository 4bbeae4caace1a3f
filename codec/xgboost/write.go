package xgboost

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// encoder returns the Encode of a format, which writes by a sink what its reader reads. A file that
// would predict otherwise than its model is a *codec.UnsupportedError.
func encoder(
	name string, sinkOf func(io.Writer) sink, from reading,
) func(io.Writer, model.Model) error {
	format := codec.Format{Name: name, Reference: referencer(name, from), Single: true}
	return func(w io.Writer, m model.Model) error {
		return parity.Encode(w, m, format, func(w io.Writer, m model.Model) error {
			f, err := written(name, m)
			if err != nil {
				return err
			}
			s := sinkOf(w)
			f.write(s)
			return s.flush()
		})
	}
}

// writing makes a file of an ensemble. The format's own errors are *codec.UnsupportedError.
type writing struct {
	*model.Ensemble
	format string
	file   *file
	bias   []float64 // by score; added to the leaves of the first tree of the score
	// by score: what leaves are divided by if trees are averaged; nil: they are not
	divisors []float64
}

func (w *writing) unsupported(format string, args ...any) error {
	return &codec.UnsupportedError{Format: w.format, What: fmt.Sprintf(format, args...)}
}

// written returns the file of a model, as XGBoost 1.7 to 3.4 read it.
func written(format string, m model.Model) (*file, error) {
	w := &writing{format: format}
	check := func() error { return foreign.All(w.check, w.outputs) }
	steps := []func() error{check, w.describe, w.baseScore, w.forest, w.putBack, w.attributes}
	if l, ok := m.(*dense.Linear); ok {
		// an ensemble without trees has what both have
		w.Ensemble = &model.Ensemble{Meta: l.Meta, Bias: l.Bias, Link: l.Link, Origin: l.Origin}
		steps = []func() error{check, w.describe, func() error { return w.linear(l) }, w.attributes}
	} else if w.Ensemble, ok = model.AsTrees(m); !ok {
		return nil, w.unsupported("a model that is neither a single ensemble of trees nor linear")
	}
	w.file = &file{version: [3]int32{1, 7, 6}, features: int64(len(w.Meta.Schema.Fields)),
		targets: 1, booster: "gbtree"}
	for _, step := range steps {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return w.file, nil
}

// check checks that the format can hold what the model uses.
func (w *writing) check() error {
	if w.Combine == model.Mean && w.Best > 0 && (w.Rounds == nil || w.Best < len(w.Rounds)) {
		return w.unsupported("the mean of some of the rounds")
	}
	return foreign.CheckTraits(w.format, w.Ensemble)
}

// outputs chooses the objective: the one that has the link.
func (w *writing) outputs() error {
	f, scores := w.file, int64(w.Scores())
	f.targets = scores
	classes := w.Meta.Task.Classes()
	l := link.Of(w.Link, w.Scores())
	var ok bool
	f.objective, ok = plainObjectives[l]
	switch task := w.Meta.Task; {
	case !ok:
		return w.unsupported("the link %s", l.Name())
	case classes && link.IsIdentity(l):
		return w.unsupported("class probabilities that are means of the trees' own")
	case f.objective == "reg:squarederror" && task == data.Ranking && scores == 1:
		f.objective = "rank:pairwise"
	case f.objective == "binary:logistic" && task == data.Regression && scores == 1:
		f.objective = "reg:logistic"
	case f.objective == "count:poisson" && task == data.Survival:
		f.objective = "survival:aft"
	case f.objective == "multi:softprob":
		if !classes || scores < 2 {
			return w.unsupported("a softmax of %d scores that are no classes", scores)
		}
		f.classes, f.targets = scores, 1
	case f.objective == "reg:quantileerror" && len(w.Meta.Quantiles) < 2:
		return w.unsupported("ascending scores that are no quantiles")
	}
	if classes && scores != 1 && f.classes == 0 {
		return w.unsupported("%d classes with the link %s", scores, l.Name())
	}
	if err := w.quantiles(); err != nil {
		return err
	}
	o := w.Origin
	if o != nil && o.Tool == toolName && like[o.Objective] == f.objective &&
		(o.Objective != "reg:logistic" || !classes) {
		f.objective = o.Objective
	}
	return nil
}

// quantiles chooses the objective of quantiles, which XGBoost has since 2.0. Since 3.4 it sorts
// them.
func (w *writing) quantiles() error {
	f := w.file
	if w.Meta.Quantiles == nil {
		return nil
	}
	ascending := f.objective == "reg:quantileerror"
	if !ascending && (f.objective != "reg:squarederror" || len(w.Meta.Quantiles) > 1) {
		return w.unsupported("quantiles that may cross, or that have a link")
	}
	f.objective, f.version = "reg:quantileerror", [3]int32{2, 0, 3}
	if ascending {
		f.version = [3]int32{3, 4, 1}
	}
	for _, q := range w.Meta.Quantiles {
		f.alpha = append(f.alpha, float32(q))
	}
	return nil
}

// baseScore stores the start values. Files that 1.7 reads have one base_score for all scores, and
// they have it after the link: where that is not exact, 0.5 for log(p / (1-p)) or the like stands
// there, and the leaves of the first trees get the start values.
func (w *writing) baseScore() error {
	f := w.file
	scores := w.Scores()
	w.bias = make([]float64, scores)
	copy(w.bias, w.Bias)
	o := w.objective()
	first := float32(w.bias[0])
	alike := true
	for _, b := range w.bias {
		if !finite(float32(b)) {
			return w.unsupported("the start value %v, which is beyond single precision", b)
		}
		alike = alike && float32(b) == first
	}
	base, ok := o.base(first)
	if ok && alike {
		clear(w.bias)
	} else {
		base, _ = o.base(0)
	}
	f.base = []float32{base}
	return nil
}

func (w *writing) objective() *objective {
	o := objectives[w.file.objective]
	return &o
}

// base returns a base_score whose margin is exactly a raw score; false if there is none.
func (o *objective) base(raw float32) (float32, bool) {
	if o.margin == nil {
		return raw, true
	}
	const near = 4 // steps of single precision that rounding may be off
	v := []float64{float64(raw)}
	o.link.Apply(v)
	base := float32(v[0])
	for range near {
		base = math.Nextafter32(base, 0)
	}
	for range 2*near + 1 {
		if o.margin(base) == raw {
			return base, true
		}
		base = math.Nextafter32(base, math.MaxFloat32)
	}
	return 0, false
}

// attributes stores what XGBoost has no place for: the names of classes and label, and the number
// of rounds that predictions use.
func (w *writing) attributes() error {
	f := w.file
	if n := len(f.forest.rounds) - 1; w.Best > 0 && w.Best < n {
		f.setAttribute(bestAttribute, strconv.Itoa(w.Best-1))
	}
	if w.Meta.Label != "" {
		f.setAttribute(labelAttribute, w.Meta.Label)
	}
	codes := data.Field{Kind: data.Categorical, Levels: w.Meta.Classes}
	if !w.Meta.Task.Classes() || codes.BareCodes() {
		return nil
	}
	text, err := json.Marshal(w.Meta.Classes)
	f.setAttribute(classesAttribute, string(text))
	return err
}
