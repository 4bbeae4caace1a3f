package boost

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/learn"
	report "github.com/coppice-ml/coppice/model/training"
)

// stateVersion is the version of a state. A state is what training needs beside the trees to resume
// to the same bytes:
//
//	length of the head (varint) | head (JSON) | raw scores by matrix row | of the validation set |
//	of the supporting models of ordered boosting
//
// Scores are stored, not computed from the trees again, since sums in another order have other
// bits.
const stateVersion = 2

// Head is what a state begins with.
type Head struct {
	Version int    `json:"version"`
	Seed    uint64 `json:"seed"`
	// checksum of the columns, derived ones too, labels, weights and initial scores of all rows
	Data    uint32    `json:"data"`
	Before  int       `json:"before"`          // rounds of the model that training continues
	First   int       `json:"first"`           // trees of that model
	Stub    int       `json:"stub"`            // rounds at the end that split nothing
	Weights []float64 `json:"weights"`         // of the trees, where they have some
	AtBest  []float64 `json:"weights_at_best"` // as they were at the best round
	// how the number of rounds was chosen, where it was
	Chosen *report.Choice `json:"chosen"`
	// how values of parameters were, where they were
	Rehearsal *report.Rehearsal `json:"rehearsal,omitempty"`
	report.Log
}

// header is a head, alone or embedded in one that has more.
type header interface{ base() *Head }

func (h *Head) base() *Head { return h }

// ErrState is the error of a state that no training has made.
var ErrState = errors.New("the state of the checkpoint is damaged: resume from another one")

// checkpoint returns the model so far with its state.
func (b *Training) checkpoint() (*learn.Checkpoint, error) {
	e := b.ensemble
	h := Head{Seed: b.setup.Job.Seed, Data: b.Checksum(), Before: e.before,
		First: e.first, Stub: b.watch.stubs,
		Weights: e.model.Weights, AtBest: e.bestWeights, Chosen: b.setup.Choice,
		Rehearsal: b.setup.Rehearsal, Log: b.watch.Log}
	state, err := AppendHead(nil, &h)
	if err != nil {
		return nil, err
	}
	state = b.AppendState(state)
	m := *e.model
	// a caller that resumes from it appends to memory of its own
	m.Trees, m.Output = slices.Clip(m.Trees), slices.Clip(m.Output)
	m.Weights = slices.Clone(m.Weights)
	if err := b.describe(&m); err != nil {
		return nil, err
	}
	return &learn.Checkpoint{Model: &m, State: state}, nil
}

// AppendHead appends a head to a state.
func AppendHead(state []byte, h header) ([]byte, error) {
	h.base().Version = stateVersion
	text, err := json.Marshal(h)
	return append(binary.AppendUvarint(state, uint64(len(text))), text...), err
}

// ReadHead reads the head of a state, and returns what follows it.
func ReadHead(state []byte, h header) ([]byte, error) {
	size, n := binary.Uvarint(state)
	if n <= 0 || size > uint64(len(state)-n) {
		return nil, ErrState
	}
	if json.Unmarshal(state[n:n+int(size)], h) != nil {
		return nil, ErrState
	}
	if h.base().Version != stateVersion {
		return nil, errors.New("the checkpoint was made by another version of the program: " +
			"train anew")
	}
	return state[n+int(size):], nil
}

// stored returns the scores that a state holds.
func (s *scores) stored() [][]float64 {
	if s.valid == nil {
		return [][]float64{s.raw}
	}
	return [][]float64{s.raw, s.valid.Raw}
}

// AppendState appends the scores to a state, and those of supporting models.
func (b *Training) AppendState(state []byte) []byte {
	for _, raw := range append(b.scores.stored(), b.supports.stored()...) {
		for _, v := range raw {
			state = binary.LittleEndian.AppendUint64(state, math.Float64bits(v))
		}
	}
	return state
}

// readState reads the scores that a state begins with, and returns what follows them.
func (b *Training) readState(state []byte) ([]byte, error) {
	for _, raw := range append(b.scores.stored(), b.supports.stored()...) {
		if len(state) < 8*len(raw) {
			return nil, ErrState
		}
		for i := range raw {
			raw[i] = math.Float64frombits(binary.LittleEndian.Uint64(state[8*i:]))
		}
		state = state[8*len(raw):]
	}
	b.scores.follow.put(b.scores)
	return state, nil
}

// ChoiceOf returns how the number of rounds was chosen in the training of a state, nil if it was
// not, and the rehearsal before it.
func ChoiceOf(state []byte) (*report.Choice, *report.Rehearsal, error) {
	h := &Head{}
	if _, err := ReadHead(state, h); err != nil {
		return nil, nil, err
	}
	if c := h.Chosen; c != nil && (c.Rounds < 1 || !(c.Rate > 0 && c.Rate <= 1)) {
		return nil, nil, ErrState
	}
	return h.Chosen, h.Rehearsal, nil
}

// Checksum returns the checksum of the data of a training. It is computed once.
func (b *Training) Checksum() uint32 {
	if b.sum == 0 {
		b.sum = b.table.Checksum(&b.setup.Request, len(b.ensemble.model.Bias))
	}
	return b.sum
}
