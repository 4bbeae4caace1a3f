package native

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/coppice-ml/coppice/model"
)

// reportHead is what a model stores about itself that predictions do not depend on: how good it
// was, and the notes of its owner. It is JSON in a section of its own.
type reportHead struct {
	Evaluations []evaluation `json:"evaluations,omitempty"`
	Notes       []note       `json:"notes,omitempty"` // their keys ascend
}

// evaluation is a model.Evaluation.
type evaluation struct {
	Origin   string            `json:"origin"`
	UsedFor  string            `json:"used_for,omitempty"`
	Rows     int               `json:"rows"`
	Plan     string            `json:"plan,omitempty"`
	Positive text              `json:"positive,omitempty"`
	Metrics  []model.Evaluated `json:"metrics"`
}

type note struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

// mostReport is the most bytes of the section, and mostStamp of that of the stamp.
const (
	mostReport = 1 << 20
	mostStamp  = 1 << 12
)

// aboutSections returns the sections of a model that no prediction depends on.
func aboutSections(s *model.Spec) []section {
	var all []section
	add := func(title string, v any) {
		all = append(all, bytesSection(title, 0, version1_1, stored(v)))
	}
	if s.Profile != nil {
		add("profile", newProfileHead(s.Profile))
	}
	if len(s.Evaluations)+len(s.Notes) > 0 {
		h := reportHead{}
		for i := range s.Evaluations {
			e := &s.Evaluations[i]
			h.Evaluations = append(h.Evaluations, evaluation{e.Origin, e.UsedFor, e.Rows, e.Plan,
				text(e.Positive), e.Metrics})
		}
		for _, key := range slices.Sorted(maps.Keys(s.Notes)) {
			h.Notes = append(h.Notes, note{key, s.Notes[key]})
		}
		add("report", h)
	}
	if s.Stamp != nil {
		add("stamp", s.Stamp)
	}
	if s.Golden != nil {
		all = append(all, newGolden(s.Golden).section())
	}
	return all
}

// parseAbout reads the sections of a model that no prediction depends on. The validation of the
// model checks what they hold.
func parseAbout(found map[string]*payload, s *model.Spec, b *budget) {
	if p := found["profile"]; p != nil {
		s.Profile = parseProfile(p, b)
	}
	if p := found["report"]; p != nil {
		parseReport(p, s, b)
	}
	if p := found["golden"]; p != nil {
		s.Golden = parseGolden(p)
	}
	if p := found["stamp"]; p != nil {
		s.Stamp = &model.Stamp{}
		parseJSON(p, mostStamp, s.Stamp, b)
	}
}

// parseJSON reads a section that holds JSON of at most so many bytes.
func parseJSON(p *payload, most int, to any, b *budget) {
	if len(p.data) > most {
		p.corrupt(0, "%d bytes, the most is %d", len(p.data), most)
	}
	b.take(jsonMemory(p.data))
	p.check(json.Unmarshal(p.data, to))
}

func parseReport(p *payload, s *model.Spec, b *budget) {
	var h reportHead
	parseJSON(p, mostReport, &h, b)
	for _, e := range h.Evaluations {
		s.Evaluations = append(s.Evaluations, model.Evaluation{Origin: e.Origin,
			UsedFor: e.UsedFor, Rows: e.Rows, Plan: e.Plan, Positive: string(e.Positive),
			Metrics: e.Metrics})
	}
	for i, n := range h.Notes {
		if i > 0 && n.Key <= h.Notes[i-1].Key {
			p.corrupt(0, "note %q follows %q", n.Key, h.Notes[i-1].Key)
		}
		if s.Notes == nil {
			s.Notes = map[string]string{}
		}
		s.Notes[n.Key] = n.Text
	}
}
