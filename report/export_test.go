package report

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Content returns what a section of a page finds, before it is drawn.
func Content(
	ctx context.Context, m model.Model, ds *data.Dataset, o Options, id string,
) (any, error) {
	s, err := newSubject(ctx, m, ds, o)
	if err != nil {
		return nil, err
	}
	for _, section := range sections() {
		if section.id == id {
			return section.make(ctx, s)
		}
	}
	return nil, fmt.Errorf("no section %q", id)
}
