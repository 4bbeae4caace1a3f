package xgboost_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/dense"
)

// newer are objectives that versions before 2.0 lack, or the last ones: their models are written as
// squared errors, which predict alike.
var newer = []string{"reg:expectileerror", "reg:linear", "reg:quantileerror"}

// A model of gblinear keeps each objective that XGBoost has, by way of a native file too.
func TestLinearObjectives(t *testing.T) {
	classes, err := os.ReadFile("testdata/linearclass.json")
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := os.ReadFile("testdata/linear.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, objective := range xgboost.Objectives() {
		if slices.Contains(newer, objective) {
			continue
		}
		file, from := numbers, "reg:squarederror"
		if bytes.HasPrefix([]byte(objective), []byte("multi:")) {
			file, from = classes, "multi:softprob"
		}
		name := []byte(`"` + objective + `"`)
		m, _ := decode(t, xgboost.JSON(), bytes.Replace(file, []byte(`"`+from+`"`), name, 1))
		var b bytes.Buffer
		if err := native.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		stored, err := native.Decode(bytes.NewReader(b.Bytes()), int64(b.Len()), codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(encoded(t, xgboost.JSON(), m), name) ||
			!bytes.Contains(encoded(t, xgboost.JSON(), stored), name) {
			t.Errorf("%s is written as another objective", objective)
		}
	}
}

// A category that no coefficient is of cannot be stored either, as no file could be read again.
func TestLinearModelWithAnUnusedCategory(t *testing.T) {
	file, err := os.ReadFile("testdata/linear.json")
	if err != nil {
		t.Fatal(err)
	}
	decoded, _ := decode(t, xgboost.JSON(), file)
	m := *decoded.(*dense.Linear)
	m.Meta.Schema.Fields = append(slices.Clone(m.Meta.Schema.Fields),
		data.Field{Name: "unused", Kind: data.Categorical, Levels: []string{"a"}})
	var refused *codec.UnsupportedError
	if err := xgboost.JSON().Encode(&bytes.Buffer{}, &m); !errors.As(err, &refused) {
		t.Errorf("a column of categories is written: %v", err)
	}
}
