package plainjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/plainjson"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/treetest"
	"pgregory.net/rapid"
)

// parsed is what a program in another language reads.
type parsed struct {
	Combine string
	Bias    []float64
	Trees   []struct {
		Output *int
		Weight float64
		Nodes  []struct {
			Split      string
			Column     int
			SplitPoint any `json:"split_point"`
			Categories []int
			Missing    any
			Children   []int
			Value      []float64
		}
	}
}

// raw predicts a row by the JSON alone.
func (p *parsed) raw(row []float64) []float64 {
	sums, weights := make([]float64, len(p.Bias)), 0.0
	if p.Combine == "sum" {
		copy(sums, p.Bias)
	}
	for _, t := range p.Trees {
		at := 0
		for t.Nodes[at].Children != nil {
			n := &t.Nodes[at]
			x, place := row[n.Column], 1
			missing := math.IsNaN(x)
			switch n.Split {
			case "numeric":
				c := math.Inf(1)
				if v, ok := n.SplitPoint.(float64); ok {
					c = v
				} else if n.SplitPoint == "-inf" {
					c = math.Inf(-1)
				}
				if x <= c {
					place = 0
				}
			case "categories":
				if slices.Contains(n.Categories, int(x)) {
					place = 0
				}
			case "by_category":
				place = int(x)
				missing = missing || x < 0 || place >= len(n.Children)
			}
			if missing {
				switch n.Missing {
				case "first":
					place = 0
				case "last":
					place = len(n.Children) - 1
				default:
					place = int(n.Missing.(float64))
				}
			}
			at = n.Children[place]
		}
		weights += t.Weight
		for k, v := range t.Nodes[at].Value {
			if t.Output != nil {
				k = *t.Output
			}
			sums[k] += float64(t.Weight * v)
		}
	}
	if p.Combine == "mean" {
		for k := range sums {
			sums[k] = sums[k]/weights + p.Bias[k]
		}
	}
	return sums
}

// Predictions by the JSON have the bits of the model's own.
func TestPredictions(t *testing.T) {
	written := 0
	rapid.Check(t, func(t *rapid.T) {
		schema := treetest.Schema().Draw(t, "schema")
		width := rapid.IntRange(1, 3).Draw(t, "width")
		m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: schema},
			Combine: rapid.SampledFrom([]model.Combine{model.Sum, model.Mean}).Draw(t, "combine")}
		for range rapid.IntRange(1, 3).Draw(t, "trees") {
			m.Trees = append(m.Trees, treetest.Tree(treetest.Shape{Fields: schema.Fields,
				Kind: tree.Vector, Width: width, Splits: 3}).Draw(t, "tree"))
			m.Weights = append(m.Weights, rapid.Float64Range(0.5, 2).Draw(t, "weight"))
		}
		m.Bias = make([]float64, width)
		m.Bias[0] = 0.5
		var b bytes.Buffer
		err := plainjson.Format().Encode(&b, m)
		var unsupported *codec.UnsupportedError
		if errors.As(err, &unsupported) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		written++
		var p parsed
		if err := json.Unmarshal(b.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		predictor, err := m.Bind(&m.Meta.Schema, model.Options{Output: model.Raw})
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			var row []float64
			for _, f := range schema.Fields {
				x := float64(rapid.IntRange(-4, 4).Draw(t, "number"))
				if f.Kind == data.Categorical {
					x = float64(rapid.IntRange(-1, len(f.Levels)-1).Draw(t, "code"))
				}
				if rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
					x = math.NaN()
				}
				row = append(row, x)
			}
			want := make([]float64, width)
			if err := predictor.PredictRow(want, row); err != nil {
				t.Fatal(err)
			}
			if got := p.raw(row); !slices.Equal(got, want) {
				t.Fatalf("row %v: %v, want %v\n%s", row, got, want, b.Bytes())
			}
		}
	})
	if written < tier.Count(0, 10, 10) {
		t.Errorf("%d models were written", written)
	}
}

func TestUnsupported(t *testing.T) {
	for i, m := range codectest.Models() {
		var b bytes.Buffer
		err := plainjson.Format().Encode(&b, m)
		var unsupported *codec.UnsupportedError
		switch {
		case errors.As(err, &unsupported):
			if unsupported.What == "" || b.Len() > 0 {
				t.Errorf("model %d: %v, after %d bytes", i, err, b.Len())
			}
		case err != nil:
			t.Errorf("model %d: %v", i, err)
		case !json.Valid(b.Bytes()):
			t.Errorf("model %d: no JSON", i)
		}
	}
}
