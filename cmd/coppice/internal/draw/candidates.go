package draw

import (
	"context"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/report/plot"
)

func (o *command) candidates(ctx context.Context, w io.Writer, in *input) error {
	number := 0
	switch len(o.trees) {
	case 0:
	case 1:
		number = o.trees[0]
	default:
		return cli.Misusef("--tree names %d trees: candidates are those of a node of one",
			len(o.trees))
	}
	at := learn.TreeNode{Tree: number, Node: int32(o.node)}
	c, err := catalog.Candidates(ctx, in.model, in.ds, at)
	if err != nil {
		return fmt.Errorf("%s: %w", in.path, err)
	}
	t, spec, of := catalog.TreeAt(in.model, number)
	columns, err := o.find(spec)
	if err != nil {
		return err
	}
	return plot.Candidates(w, &plot.Node{Spec: spec, Tree: t, Number: at.Node, At: number, Of: of},
		c, columns)
}
