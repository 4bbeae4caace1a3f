package models

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Class returns the index of the class that a person names, -1 if there is none. A name means what
// it means in a table: 1.0 is the class 1.
func Class(s *model.Spec, name string) int {
	field := data.Field{Kind: data.Categorical, Levels: s.Classes}
	code := data.IndexLevels(&field).Find(name)
	if code == data.UnseenCode {
		return -1
	}
	return int(code)
}
