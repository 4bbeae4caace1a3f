package native

import (
	"bytes"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// profileHead is a model.Profile in its section, which is JSON.
type profileHead struct {
	Rows        int             `json:"rows"`
	SampleRows  int             `json:"sample_rows,omitempty"`
	RankError   float64         `json:"rank_error,omitempty"`
	NoExtremes  bool            `json:"no_extremes,omitempty"`
	Columns     []columnProfile `json:"columns,omitempty"`
	Label       []columnProfile `json:"label,omitempty"`
	Predictions []columnProfile `json:"predictions,omitempty"`
	// rows of the predictions
	PredictionRows int `json:"prediction_rows,omitempty"`
}

// columnProfile is a model.ColumnProfile. Levels and their rows are two lists, which are shorter.
type columnProfile struct {
	Name        text           `json:"name"`
	Kind        data.Kind      `json:"kind,omitempty"`
	Missing     int            `json:"missing,omitempty"`
	Infinite    int            `json:"infinite,omitempty"`
	Distinct    int            `json:"distinct,omitempty"`
	More        bool           `json:"distinct_more,omitempty"`
	Numbers     *numberProfile `json:"numbers,omitempty"`
	Empty       int            `json:"empty,omitempty"`
	Levels      []text         `json:"levels,omitempty"`
	LevelRows   []int          `json:"level_rows,omitempty"`
	OtherLevels int            `json:"other_levels,omitempty"`
	OtherRows   int            `json:"other_rows,omitempty"`
}

// numberProfile is a model.NumberProfile.
type numberProfile struct {
	Min       *float64  `json:"min,omitempty"`
	Max       *float64  `json:"max,omitempty"`
	Mean      float64   `json:"mean"`
	Std       float64   `json:"std"`
	Quantiles []float64 `json:"quantiles,omitempty"`
	AtMost    []int     `json:"at_most,omitempty"`
}

// EncodeProfile returns a profile as files have it, nothing of a nil one.
func EncodeProfile(p *model.Profile) ([]byte, error) {
	if p == nil {
		return nil, nil
	}
	return marshal(newProfileHead(p))
}

func newProfileHead(p *model.Profile) profileHead {
	return profileHead{p.Rows, p.SampleRows, p.RankError, p.NoExtremes,
		profileColumns(p.Columns), profileColumns(p.Label), profileColumns(p.Predictions), p.PredictionRows}
}

func profileColumns(columns []model.ColumnProfile) []columnProfile {
	var all []columnProfile
	for i := range columns {
		c := &columns[i]
		own := columnProfile{Name: text(c.Name), Kind: c.Kind, Missing: c.Missing,
			Infinite: c.Infinite, Distinct: c.Distinct, More: c.More,
			Numbers: (*numberProfile)(c.Numbers), Empty: c.Empty, OtherLevels: c.OtherLevels,
			OtherRows: c.OtherRows}
		for _, l := range c.Levels {
			own.Levels = append(own.Levels, text(l.Level))
			own.LevelRows = append(own.LevelRows, l.Rows)
		}
		all = append(all, own)
	}
	return all
}

// DecodeProfile reads what EncodeProfile returned. Whether it fits a model is not checked.
func DecodeProfile(b []byte) (_ *model.Profile, err error) {
	defer foreign.Ended(&err)
	if len(b) == 0 {
		return nil, nil
	}
	return parseProfile(&payload{name: "profile", data: b},
		&budget{left: jsonMemory(b), limit: jsonMemory(b)}), nil
}

// jsonMemory is the most memory that what a section of JSON holds takes: each value is a text, a
// number or an object.
func jsonMemory(b []byte) int64 {
	return 40*int64(len(b)) + 2*elementCost*int64(bytes.Count(b, []byte("{")))
}

// parseProfile reads the section. The validation of the model checks the numbers.
func parseProfile(p *payload, b *budget) *model.Profile {
	var h profileHead
	parseJSON(p, model.ProfileBytes, &h, b)
	q := &model.Profile{Rows: h.Rows, SampleRows: h.SampleRows, RankError: h.RankError,
		NoExtremes: h.NoExtremes, PredictionRows: h.PredictionRows}
	for _, list := range []struct {
		to   *[]model.ColumnProfile
		from []columnProfile
	}{{&q.Columns, h.Columns}, {&q.Label, h.Label}, {&q.Predictions, h.Predictions}} {
		for i := range list.from {
			c := list.from[i].parse(p)
			*list.to = append(*list.to, c)
		}
	}
	return q
}

func (c *columnProfile) parse(p *payload) model.ColumnProfile {
	own := model.ColumnProfile{Name: string(c.Name), Kind: c.Kind, Missing: c.Missing,
		Infinite: c.Infinite, Distinct: c.Distinct, More: c.More,
		Numbers: (*model.NumberProfile)(c.Numbers), Empty: c.Empty, OtherLevels: c.OtherLevels,
		OtherRows: c.OtherRows}
	if len(c.Levels) != len(c.LevelRows) {
		p.corrupt(0, "column %q has %d levels and rows of %d", own.Name, len(c.Levels),
			len(c.LevelRows))
	}
	for i, l := range c.Levels {
		own.Levels = append(own.Levels, data.LevelCount{Level: string(l), Rows: c.LevelRows[i]})
	}
	return own
}
