package serve_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/learn/offset"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/serve"
)

// explained is an answer with the smallest change.
type explained struct {
	answered
	Why struct {
		answered
		Reached bool
		Exact   bool
		Cost    float64
		Changes []struct {
			Column   string
			From, To any
		}
	}
}

// TestSmallestChange: the row with the change that an answer has is predicted as the answer says,
// and that is what was wanted.
func TestSmallestChange(t *testing.T) {
	for _, c := range []struct {
		label, want string
		reached     func(before, after answered) bool
	}{
		{"stays", "", func(before, after answered) bool { return before.Label != after.Label }},
		{"stays", "yes", func(_, after answered) bool { return after.Label == "yes" }},
		{"cost", "", func(before, after answered) bool { return before.Value != after.Value }},
		{"cost", "%3E120", func(_, after answered) bool { return after.Value > 120 }},
		{"cost", "%3C100", func(_, after answered) bool { return after.Value < 100 }},
	} {
		web := server(t, trained(t, boosted(), c.label), serve.Options{})
		address := web.URL + "/v1/models/visits/predict"
		changed := 0
		for _, row := range visits(12, 9) {
			query := "?why=1"
			if c.want != "" {
				query += "&want=" + c.want
			}
			var got explained
			status, text := post(t, address+query, "", encoded(t, row))
			decoded(t, status, text, &got)
			if got.Why.Reached {
				if !c.reached(got.answered, got.answered) {
					t.Errorf("%s %s: %s", c.label, c.want, text)
				}
				continue
			}
			if len(got.Why.Changes) == 0 {
				continue
			}
			changed++
			var fields map[string]any
			if err := json.Unmarshal([]byte(encoded(t, row)), &fields); err != nil {
				t.Fatal(err)
			}
			for _, one := range got.Why.Changes {
				if one.Column == "day" || one.Column == "note" {
					t.Errorf("a date or a text changes: %s", text)
				}
				fields[one.Column] = one.To
			}
			var after answered
			status, text = post(t, address, "", encoded(t, fields))
			decoded(t, status, text, &after)
			if after.Label != got.Why.Label || after.Value != got.Why.Value ||
				!c.reached(got.answered, after) || !got.Why.Exact {
				t.Errorf("%s %s: %s is predicted, want %+v", c.label, c.want, text, got.Why)
			}
		}
		if changed < 3 {
			t.Errorf("%s %s: only %d of 12 rows have a change", c.label, c.want, changed)
		}
	}
}

// TestChangeFrom: a change tells a new category from a missing value, and leaves an offset as it
// is.
func TestChangeFrom(t *testing.T) {
	rows := visits(200, 1)
	for i := range rows {
		rows[i].Stays = map[bool]string{true: "yes", false: "no"}[rows[i].Plan == "gold"]
	}
	served := func(l learn.Learner, label string, ignore ...string) string {
		m, err := coppice.TrainStructs(t.Context(), l, rows, data.Roles{Label: label, Ignore: ignore})
		if err != nil {
			t.Fatal(err)
		}
		return server(t, m, serve.Options{}).URL + "/v1/models/visits/predict?why=1"
	}
	address := served(cart.New(), "stays", "cost")
	for value, want := range map[string]any{`"silver"`: serve.UnknownCategory, "null": nil, `""`: nil} {
		var got explained
		status, text := post(t, address, "", without("plan", `"plan":`+value))
		decoded(t, status, text, &got)
		if c := got.Why.Changes; len(c) != 1 || c[0].Column != "plan" || c[0].From != want {
			t.Errorf("%s: %s, want a change of plan from %v", value, text, want)
		}
	}
	status, text := post(t, served(offset.New(boosted(), "age"), "cost", "stays", "note"), "", goodVisit)
	if status != http.StatusOK || !strings.Contains(text, `"fixed":"age"`) ||
		strings.Contains(text, `{"column":"age"`) {
		t.Errorf("%d %s: want no change of the offset", status, text)
	}
}

func TestSmallestChangeRefused(t *testing.T) {
	classes, numbers := trained(t, boosted(), "stays"), trained(t, boosted(), "cost")
	bare := trained(t, linear.NewLogistic(), "stays")
	bare.Spec().Profile = nil
	set := serve.NewModels()
	for name, m := range map[string]model.Model{"classes": classes, "numbers": numbers, "bare": bare} {
		s, err := serve.NewModel(name, m, serve.ModelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		set.Put(s)
	}
	url := serverOf(t, set)
	for path, want := range map[string]string{
		"classes/predict?why=2":             "why=2: want 1 or 0",
		"classes/predict?want=yes":          "want=yes goes with why=1",
		"classes/predict?why=1&want=maybe":  `the model has the classes [\"no\" \"yes\"]`,
		"numbers/predict?why=1&want=120":    "want a bound as",
		"numbers/predict?why=1&want=%3Elot": "want a bound as",
		"bare/predict?why=1":                "stores no profile",
	} {
		status, text := post(t, url+"/v1/models/"+path, "", goodVisit)
		if status < http.StatusBadRequest || status >= http.StatusInternalServerError ||
			!strings.Contains(text, want) {
			t.Errorf("%s: %d %s, want %s", path, status, text, want)
		}
	}
}
