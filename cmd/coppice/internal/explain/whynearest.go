package explain

import (
	"context"
	"os"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/model"
)

// near is a row of --like.
type near struct {
	Row       int     `json:"row"` // from 1
	Proximity float64 `json:"proximity"`
	Label     string  `json:"label,omitempty"`
}

// nearest finds the rows of --like that are nearest to the row. It is not its own neighbour.
func (o *why) nearest(ctx context.Context, m model.Model, a *answer) error {
	if a.reference == nil {
		return nil
	}
	all, err := data.Concat(a.Frame.Subset([]int32{int32(o.row - 1)}), a.reference)
	if err != nil {
		return err
	}
	p, err := explain.NewProximities(ctx, m, all, nil, explain.ProximityOptions{Workers: o.Threads})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		a.Apart = err.Error()
		return nil
	}
	rows, err := p.NeighboursOf(0, o.top+1)
	if err != nil {
		return err
	}
	itself, err := a.itself()
	if err != nil {
		return err
	}
	for _, r := range rows {
		n := near{Row: int(r.Row), Proximity: r.Proximity} // the row is before those of --like
		if n.Row == itself || len(a.Nearest) == o.top {
			continue
		}
		if a.labels != nil {
			n.Label = a.labels.Schema.Fields[0].Levels[a.labels.Columns[0].Code(n.Row-1)]
		}
		a.Nearest = append(a.Nearest, n)
	}
	if len(a.Nearest) == 0 {
		a.Apart = "no other row is in a leaf of this one"
	}
	return nil
}

// itself returns the row of --like, from 1, that is the row: the same place of the same file. It is
// 0 if there is none.
func (a *answer) itself() (int, error) {
	like, err := source.Info(a.like)
	if err != nil || like == nil {
		return 0, err
	}
	at := a.Frame.Locate(a.Row - 1)
	for _, file := range a.files {
		place, here := strings.CutPrefix(at, humanize.Name(file))
		if !here {
			place, here = strings.CutPrefix(at, file)
		}
		info, err := source.Info(file)
		if err != nil {
			return 0, err
		}
		if !here || info == nil || !os.SameFile(info, like) {
			continue
		}
		for i := range a.reference.Rows() {
			if strings.HasSuffix(a.reference.Locate(i), place) {
				return i + 1, nil
			}
		}
	}
	return 0, nil
}

func (o *why) printNearest(a *answer) {
	if a.reference == nil {
		return
	}
	if a.Apart != "" {
		o.Printf("\nno nearest rows of %s: %s\n", a.like, a.Apart)
		return
	}
	o.Printf("\nnearest rows of %s\n", a.like)
	g := &cli.Grid{Columns: cli.Numbers("row", "proximity")}
	if a.labels != nil {
		g.Columns = append(g.Columns, cli.Column{Name: humanize.Name(a.spec.Label)})
	}
	for _, n := range a.Nearest {
		cells := []string{strconv.Itoa(n.Row), humanize.Number(n.Proximity, 4)}
		if a.labels != nil {
			cells = append(cells, humanize.Name(n.Label))
		}
		g.Add(cells...)
	}
	g.Print(o.Out)
}
