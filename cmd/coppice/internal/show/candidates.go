package show

import (
	"context"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// listing is the candidate splits of a node with what their numbers are called.
type listing struct {
	*tree.Candidates
	spec       *model.Spec // of the tree's columns
	tree, node int
	chosen     bool // the node is split
}

// checkCandidates finds misuse of --candidates.
func (o *command) checkCandidates(files []string) error {
	if err := o.checkViews(); err != nil {
		return err
	}
	switch {
	case len(files) == 0:
		return cli.Misusef("--candidates are computed on a table: add DATA behind the model")
	case o.format != "text":
		return cli.Misusef("--candidates --format %s: print them as text or with --json; coppice "+
			"draw --what candidates draws them", o.format)
	case o.node < 0 || o.node > math.MaxInt32:
		return cli.Misusef("--node %d: want a number from 0 up", o.node)
	}
	return o.RepeatFlag.Check(tables.Files(files)...)
}

// showCandidates lists the candidate splits of a node.
func (o *command) showCandidates(ctx context.Context, path string, files []string) error {
	if err := o.checkCandidates(files); err != nil {
		return err
	}
	if err := o.FileFlag.Check(append([]string{path}, files...)...); err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return err
	}
	if o.flags.Changed("member") {
		if m, err = o.memberOf(path, m); err != nil {
			return err
		}
	}
	ds, err := o.LabelFlags.ReadFor(ctx, o.Console, m, &o.ReadFlags, files)
	if err != nil {
		return err
	}
	o.Progress.Begin("candidates")
	c, err := catalog.Candidates(ctx, m, ds, learn.TreeNode{Tree: o.tree, Node: int32(o.node)})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	o.Progress.End()
	t, spec, _ := catalog.TreeAt(m, o.tree)
	l := &listing{c, spec, o.tree, o.node, t.Kind(int32(o.node)) != tree.Leaf}
	return o.write(func(out *cli.Console) error {
		if o.JSONFlag.JSON {
			return out.JSON(l.report())
		}
		l.print(out)
		return nil
	})
}

// per returns what gains are divided by: the weight of the node, but not those of derivatives.
func (l *listing) per() float64 {
	if l.Criterion == "" {
		return 1
	}
	return l.Whole.Weight
}

// classes returns the names of the classes that branches count, nil if they count none.
func (l *listing) classes() []string {
	if l.Whole.Classes == nil {
		return nil
	}
	return l.spec.Classes
}

// ratios reports whether candidates have split information.
func (l *listing) ratios() bool { return l.Criterion == "entropy" || l.Criterion == "gain_ratio" }
