package native

import (
	"maps"
	"slices"
)

// columnTokens are the texts that mean a missing value in one column.
type columnTokens struct {
	Column text   `json:"column"`
	Tokens []text `json:"tokens"`
}

// tokensByColumn returns the tokens of single columns in the order of their names.
func tokensByColumn(of map[string][]string) []columnTokens {
	list := []columnTokens{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		tokens := append([]text{}, cast[text](of[name])...) // an empty list is no null
		list = append(list, columnTokens{text(name), tokens})
	}
	return list
}

// parseTokensOf reads the tokens of single columns.
func (h *header) parseTokensOf(p *payload, b *budget) map[string][]string {
	of := map[string][]string{}
	for _, c := range list[columnTokens](h.Schema.Of, p, b) {
		if _, twice := of[string(c.Column)]; twice {
			p.corrupt(0, "column %.50q has two lists of missing_tokens_of", string(c.Column))
		}
		of[string(c.Column)] = append([]string{}, cast[string](c.Tokens)...)
	}
	return of
}
