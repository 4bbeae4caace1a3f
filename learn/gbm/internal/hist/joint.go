package hist

import "github.com/coppice-ml/coppice/learn/gbm/internal/bins"

const (
	jointCodes = 256 // at most
	// rows of the table for each code of a joint: of small leaves cells would be more than
	// additions saved
	jointRows = 128
)

// JointCodes returns the bins.Options.Joint by which trees are grown fastest on a table of some
// rows.
func JointCodes(rows int) int { return min(jointCodes, rows/jointRows) }

// joint states where the cells of a bins.Joint are. The sums of its groups are added up from them,
// which is exact for words. Of pairs they would not be the sums that rows give one by one: there
// every group has a code of its own.
type joint struct {
	*bins.Joint
	first int   // cell of its codes
	of    []int // first cell of each group
}

// split adds up the words of the groups. The cells are taken as rows, each as long as the first
// group has codes. Sums down the rows are the cells of that group. Sums along them are the cells of
// a joint of the others.
func (j *joint) split(cells []int64) {
	var memory [jointCodes / 2]int64
	from, rest := cells[j.first:][:j.Codes], memory[:]
	last := len(j.of) - 1
	for k, at := range j.of[:last] {
		n := int(j.Radix[k])
		to := cells[at:][:n]
		rows := len(from) / n
		for i := range rows {
			sum := int64(0)
			for b, w := range from[i*n:][:n] {
				to[b] += w
				sum += w
			}
			rest[i] = sum
		}
		from = rest[:rows]
	}
	copy(cells[j.of[last]:], from)
}
