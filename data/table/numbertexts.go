package table

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// numberTexts recognises columns of which nearly all texts are numbers.
func numberTexts(t *distinct) *verdict {
	fit, odd := 0, -1
	for code, level := range t.levels {
		if level == "" {
			continue
		}
		if _, ok := ParseNumber([]byte(level)); ok {
			fit += t.rows[code]
		} else if odd < 0 || t.first[code] < t.first[odd] {
			odd = code
		}
	}
	if odd < 0 || float64(fit) < nearly*float64(t.total) {
		return nil
	}
	note := fmt.Sprintf("is categorical though %d of %d values are numbers: %s at %s is none (--missing %s makes the column numeric)",
		fit, t.total, Quote([]byte(t.levels[odd])), t.place(odd), t.levels[odd])
	return &verdict{kind: data.Categorical, note: note}
}
