package model_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// TestSuspiciousByChance: of tables like the training rows hardly any is suspicious, although many
// have rows beyond the extremes. A shift of a column is.
func TestSuspiciousByChance(t *testing.T) {
	const columns, n, rows, tables = 20, 300, 400, 100
	fields := make([]data.Field, columns)
	for i := range fields {
		fields[i].Name = "x" + string(rune('a'+i))
	}
	m := stumps(t, fields...)
	r := rng.New(1)
	alarms, outside := 0, 0
	for table := range tables {
		m.Meta.Profile = &model.Profile{Rows: n}
		var read []data.Column
		for i := range fields {
			low, high := 1.0, 0.0
			for range n {
				v := r.Float64()
				low, high = min(low, v), max(high, v)
			}
			m.Meta.Profile.Columns = append(m.Meta.Profile.Columns, model.ColumnProfile{
				Name: fields[i].Name, Distinct: n, Numbers: &model.NumberProfile{Min: &low, Max: &high}})
			values := make([]float64, rows)
			for k := range values {
				values[k] = r.Float64()
				if i == 7 && table == tables-1 {
					values[k] += 0.1
				}
			}
			read = append(read, data.Numbers(values))
		}
		f, err := data.NewFrame(m.Meta.Schema, read)
		if err != nil {
			t.Fatal(err)
		}
		c := model.NewCoverage(m)
		if err := c.Add(f); err != nil {
			t.Fatal(err)
		}
		for _, x := range c.Columns() {
			outside += x.Outside
		}
		found := c.Suspicious()
		if table < tables-1 {
			alarms += len(found)
		} else if len(found) != 1 || found[0].Column != "xh" {
			t.Errorf("a shifted column: %+v", found)
		}
	}
	// 20 x 100 columns with about 400 x 2/301 rows outside; one table of 1,000 has an alarm
	if outside < 4000 || alarms > 1 {
		t.Errorf("%d values are outside, %d alarms in %d tables", outside, alarms, tables)
	}
}

// New categories are compared with those that were alone in training. Where these are too many to
// be counted, or a file states so, a tenth of the rows decides.
func TestNewCategoriesByChance(t *testing.T) {
	levels := []data.LevelCount{{Level: "a", Rows: 500}, {Level: "b", Rows: 498}, {Level: "c", Rows: 1}, {Level: "d", Rows: 1}}
	for _, c := range []struct {
		column model.ColumnProfile
		fresh  int // of 1,000 rows
		want   bool
	}{
		{model.ColumnProfile{Distinct: 2, Levels: levels[:2]}, 3, false},
		{model.ColumnProfile{Distinct: 2, Levels: levels[:2]}, 20, true},
		{model.ColumnProfile{Distinct: 4, Levels: levels}, 15, false},
		{model.ColumnProfile{Distinct: 4, Levels: levels}, 25, true},
		{model.ColumnProfile{Distinct: 1 << 30, OtherLevels: 1 << 30}, 99, false},
		{model.ColumnProfile{Distinct: 1 << 30, OtherLevels: 1 << 30}, 100, true},
		{model.ColumnProfile{Distinct: 10_000, More: true}, 99, false},
	} {
		m := stumps(t, category("k", "a", "b", "c", "d"))
		c.column.Name, c.column.Kind = "k", data.Categorical
		m.Meta.Profile = &model.Profile{Rows: 1 << 30, Columns: []model.ColumnProfile{c.column}}
		if c.column.OtherLevels == 0 {
			m.Meta.Profile.Rows = 1000
		}
		codes := make([]uint32, 1000)
		for i := range c.fresh {
			codes[i] = data.UnseenCode
		}
		f, err := data.NewFrame(m.Meta.Schema, []data.Column{data.Codes(codes)})
		if err != nil {
			t.Fatal(err)
		}
		known := model.NewCoverage(m)
		if err := known.Add(f); err != nil {
			t.Fatal(err)
		}
		if found := known.Suspicious(); (len(found) == 1) != c.want {
			t.Errorf("%+v, %d new: %+v", c.column, c.fresh, found)
		}
	}
}
