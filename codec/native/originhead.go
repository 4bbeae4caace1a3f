package native

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/coppice-ml/coppice/model"
)

// storedAs is a way in which a tool stores categories, and the columns of which it does so.
type storedAs struct {
	As      text            `json:"as"`
	Columns json.RawMessage `json:"columns"` // []int, ascending
}

// toolSetting is an element of model.Origin.Settings.
type toolSetting struct {
	Name  text `json:"name"`
	Value text `json:"value"`
}

// setOrigin sets the keys of what a model keeps of its tool; nil: of none.
func (h *header) setOrigin(o *model.Origin) {
	if o == nil || h.bare {
		return
	}
	if o.Tool == "" {
		unsupported("cannot store a model of a tool without a name")
	}
	h.Tool, h.ToolVersion, h.ToolObjective = text(o.Tool), text(o.Version), text(o.Objective)
	if len(o.Settings) > 0 {
		var list []toolSetting
		for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
			list = append(list, toolSetting{text(name), text(o.Settings[name])})
		}
		h.ToolSettings = stored(list)
	}
	if o.Certificate != nil {
		h.Certificate = stored(o.Certificate)
	}
	columns := map[string][]int{}
	var ways []string // in the order of their first columns
	for i, way := range o.Categories {
		if way == "" {
			continue
		}
		if columns[way] == nil {
			ways = append(ways, way)
		}
		columns[way] = append(columns[way], i)
	}
	var list []storedAs
	for _, way := range ways {
		list = append(list, storedAs{text(way), stored(columns[way])})
	}
	if list != nil {
		h.ToolCategories = stored(list)
	}
}

// origin returns what the header has of the tool of a model with some fields; nil: of none.
func (h *header) origin(fields int, p *payload, b *budget) *model.Origin {
	if h.Tool == "" {
		return nil
	}
	o := &model.Origin{Tool: string(h.Tool), Version: string(h.ToolVersion),
		Objective: string(h.ToolObjective)}
	if len(h.Certificate) > 0 {
		o.Certificate = &model.Certificate{}
		if err := json.Unmarshal(h.Certificate, o.Certificate); err != nil {
			corrupt("header", 0, "%v", err)
		}
	}
	if len(h.ToolSettings) > 0 {
		settings := list[toolSetting](h.ToolSettings, p, b)
		o.Settings = make(map[string]string, len(settings))
		for _, s := range settings {
			o.Settings[string(s.Name)] = string(s.Value)
		}
		if len(o.Settings) < len(settings) {
			corrupt("header", 0, "two settings of a tool have one name")
		}
	}
	if len(h.ToolCategories) == 0 {
		return o
	}
	b.take(16 * int64(fields))
	o.Categories = make([]string, fields)
	for _, way := range list[storedAs](h.ToolCategories, p, b) {
		places := list[int](way.Columns, p, b)
		if len(places) > 0 && (slices.Min(places) < 0 || slices.Max(places) >= fields) {
			corrupt("header", 0, "a tool's categories of a column beyond %d", fields)
		}
		for _, i := range places {
			o.Categories[i] = string(way.As)
		}
	}
	return o
}
