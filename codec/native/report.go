package native

import (
	"encoding/json"
	"io"
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

// jsonSection returns a section of version 1.1 that holds a value as JSON.
func jsonSection(title string, v any) (section, error) {
	b, err := marshal(v)
	return section{name: title, size: int64(len(b)), since: version1_1,
		emit: func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		}}, err
}

// aboutSections returns the sections of a model that no prediction depends on.
func aboutSections(s *model.Spec) ([]section, error) {
	var all []section
	add := func(title string, v any) error {
		own, err := jsonSection(title, v)
		all = append(all, own)
		return err
	}
	if s.Profile != nil {
		if err := add("profile", newProfileHead(s.Profile)); err != nil {
			return nil, err
		}
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
		if err := add("report", h); err != nil {
			return nil, err
		}
	}
	if s.Stamp != nil {
		if err := add("stamp", s.Stamp); err != nil {
			return nil, err
		}
	}
	if s.Golden != nil {
		all = append(all, newGolden(s.Golden).section())
	}
	return all, nil
}

// parseAbout reads the sections of a model that no prediction depends on. The validation of the
// model checks what they hold.
func parseAbout(found map[string]*payload, s *model.Spec, b *budget) (err error) {
	if p := found["profile"]; p != nil {
		if s.Profile, err = parseProfile(p, b); err != nil {
			return err
		}
	}
	if p := found["report"]; p != nil {
		if err := parseReport(p, s, b); err != nil {
			return err
		}
	}
	if p := found["golden"]; p != nil {
		if s.Golden, err = parseGolden(p); err != nil {
			return err
		}
	}
	if p := found["stamp"]; p != nil {
		s.Stamp = &model.Stamp{}
		return parseJSON(p, mostStamp, s.Stamp, b)
	}
	return nil
}

// parseJSON reads a section that holds JSON of at most so many bytes.
func parseJSON(p *payload, most int, to any, b *budget) error {
	if len(p.data) > most {
		return p.corrupt(0, "%d bytes, the most is %d", len(p.data), most)
	}
	if err := b.take(jsonMemory(p.data)); err != nil {
		return err
	}
	if err := json.Unmarshal(p.data, to); err != nil {
		return p.corrupt(0, "%v", err)
	}
	return nil
}

func parseReport(p *payload, s *model.Spec, b *budget) error {
	var h reportHead
	if err := parseJSON(p, mostReport, &h, b); err != nil {
		return err
	}
	for _, e := range h.Evaluations {
		s.Evaluations = append(s.Evaluations, model.Evaluation{Origin: e.Origin,
			UsedFor: e.UsedFor, Rows: e.Rows, Plan: e.Plan, Positive: string(e.Positive),
			Metrics: e.Metrics})
	}
	for i, n := range h.Notes {
		if i > 0 && n.Key <= h.Notes[i-1].Key {
			return p.corrupt(0, "note %q follows %q", n.Key, h.Notes[i-1].Key)
		}
		if s.Notes == nil {
			s.Notes = map[string]string{}
		}
		s.Notes[n.Key] = n.Text
	}
	return nil
}
