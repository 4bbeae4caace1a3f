package data

import (
	"cmp"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/spelling"
)

// UnseenTexts is a sample of the texts of a categorical column that are UnseenCode there: a few of
// them, whatever their number, with the rows that hold each. It is the same for any order in which
// rows are read, and of parts that are joined it is that of the whole. The zero value is empty.
type UnseenTexts struct {
	few []unseenText // ascending by hash: those of the least hashes
}

type unseenText struct {
	hash uint64
	text string
	rows int
}

const (
	fewUnseen = 16
	// longUnseen is from how many bytes on a text is cut, which is for people.
	longUnseen = 256
)

// Add counts a text in a row.
func (u *UnseenTexts) Add(text []byte) { u.add(string(text[:min(len(text), longUnseen)]), 1) }

// AddRows counts a text in some rows.
func (u *UnseenTexts) AddRows(text string, rows int) {
	u.add(text[:min(len(text), longUnseen)], rows)
}

func (u *UnseenTexts) add(text string, rows int) {
	hash := spelling.Hash(text)
	at, found := slices.BinarySearchFunc(u.few, hash,
		func(t unseenText, hash uint64) int { return cmp.Compare(t.hash, hash) })
	switch {
	case found:
		u.few[at].rows += rows
		return
	case at == fewUnseen:
		return
	case len(u.few) == fewUnseen:
		u.few = u.few[:fewUnseen-1]
	}
	u.few = slices.Insert(u.few, at, unseenText{hash, strings.Clone(text), rows})
}

// Join adds what another sample counted; nil counted nothing.
func (u *UnseenTexts) Join(other *UnseenTexts) {
	if other == nil {
		return
	}
	for _, t := range other.few {
		u.add(t.text, t.rows)
	}
}

// Most returns the text of the sample that most rows hold, of equally many the first in bytewise
// order; "" if there is none.
func (u *UnseenTexts) Most() string {
	var most unseenText
	for _, t := range u.few {
		if t.rows > most.rows || t.rows == most.rows && t.text < most.text {
			most = t
		}
	}
	return most.text
}

// Texts returns the texts of the sample in bytewise order.
func (u *UnseenTexts) Texts() []string {
	var texts []string
	for _, c := range u.few {
		texts = append(texts, c.text)
	}
	slices.Sort(texts)
	return texts
}

// WithUnseen returns the column with a sample of its unseen texts, which it keeps.
func (c Column) WithUnseen(u *UnseenTexts) Column {
	c.unseen = u
	return c
}

// UnseenTexts returns the sample of unseen texts that a reader left, nil if there is none. Columns
// of some rows have none.
func (c *Column) UnseenTexts() *UnseenTexts { return c.unseen }
