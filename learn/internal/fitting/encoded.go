package fitting

import (
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// Encoded is what learners store that train on numeric vectors: the rows, and what encoding them
// did. Their summaries embed it.
type Encoded struct {
	training.Trained
	Encoding *dense.Report `json:"encoding"`
}

// Check implements learn.Summary for a summary with nothing else to check.
func (e *Encoded) Check(model.Model) error {
	var c training.Checks
	c.Part("encoding", e.Encoding.Check())
	return c.Err()
}

// Describe implements learn.Summary for a summary with nothing else to report.
func (e *Encoded) Describe(m model.Model) *training.Summary { return e.Solved(m, "") }

// Solved is Describe with the solution of the problem, in words; "" = none.
func (e *Encoded) Solved(m model.Model, solution string) *training.Summary {
	found := e.Trained.Describe(m)
	found.Facts = e.Encoding.Facts(solution)
	return found
}

// Found returns what every summary of a training on the table begins with.
func (e *VectorTable) Found(p *grow.Population) Encoded {
	return Encoded{Trained: Trained(p), Encoding: e.Report}
}
