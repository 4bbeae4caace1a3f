package portfolio

import (
	"sync/atomic"
	"time"
)

// pace is how long configurations have taken, by which a time as the budget is kept. The goroutines
// that begin units read it while another one adds to it.
//
//	|-- default --|-- configurations on the folds ----------|-- trained again --|
//	start                              timeToSearch ^  ^ cut                    ^ the budget
//
// Configurations begin as long as the quickest one so far would end in time. One that does not is
// cut a twentieth of the budget later, and left out.
type pace struct {
	sideBySide int          // units that run at the same time
	quickest   atomic.Int64 // least time of a configuration on all folds; 0 = none has ended
	again      atomic.Int64 // time in which all so far would be trained again on all rows
}

// add adds a configuration that was tried on so many folds.
func (p *pace) add(t *tried, folds int) {
	took := int64(t.took) / int64(max(1, p.sideBySide))
	if t.err == nil && (p.quickest.Load() == 0 || took < p.quickest.Load()) {
		p.quickest.Store(took)
	}
	rows := 1 / (1 - latest) // of all rows to those of the training that is not the latest rows
	if folds > 1 {
		rows = float64(folds) / float64(folds-1)
	}
	p.again.Add(int64(float64(t.took) / float64(folds) * rows))
}

// overtime is how much later than planned a configuration is cut.
func overtime(budget time.Duration) time.Duration { return budget / 20 }

// timeToSearch is the time from the start in which configurations are to end. What were selected
// are then trained again, if they are: half of the budget is for that, or less where all take less.
func (j *job) timeToSearch() time.Duration {
	limit := j.budget.Time
	if j.refit {
		limit -= min(limit/2, time.Duration(j.pace.again.Load()))
	}
	return limit
}

// late reports whether no configuration would end in time.
func (j *job) late(spent time.Duration) bool {
	return j.budget.Time > 0 && spent+time.Duration(j.pace.quickest.Load()) > j.timeToSearch()
}
