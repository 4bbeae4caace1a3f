package native

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
)

// writeMachine returns the file of codectest.FullMachine with its header and arrays changed.
func writeMachine(t testing.TB, edit func(*header, *machineSums)) []byte {
	t.Helper()
	m := codectest.FullMachine()
	h := headerOf(t, m)
	s := newMachineSums(m)
	edit(h, s)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("svm", s.arrays()))
}

func TestHostileMachines(t *testing.T) {
	refuseEdits(t, codectest.FullMachine(), writeMachine, []edited[*machineSums]{
		{"no kernel", func(h *header, _ *machineSums) { h.Kernel = nil }, `the header has no "kernel"`},
		{"kernel of another type", func(h *header, _ *machineSums) { h.Kernel = raw(`"rbf"`) }, "cannot unmarshal"},
		{"negative gamma", func(h *header, _ *machineSums) { h.Kernel = raw(`{"kind":"rbf","gamma":-1}`) }, "gamma is -1"},
		{"no gamma", func(h *header, _ *machineSums) { h.Kernel = raw(`{"kind":"rbf"}`) }, "gamma is 0"},
		{"gamma of a linear kernel", func(h *header, _ *machineSums) { h.Kernel = raw(`{"kind":"linear","gamma":1}`) }, "numbers of its own"},
		{"coef0 too large", func(h *header, _ *machineSums) { h.Kernel = raw(`{"kind":"sigmoid","gamma":1,"coef0":1e300}`) }, "coef0 is 1e+300"},
		{"no degree", func(h *header, _ *machineSums) { h.Kernel = raw(`{"kind":"poly","gamma":1}`) }, "the degree is 0"},
		{"degree too large", func(h *header, _ *machineSums) { h.Kernel = raw(`{"kind":"poly","gamma":1,"degree":2000000000}`) }, "the degree is 2000000000"},
		{"degree of another kernel", func(h *header, _ *machineSums) { h.Kernel = raw(`{"kind":"rbf","gamma":1,"degree":3}`) }, "the degree is 3"},
		{"no scores", func(_ *header, s *machineSums) { s.bias = nil }, "no score"},
		{"three scores", func(_ *header, s *machineSums) { s.bias = append(s.bias, 1) }, "3 scores for 2 classes"},
		{"scores of numbers", func(h *header, _ *machineSums) { h.Task, h.Classes, h.Costs = data.Regression, nil, nil }, "2 scores for a number"},
		{"odd coefficients", func(_ *header, s *machineSums) { s.coef = s.coef[1:] }, "3 coefficients for 2 scores"},
		{"fewer coefficients", func(_ *header, s *machineSums) { s.coef = s.coef[2:] }, "10 numbers in 1 vectors"},
		{"fewer vectors", func(_ *header, s *machineSums) { s.vectors = s.vectors[:9] }, "9 numbers in 2 vectors"},
		{"vector with NaN", func(_ *header, s *machineSums) { s.vectors[1] = math.NaN() }, "a vector has the value NaN"},
		{"coefficient without end", func(_ *header, s *machineSums) { s.coef[1] = 1e101 }, "a coefficient has the value 1e+101"},
		{"infinite start value", func(_ *header, s *machineSums) { s.bias[1] = math.Inf(1) }, "a start value has the value +Inf"},
		{"anomalies", func(h *header, _ *machineSums) { h.Task, h.Costs, h.Threshold = data.Anomaly, nil, 0.5 }, "cannot predict the task anomaly"},
		{"encoding", func(_ *header, s *machineSums) { s.encoding.field[0] = 99 }, "is field 99 of 4"},
	})
	var unsupported *codec.UnsupportedError
	for want, edit := range map[string]func(*header, *machineSums){
		`there is no kernel "laplace": want linear|rbf|poly|sigmoid: use a newer program`: func(h *header, _ *machineSums) { h.Kernel = raw(`{"kind":"laplace"}`) },
		`unknown link "mine"`: func(h *header, _ *machineSums) { h.Link = "mine" },
	} {
		if _, err := decodeBytes(writeMachine(t, edit)); !errors.As(err, &unsupported) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an unsupported file and %q", err, want)
		}
	}
}
