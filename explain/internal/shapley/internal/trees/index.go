package trees

// Index is what is computed of the players of a game. A cell is the place of one number of it:
//
//	Singles  the Shapley value of player j     cell j
//	Pairs    the interaction of players i < j  cell j(j-1)/2 + i: half of it, as in both triangles
type Index uint8

// The indices.
const (
	Singles Index = iota
	Pairs
)

// CellsOf returns the number of cells of some players.
func (x Index) CellsOf(players int) int {
	if x == Pairs {
		return players * (players - 1) / 2
	}
	return players
}

// bits is the number of bits of the indices of tables, if leaves do not have more players. Tables
// of pairs have more numbers in an entry.
func (x Index) bits() int { return [...]int{Singles: 10, Pairs: 8}[x] }

// work is the numbers of a leaf of so many players, times the points of the quadrature.
func (x Index) work(players int) int { return x.CellsOf(players) << players * (players/2 + 1) }

// walkedLeaf is what a leaf costs a walk for a row, less what it costs a table, in nanoseconds.
func (x Index) walkedLeaf() int64 { return [...]int64{Singles: 2, Pairs: 60}[x] }

// most is the largest number of players of a leaf that tables have.
func (x Index) most() int { return [...]int{Singles: 14, Pairs: 11}[x] }

// cells returns the cells of some players, each of which is named once.
func (x Index) cells(players []int32) []int32 {
	if x == Singles {
		return append([]int32(nil), players...)
	}
	var cells []int32
	for j := range players {
		for i := range j {
			cells = append(cells, Pair(players[i], players[j]))
		}
	}
	return cells
}

// Pair returns the cell of two players.
func Pair(i, j int32) int32 {
	if i > j {
		i, j = j, i
	}
	return j*(j-1)/2 + i
}

// leaf writes the cells of a leaf of value 1, for each pattern of satisfied players: cell c of n at
// pattern p in dst[p*n + c], in the order of cells. taken holds z by player. scratch has 2^players
// numbers.
func (x Index) leaf(dst, scratch, taken []float64) {
	if x == Pairs {
		interactions(dst, taken)
		return
	}
	contributions(dst, scratch, taken)
}
