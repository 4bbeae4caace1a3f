package trees

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// Child returns the child that a candidate sends a row to: 0, 1 or, where every category has a
// child, more. It is -1 for a row without a value that goes to no single child, or to one that
// depends on all rows.
func Child(c *tree.Candidate, column *data.Column, row int32) int {
	missing := -1
	switch {
	case c.Kind == tree.ByCode:
	case c.Missing == tree.MissingFirst:
		missing = 0
	case c.Missing == tree.MissingLast:
		missing = 1
	}
	first := false
	if c.Kind == tree.Numeric {
		x := column.Number(int(row))
		if x != x {
			return missing
		}
		first = x <= c.SplitPoint
	} else {
		code := column.Code(int(row))
		switch {
		case code == data.MissingCode || code == data.UnseenCode:
			return missing
		case c.Kind == tree.ByCode:
			return int(code)
		}
		first = slices.Contains(c.Codes, code)
	}
	if first {
		return 0
	}
	return 1
}

// Arity returns the number of children that a candidate makes by a column.
func Arity(c *tree.Candidate, field *data.Field) int {
	if c.Kind == tree.ByCode {
		return len(field.Levels)
	}
	return 2
}

// splitOf returns the split of an inner node by one column as a candidate without a gain. levels
// are those of the column.
func splitOf(t *tree.Tree, node int32, levels int) tree.Candidate {
	c := tree.Candidate{Kind: t.Kind(node), Missing: t.Missing(node), Chosen: true}
	switch c.Kind {
	case tree.Numeric:
		c.SplitPoint = t.SplitPoint(node)
	case tree.SetFirst, tree.SetLast:
		for code := range uint32(levels) {
			if tree.InSet(t.Set(node), code) == (c.Kind == tree.SetFirst) {
				c.Codes = append(c.Codes, code)
			}
		}
		c.Kind = tree.SetFirst
	}
	return c
}

// divides reports whether a candidate divides rows as another does, whichever child comes first.
// Rows without a value count where both send them to one child.
func divides(a, b *tree.Candidate, column *data.Column, rows []int32) bool {
	if (a.Kind == tree.ByCode) != (b.Kind == tree.ByCode) {
		return false
	}
	if a.Kind == tree.ByCode {
		return true
	}
	same, turned := true, true
	for _, row := range rows {
		i, k := Child(a, column, row), Child(b, column, row)
		if i < 0 || k < 0 {
			continue
		}
		same, turned = same && i == k, turned && i != k
		if !same && !turned {
			return false
		}
	}
	return true
}

// Choose marks the candidate that divides the rows of a node as the tree does, and gives it the
// tree's own split point. Where there is none, one is added, and judge computes its gain. Leaves
// have none. A split along a direction of several columns is named in the notes.
func Choose(c *tree.Candidates, f *data.Frame, rows []int32, t *tree.Tree, node int32,
	judge func(feature int, c *tree.Candidate)) {
	if t.Kind(node) == tree.Leaf {
		return
	}
	feature := int(t.Feature(node))
	if feature < 0 || feature >= len(c.Columns) {
		c.Notes = append(c.Notes, "The tree splits here by several columns at once, or by one "+
			"that is derived from others: that split is not listed.")
		return
	}
	own := splitOf(t, node, len(f.Schema.Fields[feature].Levels))
	list := c.Columns[feature]
	found := -1
	for i := range list {
		if (found < 0 || list[i].Best) && divides(&own, &list[i], &f.Columns[feature], rows) {
			found = i
		}
	}
	if found >= 0 {
		list[found].Chosen = true
		if own.Kind == tree.Numeric {
			list[found].SplitPoint = own.SplitPoint
		}
		return
	}
	judge(feature, &own)
	at := len(list)
	if own.Kind == tree.Numeric {
		for at > 0 && list[at-1].SplitPoint > own.SplitPoint {
			at--
		}
	}
	c.Columns[feature] = slices.Insert(list, at, own)
}
