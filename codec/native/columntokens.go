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
		c := columnTokens{Column: text(name), Tokens: []text{}}
		for _, token := range of[name] {
			c.Tokens = append(c.Tokens, text(token))
		}
		list = append(list, c)
	}
	return list
}

// parseTokensOf reads the tokens of single columns.
func (h *header) parseTokensOf(p *payload, b *budget) map[string][]string {
	stored := list[columnTokens](h.Schema.Of, p, b)
	of := map[string][]string{}
	for _, c := range stored {
		if _, twice := of[string(c.Column)]; twice {
			p.corrupt(0, "column %.50q has two lists of missing_tokens_of",
				string(c.Column))
		}
		tokens := []string{}
		for _, t := range c.Tokens {
			tokens = append(tokens, string(t))
		}
		of[string(c.Column)] = tokens
	}
	return of
}
