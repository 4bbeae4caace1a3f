package explain

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// expanded returns a table whose columns have the names that a model's schema has, whether it has
// dates and texts as they were read or what data.Expand makes of them. It is the door of the
// explainers that look at columns; those that predict only leave it to Bind, which does the same.
func expanded(m model.Model, f *data.Frame) *data.Frame {
	return data.ExpandLike(f, &m.Spec().Schema)
}

// Features returns a model's features, in its order, of a table that Bind accepts: dates and texts
// may be as they were read. The error is a *model.MissingColumnError.
func Features(m model.Model, f *data.Frame) (*data.Frame, error) {
	f = expanded(m, f)
	fields := m.Spec().Schema.Fields
	places := make([]int, len(fields))
	if absent := f.Schema.Find(fields, places); absent != nil {
		return nil, &model.MissingColumnError{Column: absent.Name}
	}
	return f.Select(places), nil
}
