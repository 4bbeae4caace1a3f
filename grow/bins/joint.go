package bins

import (
	"cmp"
	"slices"
)

// Joint is groups of few codes that share a byte of a row of Matrix.Packed: their codes are the digits of one number, of which
// the first group's counts once, the second's Radix[0] times, the third's Radix[0]*Radix[1] times, and so on.
//
//	groups of 3, 2 and 4 codes: 1, 0 and 3 are 1 + 3*0 + 3*2*3 = 19 of 24
type Joint struct {
	Groups []int32 // of the matrix
	Radix  []int32 // of each: codes that rows can have, from 0 on
	Codes  int     // the product of these
	At     int     // the byte
}

// join finds groups for joints of no more than so many codes: the narrow groups of no more than half as many, those of most codes first,
// each into the first joint that has room (first-fit decreasing).
func (m *Matrix) join(most int) {
	var few []int32
	radix := make([]int, len(m.Groups))
	for i := range m.Groups {
		if radix[i] = m.radix(&m.Groups[i]); m.Groups[i].Narrow != nil && 2*radix[i] <= most {
			few = append(few, int32(i))
		}
	}
	slices.SortStableFunc(few, func(a, b int32) int { return cmp.Compare(radix[b], radix[a]) })
	for _, i := range few {
		at := slices.IndexFunc(m.Joints, func(j Joint) bool { return j.Codes*radix[i] <= most })
		if at < 0 {
			at = len(m.Joints)
			m.Joints = append(m.Joints, Joint{Codes: 1})
		}
		j := &m.Joints[at]
		j.Groups, j.Radix = append(j.Groups, i), append(j.Radix, int32(radix[i]))
		j.Codes *= radix[i]
	}
	m.Joints = slices.DeleteFunc(m.Joints, func(j Joint) bool { return len(j.Groups) == 1 })
	for i := range m.Joints {
		for _, k := range m.Joints[i].Groups {
			m.Groups[k].Joined = true
		}
	}
}

// radix returns how many codes the rows of a group can have: that of missing values, the last of a column, is left out where none are.
func (m *Matrix) radix(g *Group) int {
	if c := &m.Columns[g.Columns[0]]; len(g.Columns) == 1 && !c.Missing {
		return max(1, c.Values)
	}
	return g.Codes
}

// packJoint sets the bytes of a joint in Packed, of the rows from lo to hi, to its groups' codes, added up.
func (m *Matrix) packJoint(j *Joint, lo, hi int) {
	var together [blockRows]uint8
	for from := lo; from < hi; from += blockRows {
		sum := together[:min(blockRows, hi-from)]
		clear(sum)
		times := uint8(1)
		for k, i := range j.Groups {
			codes := m.Groups[i].Narrow[from:][:len(sum)]
			for r := range sum {
				sum[r] += codes[r] * times
			}
			times *= uint8(j.Radix[k])
		}
		at := from*m.Stride + j.At
		for _, c := range sum {
			m.Packed[at] = c
			at += m.Stride
		}
	}
}

// Apart returns the matrix with groups that each have a code of their own in Packed; all else is shared.
func (m *Matrix) Apart() *Matrix {
	if len(m.Joints) == 0 {
		return m
	}
	a := *m
	a.Groups, a.Joints = slices.Clone(m.Groups), nil
	for i := range a.Groups {
		a.Groups[i].Joined = false
	}
	a.arrange()
	for lo := 0; lo < len(a.Rows); lo += blockRows {
		a.packRows(lo, min(lo+blockRows, len(a.Rows)))
	}
	return &a
}
