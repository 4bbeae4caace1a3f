package model_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// A spec describes the target, and later changes of the table's dictionary do not reach it.
func TestNewSpecCopiesTheSchema(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{{Name: "colour", Kind: data.Categorical, Levels: []string{"red"}}}}
	target := &data.Target{Name: "churn", Format: "", Task: data.Binary, Classes: []string{"no", "yes"}}
	s := model.NewSpec("mine", schema, target)
	schema.Fields[0].Levels[0] = "blue"
	if s.Schema.Fields[0].Levels[0] != "red" {
		t.Error("spec and table have one dictionary in common")
	}
	if s.Learner != "mine" || s.Label != "churn" || s.Task != data.Binary || s.Positive() != 1 {
		t.Errorf("got %+v", s)
	}
}
