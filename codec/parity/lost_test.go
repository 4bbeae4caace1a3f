package parity_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
)

// What a file leaves out of names, decisions and numbers is listed.
func TestLost(t *testing.T) {
	m, _, err := formats.Open("../formats/testdata/clients/gbm-integer-categories.coppice", codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	own := *m.(*model.Ensemble)
	own.Meta.Schema = own.Meta.Schema.Clone()
	own.Meta.Task, own.Meta.Classes = data.Binary, []string{"no", "yes"}
	own.Link = link.Logistic()
	own.Meta.Decision.Threshold = 0.25
	at := slices.IndexFunc(own.Meta.Schema.Fields, func(f data.Field) bool { return f.IntegerLevels() })
	f := &own.Meta.Schema.Fields[at]
	f.Levels[0] = "0.5"
	for format, want := range map[string][]string{
		"lightgbm": {`names of classes: 0 is "no", 1 is "yes"`,
			"the threshold 0.25 of the decision between classes"},
		"xgboost-json": {`numbers as categories, which are texts in the file: "` + f.Name + `"`},
		"onnx":         nil, "pmml": nil, "json": nil,
	} {
		if format != "lightgbm" {
			own.Meta.Decision.Threshold = 0 // an error in the others
		} else {
			own.Meta.Decision.Threshold = 0.25
		}
		to := formats.ByName(format)
		var file bytes.Buffer
		if err := to.Encode(&file, &own); err != nil {
			t.Fatal(err)
		}
		got, err := parity.Lost(file.Bytes(), *to, &own.Meta)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", format, got, err, want)
		}
	}
	ranking := *m.(*model.Ensemble)
	ranking.Meta.Task, ranking.Meta.Classes, ranking.Link = data.Ranking, nil, link.Identity()
	for format, want := range map[string][]string{
		"lightgbm": nil, "xgboost-json": nil,
		"onnx": {"the task ranking (regression in the file): evaluate the model that was converted"},
		"pmml": {"the task ranking (regression in the file): evaluate the model that was converted"},
	} {
		to := formats.ByName(format)
		var file bytes.Buffer
		if err := to.Encode(&file, &ranking); err != nil {
			t.Fatal(err)
		}
		got, err := parity.Lost(file.Bytes(), *to, &ranking.Meta)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s of a ranking: %q, %v, want %q", format, got, err, want)
		}
	}
}
