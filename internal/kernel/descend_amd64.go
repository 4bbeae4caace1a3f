//go:build amd64 && !purego

package kernel

import "unsafe"

// Descend writes into out the node at which each row of the block ends; len(out) is the number of
// rows. Nodes and their children must be in range, a child after its parent, and so must be sets
// and places: nothing is checked again.
func (d *Descent) Descend(out []int32) {
	if len(out) == 0 || len(d.Nodes) == 0 || len(d.X) == 0 || len(d.Place) == 0 {
		clear(out) // no column has a place, so the root is where rows end
		return
	}
	if d.Ranks != nil && d.byRanks(out) {
		return
	}
	if len(d.SetAt) > 0 {
		d.route(out)
		return
	}
	if d.gather(out) {
		return
	}
	a := descent{Descent: d, out: &out[0], rows: len(out), row: min(lanes, len(out)),
		ahead: uintptr(unsafe.Pointer(&d.X[0]))}
	for r := range a.row {
		a.lane[r] = lane{node: 0, x: uint32(r), row: uint32(r)}
	}
	if bytes := d.Tile / TileRows * 8; bytes <= maxFetch {
		a.ahead += uintptr(fetchRows * bytes)
		a.aheadBy = bytes
	}
	if d.Slots {
		a.slots = 1
	}
	descend(&a)
}

const (
	// rows that are on their way at once: while one waits for memory others continue
	lanes     = 16
	fetchRows = 256 // the values of rows are fetched as many rows ahead,
	maxFetch  = 512 // if those of a row are not more bytes
)

// descent is what the assembly works on.
type descent struct {
	*Descent
	out     *int32
	rows    int
	row     int     // the next that sets out, at first the number of lanes in use
	ahead   uintptr // where to fetch values, be there any or not
	aheadBy int     // bytes by which that moves on for each row
	slots   int     // 1: write slots
	lane    [lanes]lane
}

// lane is a row and the node that it has reached. Only the assembly uses node.
type lane struct {
	node uint32 // where it is
	x    uint32 // where its value is of a column whose place is 0
	row  uint32
	_    uint32
}

//go:noescape
func descend(a *descent)
