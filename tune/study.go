package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/replace"
)

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

// headerStart begins each study, damaged or not.
const headerStart = `{"coppice_study":`

const studyVersion = 2

// study is the tests of trials, in a file of lines that several searches append to, or in memory.
// The first result of a place counts. Results of one place are equal, whoever computes them, so a
// search may do again what it finds no result of: after a kill, after damage, or by mistake.
//
// A line appears whole or not at all, except at the end of the file: a process was killed while it
// wrote there. Such a line is ended, and ignored.
type study struct {
	path   string // "" = in memory
	head   []byte // the first line
	spaces []space
	token  string // of this search

	mu      sync.Mutex
	read    int64 // bytes of the file, whole lines
	lines   int   // that were read
	damaged int   // of these
	results map[place]result
	choices map[int]Trial      // learners and settings of trials that have results
	claims  map[place][]string // tokens, in the order of the file
	held    map[place]bool     // what goroutines of this search test
	owners  map[string]*owner  // searches by their tokens
	longest float64            // seconds of a test

	waitedAt int64 // of read, at the last wait
	pause    time.Duration
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

// openStudy opens or makes the file of a study, and joins it; a path "" is a study in memory.
func openStudy(path string, h header, spaces []space) (*study, error) {
	s := &study{path: path, spaces: spaces, token: fmt.Sprintf("%016x", rand.Uint64()),
		results: map[place]result{}, choices: map[int]Trial{}, claims: map[place][]string{},
		held: map[place]bool{}, owners: map[string]*owner{}}
	if path == "" {
		return s, nil
	}
	line, err := summed(h)
	if err != nil {
		return nil, err
	}
	// Of several processes that start together one makes the file, and no other sees it without its
	// header.
	if err := replace.New(path, line); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("cannot write the study %s: %w", path, err)
	}
	if err := s.check(h); err != nil {
		return nil, err
	}
	if err := s.join(); err != nil {
		s.leave()
		return nil, err
	}
	return s, nil
}

// check compares the header of the file with that of this search.
func (s *study) check(want header) error {
	all, err := outside.ReadFile(s.path)
	if err != nil {
		return fmt.Errorf("cannot read the study: %w", err)
	}
	end := bytes.IndexByte(all, '\n') + 1
	line := all[:end]
	var form struct {
		Version int `json:"coppice_study"`
	}
	readable := json.Unmarshal(line, &form) == nil && form.Version != 0
	var got header
	differs := func(what string, got, want any) error {
		return &StudyError{Path: s.path, Reason: fmt.Sprintf("it is of %s %v, this search of %v: name "+
			"another file", what, got, want)}
	}
	switch {
	case readable && form.Version != want.Version:
		return differs("version", form.Version, want.Version)
	case !readable && !bytes.HasPrefix(all, []byte(headerStart)):
		return &StudyError{Path: s.path, Reason: "the file is no study: name another one"}
	case !readable || !intact(line) || json.Unmarshal(line, &got) != nil:
		return &StudyError{s.path, 1, "the line is damaged, and says what the trials are of: name " +
			"another file"}
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
	s.head, s.read, s.lines = bytes.Clone(line), int64(end), 1
	return nil
}

// update reads the lines that the file has more than before. It holds the lock.
func (s *study) update() error {
	f, err := outside.OpenFile(s.path)
	if err != nil {
		return fmt.Errorf("cannot read the study: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("cannot read the study: %w", err)
	}
	if info.Size() == s.read {
		return nil
	}
	head := make([]byte, len(s.head))
	if _, err := f.ReadAt(head, 0); info.Size() < s.read || err != nil || !bytes.Equal(head, s.head) {
		return &StudyError{Path: s.path, Reason: "the file was replaced while the search ran"}
	}
	more, err := io.ReadAll(io.NewSectionReader(f, s.read, info.Size()-s.read))
	if err != nil {
		return fmt.Errorf("cannot read the study: %w", err)
	}
	for line := range bytes.Lines(more) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break // somebody writes it at this moment, or was killed there
		}
		s.read += int64(len(line))
		s.lines++
		if err := s.enter(line); err != nil {
			return err
		}
	}
	return nil
}

// torn ends a line that a killed process did not finish.
const torn = "#\n"

// enter takes over a line of the file. A damaged one is left out: what it said is done again.
func (s *study) enter(line []byte) error {
	e := readEntry(line)
	switch {
	case e == nil && bytes.HasSuffix(line, []byte(torn)):
	case e == nil:
		s.damaged++
	case e.Joined != "":
		s.joins(e.Joined, e.Process)
	case e.Left != "":
		s.leaves(e.Left)
	case e.Claim != "":
		s.claims[e.place] = append(s.claims[e.place], e.Claim)
		s.shows(e.Claim)
	default:
		if reason := s.checkResult(&e.result); reason != "" {
			return &StudyError{s.path, s.lines, reason}
		}
		s.keep(e.result)
	}
	return nil
}

// keep takes over the first result of a place.
func (s *study) keep(r result) {
	delete(s.held, r.place)
	if _, known := s.results[r.place]; !known {
		s.results[r.place] = r
		s.choices[r.Trial] = Trial{Number: r.Trial, Learner: r.Learner, Settings: r.Settings}
		s.longest = max(s.longest, r.Seconds)
	}
}

// checkResult returns why a result cannot be one of the search, "" if it can.
func (s *study) checkResult(r *result) string {
	at := slices.IndexFunc(s.spaces, func(s space) bool { return s.candidate.Name == r.Learner })
	if at < 0 {
		return fmt.Sprintf("the trial is of %q, which is not searched", r.Learner)
	}
	if first, ok := s.choices[r.Trial]; ok {
		if first.Learner != r.Learner || !slices.Equal(first.Settings, r.Settings) {
			return fmt.Sprintf("a line before it has other settings of trial %d", r.Trial)
		}
		return ""
	}
	l, err := s.spaces[at].candidate.learner(r.Settings)
	if err != nil {
		return err.Error()
	}
	for i := range s.spaces[at].all {
		d := &s.spaces[at].all[i]
		v := d.value(r.Settings)
		if p := l.Params().Lookup(d.name); v != "" && p == nil {
			return fmt.Sprintf("the trial sets %s, which does not exist", d.name)
		}
	}
	return ""
}
