package portfolio

import (
	"testing"
	"time"

	"github.com/coppice-ml/coppice/learn"
)

// Configurations begin while the quickest one would end in time. What is to be trained again takes
// from that time what it will need, and half at most.
func TestPace(t *testing.T) {
	j := &job{fitter: &fitter{learner: Learner{}}}
	j.fitter.budget = learn.Budget{Time: 100 * time.Second}
	j.pace.sideBySide = 2
	if j.late(99 * time.Second) {
		t.Error("nothing has ended, and 99 s of 100 s are late")
	}
	j.pace.add(&tried{took: 40 * time.Second}, 5)
	j.pace.add(&tried{took: 20 * time.Second}, 5)
	if j.late(90*time.Second) || !j.late(91*time.Second) {
		t.Errorf("the quickest takes 10 s: 90 s are late %v, 91 s %v", j.late(90*time.Second),
			j.late(91*time.Second))
	}
	j.refit = true // both again: (40 + 20) / 5 * 5/4 = 15 s
	if j.late(75*time.Second) || !j.late(76*time.Second) {
		t.Errorf("with 15 s at the end, 75 s are late %v, 76 s %v", j.late(75*time.Second),
			j.late(76*time.Second))
	}
	j.pace.add(&tried{took: 1000 * time.Second}, 5)
	if got := j.timeToSearch(); got != 50*time.Second {
		t.Errorf("%v to search, want half", got)
	}
}
