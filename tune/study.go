package tune

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/replace"
)

// Trial is one choice of learner and settings, with what was measured of it.
type Trial struct {
	Number  int    `json:"trial"` // from 0
	Learner string `json:"learner"`
	// Settings are KEY=VALUE, without those that the caller fixed; the first trial has none.
	Settings []string `json:"settings"`
	// Tests has the metric of each fold that was tested, in the order of the folds.
	Tests   []float64 `json:"tests"`
	Seconds float64   `json:"seconds"` // of the trainings and tests
	Error   string    `json:"error,omitempty"`
}

// Mean returns the mean of the tests.
func (t *Trial) Mean() float64 { return mean(t.Tests) }

// header is the first line of a study: what all its trials have in common.
type header struct {
	Version  int            `json:"coppice_study"`
	Table    data.Hash      `json:"table"` // of the rows that are tested
	Metric   string         `json:"metric"`
	Sampler  Sampler        `json:"sampler"`
	Folds    int            `json:"folds"`
	Plan     split.Kind     `json:"plan"`
	Seed     uint64         `json:"seed"`
	Learners []learnerFixed `json:"learners"`
}

type learnerFixed struct {
	Name  string   `json:"name"`
	Fixed []string `json:"fixed,omitempty"`
}

const studyVersion = 1

// claim is a line by which a process takes a trial, or more folds of one. The first claim of a
// process that has not ended wins, so that no two work at the same.
type claim struct {
	Token   string `json:"claim"` // of the process
	Trial   int    `json:"number"`
	Folds   int    `json:"folds"`
	Process string `json:"process"`
}

// study is a list of trials, in a file of lines that several processes append to, or in memory.
//
//	{"coppice_study":1,"table":"...","metric":"logloss",...}
//	{"claim":"...","number":0,"folds":5,"process":"..."}
//	{"trial":0,"learner":"gbm","settings":[],"tests":[0.31,0.28,...],"seconds":1.2}
//
// A line appears whole or not at all, except at the end of the file: a process was killed while it
// wrote there. Such a line is ended, and ignored.
type study struct {
	path   string // "" = in memory
	trials []Trial
	claims []claim
}

// StudyError reports a file that is no study, or one of something else.
type StudyError struct {
	Path   string
	Line   int // from 1; 0 = no line in particular
	Reason string
}

func (e *StudyError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("study %s, line %d: %s", e.Path, e.Line, e.Reason)
	}
	return fmt.Sprintf("study %s: %s", e.Path, e.Reason)
}

// openStudy opens or makes the file of a study; a path "" is a study in memory.
func openStudy(path string, h header, spaces []space) (*study, error) {
	s := &study{path: path}
	if path == "" {
		return s, nil
	}
	line, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	// Of several processes that start together one makes the file, and no other sees it without its
	// header.
	if err := replace.New(path, append(line, '\n')); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("cannot write the study %s: %w", path, err)
	}
	if err := s.check(h); err != nil {
		return nil, err
	}
	return s, s.read(spaces)
}

// check compares the header of the file with that of this search.
func (s *study) check(want header) error {
	f, err := outside.OpenFile(s.path)
	if err != nil {
		return fmt.Errorf("cannot read the study: %w", err)
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadSlice('\n')
	var got header
	if err != nil || json.Unmarshal(line, &got) != nil || got.Version == 0 {
		return &StudyError{Path: s.path, Reason: "the file is no study: name another one"}
	}
	differs := func(what string, got, want any) error {
		return &StudyError{Path: s.path, Reason: fmt.Sprintf("it is of %s %v, this search of %v: name "+
			"another file", what, got, want)}
	}
	switch {
	case got.Version != want.Version:
		return differs("version", got.Version, want.Version)
	case got.Table != want.Table:
		return differs("rows with the hash", got.Table, want.Table)
	case got.Metric != want.Metric:
		return differs("the metric", got.Metric, want.Metric)
	case got.Sampler != want.Sampler:
		return differs("the sampler", got.Sampler, want.Sampler)
	case got.Folds != want.Folds || got.Plan != want.Plan:
		return differs("folds", fmt.Sprintf("%d %s", got.Folds, got.Plan),
			fmt.Sprintf("%d %s", want.Folds, want.Plan))
	case got.Seed != want.Seed:
		return differs("the seed", got.Seed, want.Seed)
	case !slices.EqualFunc(got.Learners, want.Learners, func(a, b learnerFixed) bool {
		return a.Name == b.Name && slices.Equal(a.Fixed, b.Fixed)
	}):
		return differs("learners", got.Learners, want.Learners)
	}
	return nil
}

// read reads all lines of the file again.
func (s *study) read(spaces []space) error {
	if s.path == "" {
		return nil
	}
	all, err := outside.ReadFile(s.path)
	if err != nil {
		return fmt.Errorf("cannot read the study: %w", err)
	}
	s.trials, s.claims = nil, nil
	number := 0
	for line := range bytes.Lines(all) {
		if number++; number == 1 {
			continue
		}
		whole := bytes.HasSuffix(line, []byte("\n"))
		var entry struct {
			claim
			Trial *int `json:"trial"`
		}
		if json.Unmarshal(line, &entry) != nil {
			if !whole || len(bytes.TrimSpace(line)) == 0 || bytes.HasSuffix(line, []byte(torn)) {
				continue
			}
			return &StudyError{s.path, number, "the line is damaged"}
		}
		if entry.Trial == nil {
			s.claims = append(s.claims, entry.claim)
			continue
		}
		var t Trial
		if err := json.Unmarshal(line, &t); err != nil {
			return &StudyError{s.path, number, "the line is damaged"}
		}
		if reason := checkTrial(&t, spaces); reason != "" {
			return &StudyError{s.path, number, reason}
		}
		s.enter(t)
	}
	return nil
}

// torn ends a line that a killed process did not finish.
const torn = "#\n"

// checkTrial returns why a trial cannot be one of the search, "" if it can.
func checkTrial(t *Trial, spaces []space) string {
	at := slices.IndexFunc(spaces, func(s space) bool { return s.candidate.Name == t.Learner })
	if at < 0 {
		return fmt.Sprintf("the trial is of %q, which is not searched", t.Learner)
	}
	if len(t.Tests) == 0 && t.Error == "" {
		return "the trial has no tests"
	}
	l, err := spaces[at].candidate.learner(t.Settings)
	if err != nil {
		return err.Error()
	}
	for i := range spaces[at].all {
		d := &spaces[at].all[i]
		v := d.value(t.Settings)
		if p := l.Params().Lookup(d.name); v != "" && p == nil {
			return fmt.Sprintf("the trial sets %s, which does not exist", d.name)
		}
	}
	return ""
}

// enter adds a trial, in the place of what was known of it before.
func (s *study) enter(t Trial) {
	if i := slices.IndexFunc(s.trials, func(o Trial) bool { return o.Number == t.Number }); i >= 0 {
		if len(t.Tests) >= len(s.trials[i].Tests) {
			s.trials[i] = t
		}
		return
	}
	s.trials = append(s.trials, t)
	slices.SortFunc(s.trials, func(a, b Trial) int { return a.Number - b.Number })
}

// add appends a trial to the study.
func (s *study) add(t Trial) error {
	s.enter(t)
	return s.append(t)
}

// append writes a line by one call, which other processes cannot divide.
func (s *study) append(v any) error {
	if s.path == "" {
		return nil
	}
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	f, err := outside.OpenForWriting(s.path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("cannot write the study: %w", err)
	}
	defer f.Close()
	line = append(line, '\n')
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

// taken reports whether a process that has not ended works at folds of a trial. The claim of token
// does not count.
func (s *study) taken(number, folds int, token string) bool {
	return slices.ContainsFunc(s.claims, func(c claim) bool {
		return c.Trial == number && c.Folds == folds && c.Token != token && !replace.Ended(c.Process)
	})
}

// running returns how many trials other processes, which have not ended, work at.
func (s *study) running() int {
	at := map[int]bool{}
	for _, c := range s.claims {
		done := slices.ContainsFunc(s.trials, func(t Trial) bool {
			return t.Number == c.Trial && (t.Error != "" || len(t.Tests) >= c.Folds)
		})
		if !done && c.Process != replace.Process() && !replace.Ended(c.Process) {
			at[c.Trial] = true
		}
	}
	return len(at)
}

// first reports whether the claim of token is the first one of folds of a trial, among processes
// that have not ended.
func (s *study) first(number, folds int, token string) bool {
	for _, c := range s.claims {
		if c.Trial == number && c.Folds == folds && (c.Token == token || !replace.Ended(c.Process)) {
			return c.Token == token
		}
	}
	return true // a study in memory has no claims
}
