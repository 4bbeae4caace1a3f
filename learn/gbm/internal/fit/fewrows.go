package fit

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm/internal/rounds"
)

// fewRowsSettings returns the settings for tables of too few rows to rehearse on. Sixteen leaves of
// four splits and other rows for each tree fit less of what is chance in so few rows.
func fewRowsSettings() []string { return []string{"growth=symmetric", "depth=4", "subsample=0.8"} }

// suitFewRows takes these settings for a table of so many rows, if the user left to training what
// they set. Nothing was measured of other losses. The rule asks for rows and parameters alone, so
// that a training that is resumed takes the same.
func (p *decision) suitFewRows(t *data.Target, rows int) error {
	if !p.Config.User.Left().FewRows || rounds.Compares(rows) {
		return nil
	}
	name, _, err := p.given.LossOf(t)
	if err != nil || name != "logistic" && name != "softmax" && name != "squared" {
		return nil // the training reports an error
	}
	p.Config, err = p.with(fewRowsSettings())
	return err
}
