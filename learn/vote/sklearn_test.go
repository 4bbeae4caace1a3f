package vote_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/fitting"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
)

// frozen is what testdata/freeze.py wrote.
type frozen struct {
	Weights []float64
	Classes struct {
		Members                   [][][]float64
		Label, Soft, Hard         []uint32
		WeightedSoft              []uint32    `json:"weighted_soft"`
		WeightedHard              []uint32    `json:"weighted_hard"`
		SoftProbabilities         [][]float64 `json:"soft_probabilities"`
		WeightedSoftProbabilities [][]float64 `json:"weighted_soft_probabilities"`
	}
	Numbers struct {
		Members            [][]float64
		Label, Mean, Ranks []float64
		WeightedMean       []float64 `json:"weighted_mean"`
		WeightedRanks      []float64 `json:"weighted_ranks"`
	}
}

func readFrozen(t *testing.T) *frozen {
	return reference.Read[frozen](t,
		"testdata/sklearn.json.gz")
}

// prediction is a model whose response is columns of the table.
type prediction struct {
	meta    model.Spec
	columns []int
	label   bool
}

func (m *prediction) Spec() *model.Spec { return &m.meta }
func (m *prediction) Outputs() int      { return len(m.columns) }

func (*prediction) Describe() model.Description { return model.Description{} }

func (*prediction) Children() []model.Child { return nil }

func (m *prediction) Width() int {
	if m.label {
		return 1
	}
	return len(m.columns)
}

func (m *prediction) Bind(_ *data.Schema, o model.Options) (model.Predictor, error) {
	return &prediction{m.meta, m.columns, o.Output == model.Label && m.meta.Labels()}, nil
}

func (m *prediction) PredictSparse([]float64, []int32, []float64) error {
	return errors.New("not called")
}

func (m *prediction) PredictRow(dst, row []float64) error {
	response := make([]float64, len(m.columns))
	for k, c := range m.columns {
		response[k] = row[c]
	}
	if m.label {
		response = []float64{float64(m.meta.Decision.Label(response))}
	}
	copy(dst, response)
	return nil
}

func (m *prediction) Predict(dst []float64, f *data.Frame, rows []int32) error {
	values := make([]float64, len(f.Columns))
	for i, r := range rows {
		for c := range values {
			values[c] = f.Columns[c].Number(int(r))
		}
		if err := m.PredictRow(dst[i*m.Width():(i+1)*m.Width()], values); err != nil {
			return err
		}
	}
	return nil
}

// reported returns a table of the predictions of three members, and those members.
func reported(t *testing.T, target data.Target,
	columns [][]float64) (*data.Dataset, []learn.Member) {
	t.Helper()
	var s data.Schema
	var all []data.Column
	for i, c := range columns {
		s.Fields, all = append(s.Fields, data.Field{Name: fmt.Sprint("c", i)}),
			append(all, data.Numbers(c))
	}
	f, err := data.NewFrame(s, all)
	if err != nil {
		t.Fatal(err)
	}
	each := len(columns) / 3
	var members []learn.Member
	for i := range 3 {
		m := &prediction{meta: model.Spec{Schema: s, Task: target.Task, Classes: target.Classes}}
		for k := range each {
			m.columns = append(m.columns, i*each+k)
		}
		members = append(members, learn.Member{Name: string(rune('a' + i)), Model: m})
	}
	return &data.Dataset{Frame: f, Target: target}, members
}

// voted returns the prediction of a vote of models, as Raw or as Label.
func voted(t *testing.T, ds *data.Dataset, members []learn.Member, how vote.Vote, weights string,
	o model.Output) []float64 {
	t.Helper()
	l := vote.New(nil)
	l.Members.List, l.Vote, l.Weights = members, how, weights
	f, err := l.Prepare(t.Context(), ds.Frame, nil, nil, learn.Env{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Fit(t.Context(), &ds.Target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	_, values, err := fitting.PredictRows(m, ds.Frame, data.AllRows(ds.Rows()), o, 1)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func near(t *testing.T, what string, got, want []float64, slack float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > slack*max(1, math.Abs(want[i])) {
			t.Fatalf("%s: value %d is %.17g, want %.17g", what, i, got[i], want[i])
		}
	}
}

func TestVotesOfScikitLearn(t *testing.T) {
	z := readFrozen(t)
	weights := fmt.Sprintf("a=%g,b=%g,c=%g", z.Weights[0], z.Weights[1], z.Weights[2])
	c := &z.Classes
	var columns [][]float64
	for _, m := range c.Members {
		for k := range 3 {
			column := make([]float64, len(m))
			for row := range m {
				column[row] = m[row][k]
			}
			columns = append(columns, column)
		}
	}
	ds, members := reported(t, data.Target{Name: "y", Task: data.Multiclass,
		Classes: []string{"p", "q", "r"}, Class: c.Label}, columns)
	flat := func(rows [][]float64) (all []float64) {
		for _, r := range rows {
			all = append(all, r...)
		}
		return all
	}
	numbers := func(labels []uint32) (all []float64) {
		for _, l := range labels {
			all = append(all, float64(l))
		}
		return all
	}
	near(t, "soft probabilities", voted(t, ds, members, vote.VoteProbability, "", model.Response),
		flat(c.SoftProbabilities), 1e-14)
	near(t, "weighted probabilities", voted(t, ds, members, vote.VoteProbability, weights, model.Response),
		flat(c.WeightedSoftProbabilities), 1e-14)
	near(t, "soft", voted(t, ds, members, vote.VoteProbability, "", model.Label), numbers(c.Soft),
		0)
	near(t, "weighted soft", voted(t, ds, members, vote.VoteProbability, weights, model.Label),
		numbers(c.WeightedSoft), 0)
	near(t, "hard", voted(t, ds, members, vote.VoteMajority, "", model.Label), numbers(c.Hard), 0)
	near(t, "weighted hard", voted(t, ds, members, vote.VoteMajority, weights, model.Label),
		numbers(c.WeightedHard), 0)

	n := &z.Numbers
	ds, members = reported(t, data.Target{Name: "y", Task: data.Regression,
		Y: [][]float64{n.Label}}, n.Members)
	near(t, "mean", voted(t, ds, members, vote.VoteProbability, "", model.Response), n.Mean, 1e-14)
	near(t, "weighted mean", voted(t, ds, members, vote.VoteMajority, weights, model.Response),
		n.WeightedMean, 1e-14)
	near(t, "ranks", voted(t, ds, members, vote.VoteRanks, "", model.Raw), n.Ranks, 1e-14)
	near(t, "weighted ranks", voted(t, ds, members, vote.VoteRanks, weights, model.Raw),
		n.WeightedRanks, 1e-14)
}
