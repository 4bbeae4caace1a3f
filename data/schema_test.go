package data_test

import (
	"encoding"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

func TestSchemaIsAJSONValue(t *testing.T) {
	schema := data.Schema{Fields: []data.Field{
		{Name: "x", Unseen: data.Refuse},
		{Name: "c", Kind: data.Categorical, Levels: []string{"a", "b"}, Missing: data.Refuse},
	}}
	text := must(json.Marshal(schema))(t)
	want := `{"fields":[{"name":"x","kind":"numeric","missing":"learned","unseen":"error"},` +
		`{"name":"c","kind":"categorical","levels":["a","b"],"missing":"error","unseen":"learned"}]}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	var back data.Schema
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(schema, back); diff != "" {
		t.Error(diff)
	}
}

func TestNamesReadBack(t *testing.T) {
	type name interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}
	for want, n := range map[string]name{
		"categorical": new(data.Kind), "error": new(data.Policy), "survival": new(data.Task), "grouped": new(split.Kind),
	} {
		if err := n.UnmarshalText([]byte(want)); err != nil {
			t.Error(err)
		}
		if got := must(n.MarshalText())(t); string(got) != want {
			t.Errorf("%q was read as %q", want, got)
		}
		wantError(t, n.UnmarshalText([]byte("Other")), `"Other"`)
	}
	for got, want := range map[string]string{
		data.Kind(9).String(): "kind(9)", data.Policy(9).String(): "unknown(9)",
		data.Task(9).String(): "task(9)", split.Kind(9).String(): "plan(9)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWeightAt(t *testing.T) {
	target := data.Target{}
	if w := target.WeightAt(3); w != 1 {
		t.Errorf("without weights a row weighs %v", w)
	}
	target.Weight = []float64{2, 0.5}
	if w := target.WeightAt(1); w != 0.5 {
		t.Errorf("the row weighs %v, want 0.5", w)
	}
}

// A policy of callers is none that a model stores.
func TestFlagIsNoPolicyOfSchemas(t *testing.T) {
	for policy, ok := range map[data.Policy]bool{data.Learned: true, data.Refuse: true, data.Flag: false} {
		for _, f := range []data.Field{{Name: "x", Missing: policy}, {Name: "x", Unseen: policy}} {
			s := data.Schema{Fields: []data.Field{f}}
			if err := s.Validate(); (err == nil) != ok {
				t.Errorf("%s: %v", policy, err)
			}
		}
	}
}
