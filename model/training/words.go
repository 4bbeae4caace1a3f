package training

import (
	"fmt"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// FoldWords counts the folds of a cross-validation. requested is how many were asked for where
// there are fewer, else 0.
func FoldWords(folds, requested int) string {
	text := humanize.Count(folds, "fold", "folds")
	if requested > 0 {
		text += fmt.Sprintf(", not %d: there are too few rows, groups or times", requested)
	}
	return text
}
