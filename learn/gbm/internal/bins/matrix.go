// Package bins owns tables whose values are replaced by small numbers, once, before any tree is
// grown. They are the split points between the bins of a numeric column, the bin of every category,
// and the matrix of codes that the histogram engine reads.
//
// A column has Values bins of present values, in the order of the values, and after them one bin
// for missing values:
//
//	numeric   x falls in bin i where SplitPoints[i-1] < x <= SplitPoints[i]; -Inf in the first bin, +Inf in the last
//	nominal   every category that occurs has a bin, in the order of the dictionary's codes
//	missing   bin Values, of every column, whether or not a value is missing
//
// A numeric column has one bin at least, of a constant or of missing values only too; a nominal one
// that is missing throughout has none.
//
// Codes are stored by group. Most groups are one column, whose codes are its bins. A bundle is
// several columns that are never away from their most frequent bin in the same row (exclusive
// feature bundling, Ke et al. 2017, section 4):
//
//	code 0                          every column of the bundle is in its Default bin
//	First ... First+Values-1        a column is in one of its other bins, which stand here in their order
//
// A listed column is away from its most frequent bin in few rows. Only these are stored, see List
// and RowLists. Its codes are its bins.
//
// The codes of a Matrix have one of three sources. Walk goes over the blocks of all three:
//
//	memory   MakeWith and Encode look up the codes of a table, in one block
//	file     a Writer reads a table in blocks and writes the codes to a scratch file; see Store
//	rank     with Own, a Writer leaves each rank the codes of its own rows in memory; see Partial
package bins

// Column is a column of the frame in bins.
type Column struct {
	Feature int32 // column of the frame
	// numeric: ascending, Values-1 of them. A value x is in the bin numbered by how many split
	// points are below x
	SplitPoints []float64
	// nominal: the bin of each code of the dictionary, -1 where no row has it; nil for numbers
	Level   []int32
	Code    []uint32 // nominal: the dictionary's code of each bin
	Values  int      // bins of present values; bin Values is that of missing ones
	Missing bool     // whether a row is in the bin of missing values

	Group int32 // the group that holds the column's codes
	First int32 // first code of the column in its group; 0 where it is alone
	// the bin that has no code of its own in a bundle, or that a listed column is in where its list
	// has no row; -1 where the column is alone in its group and not listed
	Default int32
	Listed  bool // whether the column is listed; it is alone in its group then
	// whether categories without a bin have a code of their own, behind that of missing values;
	// else they are in the bin of these
	Apart bool
}

// Bins returns the number of bins, that of missing values included.
func (c *Column) Bins() int { return c.Values + 1 }

// Nominal reports whether the bins are categories, which have no order.
func (c *Column) Nominal() bool { return c.Level != nil }

// Bin returns the bin of a code of the column's group.
func (c *Column) Bin(code int) int {
	if c.Default < 0 || c.Listed {
		return code
	}
	b := code - int(c.First)
	if b < 0 || b >= c.Values {
		return int(c.Default)
	}
	if b >= int(c.Default) {
		b++
	}
	return b
}

// Group is one column, or a bundle of columns, that has one code for each row.
type Group struct {
	Columns []int32 // the columns of the matrix in the group
	Codes   int     // number of codes
	Joined  bool    // whether a joint has the group
	Out     bool    // whether Block.Packed is without the group, as it is without listed columns
	Listed  bool    // whether it is a listed column
	// byte of its code, or of that of its joint, in a row of Block.Packed; of wide codes the low
	// one, which the high one follows. Of a listed column the place of its first bin in RowLists
	At int
}

// Wide reports whether the codes of the group have two bytes.
func (g *Group) Wide() bool { return g.Codes > narrowCodes }

// Matrix is a table in bins. It is not changed once it is made. Its codes are in blocks of rows.
//
// In a row of Block.Packed the narrow groups come first, those that are joined behind the others;
// from Narrow on there are the wide ones:
//
//	row   a b c d  e j . .  gg hh          a to e narrow, j a joint, Narrow 8; g and h wide; Stride 12
type Matrix struct {
	// the frame rows that the matrix's rows 0, 1, ... stand for, ascending and distinct
	Rows    []int32
	Columns []Column
	Groups  []Group
	// narrow groups that have one code together in Block.Packed; in Block.Codes each has its own
	Joints []Joint
	// bytes of the narrow groups in a row of Block.Packed: one each, or for each joint, rounded up
	// to a multiple of 4
	Narrow int
	Stride int     // bytes of a row of Block.Packed, a multiple of 4
	Blocks []Block // in the order of their rows; one at least

	JointCodes int // most codes of a joint

	// places of the bins of all listed columns in RowLists, a multiple of PlaceLine
	Places int

	Store *Store // has the codes of the blocks; nil: they are in memory

	// Of a matrix that a Writer has made: the least number of each column, with
	// Options.Least, and checksums of the codes of all rows by group, which do not depend on
	// blocks.
	Least []float64
	Sums  []uint32

	// whether the blocks have the codes of a run of the rows only, which they number from 0: see
	// Part and Own
	Partial bool

	gathered []uint8 // memory of the narrow codes that Gather made
}

// Len returns the number of rows.
func (m *Matrix) Len() int { return len(m.Rows) }

// Packed reports whether the blocks have their codes row by row, too: those of a stored matrix have
// them while Walk reads them.
func (m *Matrix) Packed() bool { return m.Store != nil || m.Blocks[0].Packed != nil }
