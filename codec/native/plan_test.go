package native

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
)

// planned returns a model with a plan of all fields.
func planned() *model.Ensemble {
	e := codectest.Quartiles()
	on := *e.Meta.TrainedOn
	on.Plan = &model.Plan{Valid: 0.125, Test: 0.5, ValidFile: true, TestFile: true,
		Ignore: []string{"id", "ä=b"}, Map: []string{"a=b", "="}, DropUnlabeled: true,
		Categorical: []string{"y"}, Dates: []string{"day=dmy"}, NoProfile: true,
		Times: []int64{-3, 1 << 60}}
	e.Meta.TrainedOn = &on
	return e
}

// TestPlans: a plan comes back as it was, in a file of version 1.1, and one that no training can
// have is refused.
func TestPlans(t *testing.T) {
	read := func(m *model.Ensemble) (model.Model, error) {
		var b bytes.Buffer
		if err := Encode(&b, m); err != nil {
			return nil, err // it validates as Decode does
		}
		return Decode(bytes.NewReader(b.Bytes()), int64(b.Len()), codec.Limits{})
	}
	want := planned()
	m, err := read(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Meta.TrainedOn, m.Spec().TrainedOn); diff != "" {
		t.Error(diff)
	}
	for name, spoil := range map[string]func(p *model.Plan){
		"negative":   func(p *model.Plan) { p.Valid = -0.1 },
		"all rows":   func(p *model.Plan) { p.Valid, p.Test = 0.5, 0.5 },
		"no pair":    func(p *model.Plan) { p.Map = []string{"old"} },
		"no format":  func(p *model.Plan) { p.Dates = []string{"day"} },
		"no column":  func(p *model.Plan) { p.Ignore = []string{""} },
		"one time":   func(p *model.Plan) { p.Times = p.Times[:1] },
		"backwards":  func(p *model.Plan) { p.Times = []int64{2, 1} },
		"empty name": func(p *model.Plan) { p.Categorical = []string{""} },
	} {
		m := planned()
		spoil(m.Meta.TrainedOn.Plan)
		if _, err := read(m); err == nil || !strings.Contains(err.Error(), "a plan with") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
