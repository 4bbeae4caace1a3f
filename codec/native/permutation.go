package native

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/model"
)

// permutationHead is a model.Permutation in the header. Its columns are a list of permutedHead,
// whose memory is budgeted.
type permutationHead struct {
	Set     text            `json:"set"`
	UsedFor text            `json:"used_for,omitempty"`
	Rows    int             `json:"rows"`
	Metric  text            `json:"metric"`
	Higher  bool            `json:"higher_is_better,omitempty"`
	Value   float64         `json:"value"`
	Repeats int             `json:"repeats"`
	Columns json.RawMessage `json:"columns"`
}

type permutedHead struct {
	Name    text            `json:"name"`
	Columns json.RawMessage `json:"columns,omitempty"` // []text; absent: nil
	Drop    float64         `json:"drop"`
	Error   float64         `json:"se,omitempty"`
}

func marshalPermutation(q *model.Permutation) json.RawMessage {
	columns := make([]permutedHead, len(q.Columns))
	for i, c := range q.Columns {
		columns[i] = permutedHead{Name: text(c.Name), Drop: c.Drop, Error: c.StdError}
		if c.Columns != nil {
			columns[i].Columns = stored(cast[text](c.Columns))
		}
	}
	return stored(permutationHead{text(q.Set), text(q.UsedFor), q.Rows, text(q.Metric), q.Higher,
		q.Value, q.Repeats, stored(columns)})
}

// parsePermutation reads what marshalPermutation wrote. The model validates the numbers.
func parsePermutation(raw json.RawMessage, p *payload, b *budget) *model.Permutation {
	var h permutationHead
	if err := json.Unmarshal(raw, &h); err != nil {
		p.corrupt(0, "permutation importance: %v", err)
	}
	q := &model.Permutation{Set: string(h.Set), UsedFor: string(h.UsedFor), Rows: h.Rows,
		Metric: string(h.Metric), Higher: h.Higher,
		Value: h.Value, Repeats: h.Repeats, Columns: []model.Permuted{}}
	for _, c := range list[permutedHead](h.Columns, p, b) {
		one := model.Permuted{Name: string(c.Name), Drop: c.Drop, StdError: c.Error}
		if len(c.Columns) > 0 {
			one.Columns = append([]string{}, cast[string](list[text](c.Columns, p, b))...)
		}
		q.Columns = append(q.Columns, one)
	}
	return q
}
