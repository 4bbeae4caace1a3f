package tune

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/replace"
)

// owner is a search that works at a study.
type owner struct {
	process string
	left    bool
	seen    time.Time // when this search read its last line
}

// searching has the tokens of the searches of this process that run.
var searching sync.Map

// patience is how long a claim counts whose process cannot be asked, or four times the longest test
// if that is more. The fold is then tested a second time, which changes no result. A process of
// this machine can be asked, but its number may be that of another one meanwhile.
const patience, patienceHere = time.Minute, time.Hour

// join makes this search known to the others.
func (s *study) join() error {
	searching.Store(s.token, true)
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.append(joined{s.token, replace.Process()})
	return cmp.Or(err, s.update())
}

// leave ends the claims of this search. If the line cannot be written, others find out otherwise.
func (s *study) leave() {
	searching.Delete(s.token)
	if s.path != "" {
		_ = s.append(left{s.token})
	}
}

func (s *study) joins(token, process string) {
	s.owners[token] = &owner{process: process, seen: outside.Now()}
}

func (s *study) leaves(token string) {
	if o := s.owners[token]; o != nil {
		o.left = true
	}
}

func (s *study) shows(token string) {
	if o := s.owners[token]; o != nil {
		o.seen = outside.Now()
	}
}

// works reports whether a search has not ended. One of which there is no new line for too long has.
func (s *study) works(token string) bool {
	o := s.owners[token]
	if token == s.token {
		return true
	}
	if o == nil || o.left || replace.Ended(o.process) {
		return false
	}
	if o.process == replace.Process() {
		_, runs := searching.Load(token)
		return runs
	}
	most := max(patience, time.Duration(4*min(s.longest, 1e6)*float64(time.Second)))
	if replace.Here(o.process) {
		most = max(most, patienceHere)
	}
	return outside.Since(o.seen) < most
}

// searches returns how many searches work at the study.
func (s *study) searches() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 1
	for token := range s.owners {
		if token != s.token && s.works(token) {
			n++
		}
	}
	return n
}

// holder returns the search whose claim of a place counts, the first that works; "" = none.
func (s *study) holder(p place) string {
	for _, token := range s.claims[p] {
		if s.works(token) {
			return token
		}
	}
	return ""
}

// free reports whether a place has no result, and nobody works at it.
func (s *study) free(p place) bool {
	_, done := s.results[p]
	holder := s.holder(p)
	return !done && !s.held[p] && (holder == "" || holder == s.token)
}

// take claims the first free fold of a job. It returns -1 if there is none, or a fold has failed.
func (s *study) take(j *job) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for fold := len(j.Tests); fold < j.folds && !s.failed(j); fold++ {
		p := place{j.Number, fold}
		if !s.free(p) {
			continue
		}
		if s.path != "" {
			if err := cmp.Or(s.append(claim{s.token, p}), s.update()); err != nil {
				return -1, err
			}
			if !s.free(p) || s.holder(p) != s.token {
				continue
			}
		}
		s.held[p] = true
		return fold, nil
	}
	return -1, nil
}

// record adds a result to the study.
func (s *study) record(r result) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, r.place)
	if s.path == "" {
		s.keep(r)
		return nil
	}
	return cmp.Or(s.append(r), s.update())
}

// refresh reads what other searches wrote.
func (s *study) refresh() error {
	if s.path == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.update()
}

// failed reports whether a fold of a job has failed.
func (s *study) failed(j *job) bool {
	for fold := len(j.Tests); fold < j.folds; fold++ {
		if s.results[place{j.Number, fold}].Error != "" {
			return true
		}
	}
	return false
}

// choice returns the learner and the settings of a trial that has results.
func (s *study) choice(number int) (Trial, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, ok := s.choices[number]
	return t, ok
}

// of returns the results of a job that there are, in the order of the folds, and whether they are
// all.
func (s *study) of(j *job) (results []result, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for fold := len(j.Tests); fold < j.folds; fold++ {
		if r, ok := s.results[place{j.Number, fold}]; ok {
			results = append(results, r)
		}
	}
	return results, len(results) == j.folds-len(j.Tests)
}

// anyFree reports whether take would find a fold of a job.
func (s *study) anyFree(j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for fold := len(j.Tests); fold < j.folds; fold++ {
		if s.free(place{j.Number, fold}) {
			return !s.failed(j)
		}
	}
	return false
}

// state returns how many folds of a job have no result, and whether somebody works at one or has
// tested one.
func (s *study) state(j *job) (missing int, begun bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for fold := len(j.Tests); fold < j.folds; fold++ {
		p := place{j.Number, fold}
		_, done := s.results[p]
		if !done {
			missing++
		}
		begun = begun || done || s.holder(p) != ""
	}
	return missing, begun
}

// append writes a line by one call, which other processes cannot divide.
func (s *study) append(v any) error {
	line, err := summed(v)
	if err != nil {
		return err
	}
	f, err := outside.OpenForWriting(s.path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("cannot write the study: %w", err)
	}
	defer f.Close()
	if cut, err := unfinished(f); err != nil {
		return fmt.Errorf("cannot read the study: %w", err)
	} else if cut {
		line = append([]byte(torn), line...)
	}
	if _, err := f.Write(line); err != nil {
		return fmt.Errorf("cannot write the study %s: %w", s.path, err)
	}
	return nil
}

// unfinished reports whether the last line of a file has no end.
func unfinished(f *outside.File) (bool, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	_, err = f.ReadAt(last[:], info.Size()-1)
	return last[0] != '\n', err
}

// The times between two looks at the file by a search that waits for others.
const shortWait, longWait = 2 * time.Millisecond, 250 * time.Millisecond

// wait returns after a while, which is longer each time until the file has more lines.
func (s *study) wait(ctx context.Context) error {
	if s.waitedAt != s.read {
		s.waitedAt, s.pause = s.read, shortWait
	}
	next := outside.After(s.pause)
	s.pause = min(2*s.pause, longWait)
	select {
	case <-next:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
