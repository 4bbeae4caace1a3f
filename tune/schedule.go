package tune

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
)

// job is the next tests of a trial: on the folds from those that Tests has up to folds.
type job struct {
	Trial
	folds int
}

// next returns the job that one process alone would do after those that were entered; nil at the
// end. It depends on nothing but their results, so several processes find the same one.
//
// Trials beyond the limit are jobs as well if a longer search has tested them.
func (s *search) next() *job {
	if s.job != nil {
		return s.job
	}
	if t, folds := s.rungs.promoted(s.trials, s.worse); t != nil {
		s.job = &job{*t, folds}
		return s.job
	}
	number := len(s.trials)
	j := &job{Trial{Number: number}, s.first(number)}
	if missing, _ := s.study.state(j); s.o.Trials > 0 && number >= s.o.Trials && missing > 0 {
		return nil
	}
	j.Trial = s.trial(number, s.trials)
	s.job = j
	return j
}

// first returns the number of folds that a trial begins with. The defaults are tested on all folds:
// so a search always has a winner.
func (s *search) first(number int) int {
	if number == 0 {
		return len(s.folds)
	}
	return s.rungs.folds[0]
}

// trial returns a trial that was not tested yet, by the trials before it. What the study has of it
// counts, as it may come from a version that proposed other settings.
func (s *search) trial(number int, before []Trial) Trial {
	if t, ok := s.study.choice(number); ok {
		return t
	}
	t := Trial{Number: number, Settings: []string{}}
	if number < len(s.spaces) { // each learner begins with its defaults
		t.Learner = s.spaces[number].candidate.Name
		return t
	}
	stream := rng.New(s.o.Seed, forTrial, uint64(number))
	at, settings := s.sampler.propose(stream, s.spaces, before, s.worse)
	if t.Learner = s.spaces[at].candidate.Name; settings != nil {
		t.Settings = settings
	}
	return t
}

// enter takes over the results of a job, and reports whether it has them all, or one that failed.
func (s *search) enter(j *job) bool {
	results, whole := s.study.of(j)
	t := j.Trial
	t.Tests = slices.Clone(t.Tests)
	for _, r := range results {
		t.Seconds += r.Seconds
		if t.Error == "" {
			t.Error = r.Error
		}
	}
	if !whole && t.Error == "" {
		return false
	}
	if t.Error == "" {
		for _, r := range results {
			t.Tests = append(t.Tests, float64(r.Test))
		}
	}
	if t.Number == len(s.trials) {
		s.trials = append(s.trials, t)
	} else {
		s.trials[t.Number] = t
	}
	s.job = nil
	return true
}

// ahead returns a job behind those that were entered of which a fold is free; nil if there is none.
// It is a trial that a search will need whatever the tests before it say.
func (s *search) ahead(j *job) *job {
	before := slices.Clone(s.trials)
	if j.Number == len(before) {
		before = append(before, j.Trial)
	}
	for number := len(before); s.o.Trials == 0 || number < s.o.Trials; number++ {
		if !s.sampler.blind(number) {
			return nil
		}
		later := &job{s.trial(number, before), s.first(number)}
		if s.study.anyFree(later) {
			return later
		}
		before = append(before, later.Trial)
	}
	return nil
}
