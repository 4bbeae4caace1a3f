package model

import "errors"

// Readable is a Model without trees or rules that people can read.
type Readable interface {
	Model
	// Size names what the model consists of in one word, the heading of a line, and is how much
	// of it there is: "weights", "9 for 5 columns".
	Size() (name, words string)
	// Table is what show prints: a heading for each column and rows of as many texts, the first
	// column words, the others numbers. Models that have nothing to list have no row.
	Table() (heading []string, rows [][]string)
	// Content is what Table tells, to be encoded as JSON with all digits; nil if there is nothing.
	Content() any
}

// ErrNoLeaves is returned by Bind for the output Leaf of a model that has neither trees nor rules.
var ErrNoLeaves = errors.New("the model has no leaves: it has neither trees nor rules")
