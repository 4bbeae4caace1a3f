package formats_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// refusals are the links that a format cannot hold, by its name. A format without a list writes
// every link.
var refusals = map[string][]string{
	"lightgbm": {"halving", "one_vs_all", "step", "clipped", "probit", "approximate_probit", "softmax_nonzero"},
	"onnx":     {"halving", "step", "signed_square", "softplus", "probit"},
	"pmml": {"halving", "step", "clipped", "signed_square", "softplus", "approximate_probit",
		"softmax_nonzero"},
	"xgboost-json":   ofXGBoost,
	"xgboost-ubjson": ofXGBoost,
}

var ofXGBoost = []string{"halving", "one_vs_all", "clipped", "signed_square", "softplus", "probit", "approximate_probit",
	"softmax_nonzero", "logistic(0.7)"}

// Every writer writes some model of every link, or the link is on its list of refusals: a new link
// is written by all, or each writer that has no place for it says so here.
func TestEveryLinkIsWrittenOrRefused(t *testing.T) {
	var scaled link.Link = link.ScaledLogistic(0.7)
	for _, f := range formats.Table() {
		if f.Encode == nil {
			continue
		}
		var refused []string
		for _, l := range append(link.Table(), scaled) {
			if !writes(t, &f, l) {
				refused = append(refused, l.Name())
			}
		}
		if !slices.Equal(refused, refusals[f.Name]) {
			t.Errorf("%s refuses %q, want %q", f.Name, refused, refusals[f.Name])
		}
	}
}

// Of one score, ascending order is the identity, so every format holds a model of one quantile.
// Several quantiles need a format that has the link.
func TestQuantilesAreWritten(t *testing.T) {
	var several []string
	for _, f := range formats.Table() {
		if f.Encode == nil {
			continue
		}
		e := stumps(t, data.Regression, 0, 1, link.Ascending(), model.Sum)
		e.Meta.Quantiles = []float64{0.75}
		var file bytes.Buffer
		if err := f.Encode(&file, e); err != nil {
			t.Errorf("%s: one quantile: %v", f.Name, err)
		}
		for _, name := range objectives[f.Name] {
			if !bytes.Contains(file.Bytes(), []byte(name)) {
				t.Errorf("%s: one quantile is not the objective %s", f.Name, name)
			}
		}
		e = stumps(t, data.Regression, 0, 3, link.Ascending(), model.Sum)
		e.Meta.Quantiles = []float64{0.1, 0.5, 0.9}
		if f.Encode(io.Discard, e) == nil {
			several = append(several, f.Name)
		}
	}
	if want := []string{"coppice", "json", "xgboost-json", "xgboost-ubjson"}; !slices.Equal(several, want) {
		t.Errorf("several quantiles are written by %q, want %q", several, want)
	}
}

// objectives are what tools have for quantiles, by format.
var objectives = map[string][]string{"lightgbm": {"objective=quantile\n"},
	"xgboost-json": {"reg:quantileerror", "quantile_alpha"}, "xgboost-ubjson": {"reg:quantileerror"}}

// writes reports whether a format holds some model with a link.
func writes(t *testing.T, f *codec.Format, l link.Link) bool {
	for _, task := range []data.Task{data.Regression, data.Binary, data.Multiclass, data.Survival} {
		for scores := 1; scores <= 3; scores += 2 {
			for classes := 0; classes <= 3; classes++ {
				e := stumps(t, task, classes, scores, l, model.Sum)
				if (l == link.Ascending()) && scores == 3 {
					e.Meta.Quantiles = []float64{0.1, 0.5, 0.9}
				}
				if e.Validate() != nil {
					continue
				}
				err := f.Encode(io.Discard, e)
				if err == nil {
					return true
				}
				if unsupported := (*codec.UnsupportedError)(nil); !errors.As(err, &unsupported) {
					t.Errorf("%s: link %s: %v", f.Name, l.Name(), err)
				}
			}
		}
	}
	return false
}
