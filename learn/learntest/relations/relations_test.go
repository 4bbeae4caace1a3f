package relations

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coppice-ml/coppice/data"
)

// TestRelations tries every relation on every subject, and compares docs/relations.md with what
// holds. In the short tier it does so for one task of a subject, the next relation for another.
func TestRelations(t *testing.T) {
	var lock sync.Mutex
	found := map[string]map[string]string{} // by subject and relation: the mark
	t.Run("of", func(t *testing.T) {
		for k, s := range subjects() {
			t.Run(s.title, func(t *testing.T) {
				t.Parallel()
				marks := tryAll(t, s, k)
				lock.Lock()
				defer lock.Unlock()
				found[s.title] = marks
			})
		}
	})
	runGenerated(t)
	if !t.Failed() && !testing.Short() && whole(found) {
		comparePage(t, page(found))
	}
}

// whole reports whether all subjects and relations were tried, not some that -run chose.
func whole(found map[string]map[string]string) bool {
	for _, s := range subjects() {
		if len(found[s.title]) != len(relations()) {
			return false
		}
	}
	return true
}

// tryAll tries all relations on the k-th subject; in the short tier every other one, so that each
// is tried on half of the subjects.
func tryAll(t *testing.T, s subject, k int) map[string]string {
	m, marks := newMade(s), map[string]string{}
	t.Run("learns", func(t *testing.T) { learns(t, m) })
	for i, r := range relations() {
		if testing.Short() && (i+k)%2 > 0 {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			tasks := m.tasks()
			if testing.Short() {
				tasks = tasks[i%len(tasks):][:1]
			}
			c := &cell{relation: &r, made: m, proven: map[*exception]bool{},
				apart: map[*exception]float64{}}
			for _, task := range tasks {
				c.try(t, task, uint64(i%2))
			}
			c.stale(t)
			marks[r.name] = c.mark
		})
	}
	return marks
}

// learns checks that models predict rows differently, so that relations compare something.
func learns(t *testing.T, m *made) {
	for _, task := range m.tasks() {
		c := m.trial(t, task, 0)
		responses := c.predict(c.of(c.weighed), c.weighed.seen())
		slices.Sort(responses)
		if n := len(slices.Compact(responses)); n < 2 {
			t.Errorf("%s: %d different numbers", task, n)
		}
	}
}

// TestExceptions checks that every learner that an exception names is there and has no earlier
// exception, and that there is a reason.
func TestExceptions(t *testing.T) {
	tasks := map[string][]data.Task{}
	for _, s := range subjects() {
		tasks[s.title] = newMade(s).tasks()
	}
	for _, r := range relations() {
		named := map[*exception]map[string]bool{}
		for title, all := range tasks {
			for _, task := range all {
				if e := r.exceptionFor(title, task); e != nil {
					if named[e] == nil {
						named[e] = map[string]bool{}
					}
					named[e][title] = true
				}
			}
		}
		for i := range r.except {
			e := &r.except[i]
			titles := strings.Fields(e.of)
			for _, title := range titles {
				if !named[e][title] {
					t.Errorf("%s: %s is not excepted, or already is, where %q", r.name, title, e.why)
				}
			}
			if len(named[e]) != len(titles) || e.why == "" || e.chance && e.within > 0 {
				t.Errorf("%s: an exception of %d learners, without a reason, or twice: %+v", r.name,
					len(named[e]), *e)
			}
		}
	}
}
