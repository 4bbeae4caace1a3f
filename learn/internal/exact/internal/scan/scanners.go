package scan

import "github.com/coppice-ml/coppice/internal/parallel"

// Team is the scanners of the workers of a tree's large nodes.
type Team []*Scanner

// NewTeam returns a team of so many workers, at most one for each column.
func NewTeam(t *Task, workers, columns int) Team {
	made := make(Team, max(1, min(parallel.Workers(workers), columns)))
	for i := range made {
		made[i] = NewScanner(t)
		made[i].Worker = i
	}
	return made
}

// fanOut is the number of row-column pairs from which a node's columns are shared among workers;
// handing out work costs about as much as scanning a few hundred rows.
const fanOut = 1 << 14

// Each calls f for 0 ... n-1, on several workers if the node has many rows. Each call owns its
// column, so the result does not depend on the number of workers.
func (w Team) Each(n, rows int, f func(s *Scanner, i int)) {
	if len(w) == 1 || rows*n < fanOut {
		for i := range n {
			f(w[0], i)
		}
		return
	}
	parallel.Each(len(w), n, func(worker, i int) { f(w[worker], i) })
}
