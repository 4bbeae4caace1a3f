package model

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
)

// TrainedOn identifies the training of a model: with the same table, parameters and seed, training
// gives the same model again. It belongs to the outermost model: members have none of their own,
// unless they were trained before.
type TrainedOn struct {
	Seed  uint64    `json:"seed"`
	Table data.Hash `json:"table"` // of the training rows: data.Dataset.Hash
}

// Words describes the training for reports.
func (t *TrainedOn) Words() string {
	return fmt.Sprintf("seed %d, rows with hash %s", t.Seed, t.Table)
}
