package native

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// roles are data.RoleColumns.
type roles struct {
	Event  text            `json:"event,omitempty"`
	Upper  text            `json:"upper,omitempty"`
	Group  text            `json:"group,omitempty"`
	Weight text            `json:"weight,omitempty"`
	Time   text            `json:"time,omitempty"`
	Start  json.RawMessage `json:"init_score,omitempty"` // []text
	Offset text            `json:"offset,omitempty"`
}

// marshalRoles returns the JSON of the columns, nil where there are none.
func marshalRoles(c *data.RoleColumns) json.RawMessage {
	if c.IsZero() {
		return nil
	}
	own := roles{Event: text(c.Event), Upper: text(c.Upper), Group: text(c.Group),
		Weight: text(c.Weight), Time: text(c.Time), Offset: text(c.Offset)}
	if len(c.Start) > 0 {
		own.Start = stored(cast[text](c.Start))
	}
	return stored(own)
}

// parseRoles reads the columns that have a role beside the label.
func (h *header) parseRoles(s *model.Spec, p *payload, b *budget) {
	var own roles
	p.check(json.Unmarshal(h.Roles, &own))
	s.Roles = data.RoleColumns{Event: string(own.Event), Upper: string(own.Upper),
		Group: string(own.Group), Weight: string(own.Weight), Time: string(own.Time),
		Offset: string(own.Offset)}
	if len(own.Start) > 0 {
		s.Roles.Start = cast[string](list[text](own.Start, p, b))
	}
}
