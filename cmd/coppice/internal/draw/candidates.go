package draw

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/report/plot"
	"github.com/coppice-ml/coppice/tree"
)

// lister is a learner that lists the candidate splits of a node.
type lister interface {
	Candidates(ctx context.Context, ds *data.Dataset, rows []int32) (*tree.Candidates, error)
}

func (o *command) candidates(ctx context.Context, w io.Writer, in *input) error {
	s, err := in.subject()
	if err != nil {
		return err
	}
	columns, err := o.find(s.Spec)
	if err != nil {
		return err
	}
	l, err := catalog.New(s.Spec.Learner)
	if err != nil {
		return err
	}
	tries, ok := l.(lister)
	if !ok {
		return fmt.Errorf("learner %s does not list the splits that it tries; cart does",
			s.Spec.Learner)
	}
	if err := l.Params().UnmarshalJSON(s.Spec.Params); err != nil {
		return err
	}
	ds, rows, err := s.Reach(o.node)
	if err != nil {
		return err
	}
	c, err := tries.Candidates(ctx, ds, rows)
	if err != nil {
		return err
	}
	return plot.Candidates(w, s, o.node, c, columns)
}
