package data_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
)

func TestRolesOfTimes(t *testing.T) {
	f := table(t,
		named("x", []float64{1, 2, 3}),
		named("days", []float64{3, 3, 8}),
		named("dead", []string{"Yes", "no", "TRUE"}),
		named("seen", []float64{1, 0, 0}),
		named("until", []float64{3, math.NaN(), math.Inf(1)}))
	for _, event := range []string{"dead", "seen"} {
		ds := must(data.Roles{Label: "days", Event: event, Ignore: []string{"until"}}.Apply(f))(t)
		want := data.Target{Name: "days", Roles: data.RoleColumns{Event: event}, Task: data.Survival,
			Y: [][]float64{{3, 3, 8}}, Event: []uint8{1, 0, 1}}
		if event == "seen" {
			want.Event[2] = 0
		}
		if diff := cmp.Diff(want, ds.Target); diff != "" {
			t.Error(diff)
		}
	}
	ds := must(data.Roles{Label: "days", Upper: "until", Task: data.Survival}.Apply(f))(t)
	want := data.Target{Name: "days", Roles: data.RoleColumns{Upper: "until"}, Task: data.Survival,
		Y: [][]float64{{3, 3, 8}}, Upper: []float64{3, math.Inf(1), math.Inf(1)}}
	if diff := cmp.Diff(want, ds.Target); diff != "" {
		t.Error(diff)
	}
	ds = must(data.Roles{Label: "days", Task: data.Survival}.Apply(f))(t)
	if ds.Target.Task != data.Survival || ds.Target.Event != nil || ds.Target.Upper != nil {
		t.Errorf("without events: %+v", ds.Target)
	}
}

func TestRefusedTimes(t *testing.T) {
	f := table(t,
		named("days", []float64{3, 3, 8}),
		named("dead", []string{"1", "maybe", "0"}),
		named("seen", []float64{1, math.NaN(), 0}),
		named("half", []float64{1, 0.5, 0}),
		named("until", []float64{3, 2, 9}))
	for want, r := range map[string]data.Roles{
		`t.csv:3: the event in column "dead" is "maybe", want 1 where it was seen and 0 where it was not (or true and false, yes and no)`: {Label: "days", Event: "dead"},
		`t.csv:3: the event in column "half" is "0.5", want 1 where it was seen and 0 where it was not (or true and false, yes and no)`:   {Label: "days", Event: "half"},
		`t.csv:3: the event in column "seen" is missing`:                                           {Label: "days", Event: "seen"},
		`t.csv:3: the upper end in column "until" is 2, which is less than the label, 3`:           {Label: "days", Upper: "until"},
		`t.csv:3: the upper end in column "dead" is not a number: "maybe"`:                         {Label: "days", Upper: "dead"},
		`times have an event column "half" or a column "until" of upper ends, not both`:            {Label: "days", Event: "half", Upper: "until"},
		`an event column or one of upper ends is given but no label column, which holds the times`: {Event: "half"},
		`event columns and upper ends are for the survival task, not for binary`:                   {Label: "days", Event: "half", Task: data.Binary},
		`the table has no event column "hal": did you mean "half"?`:                                {Label: "days", Event: "hal"},
		`column "days" cannot be both label and event`:                                             {Label: "days", Event: "days"},
		`t.csv:3: the label in column "dead" is "maybe", the survival task needs numbers`:          {Label: "dead", Event: "half"},
	} {
		if _, err := r.Apply(f); err == nil || err.Error() != want {
			t.Errorf("%+v: %v, want %s", r, err, want)
		}
	}
}
