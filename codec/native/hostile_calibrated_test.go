package native

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
)

// writeCalibrated returns the file of a calibrated model with its header and arrays changed.
func writeCalibrated(t testing.TB, m *committee.Calibrated, edit func(*header, *calibrators)) []byte {
	t.Helper()
	h := headerOf(t, m)
	l := newCurves(m)
	l.base = memberFile(t, m.Base, &m.Meta)
	edit(h, l)
	return writeEdited(t, h, &m.Meta.Schema, arraySection("calibrated", l.arrays()))
}

func TestHostileCalibrated(t *testing.T) {
	full, tiny := codectest.FullCalibrated(), codectest.TinyCalibrated()
	of := func(m *committee.Calibrated) func(testing.TB, func(*header, *calibrators)) []byte {
		return func(t testing.TB, edit func(*header, *calibrators)) []byte { return writeCalibrated(t, m, edit) }
	}
	refuseEdits(t, tiny, of(tiny), nil)
	refuseEdits(t, full, of(full), []edited[*calibrators]{
		{"no curves", func(_ *header, l *calibrators) { *l = calibrators{base: l.base} }, "0 curves of isotonic for"},
		{"curves of another method", func(h *header, _ *calibrators) { h.Method = "none" }, "1 curves of none for"},
		{"corners of another method", func(h *header, _ *calibrators) { h.Method = "platt" }, "corners of platt"},
		{"numbers of corners", func(_ *header, l *calibrators) { l.corners = l.corners[1:] }, "numbers of corners of curves"},
		{"values of corners", func(_ *header, l *calibrators) { l.value = l.value[1:] }, "values of corners"},
		{"corners beyond the array", func(_ *header, l *calibrators) { l.corners[0] = math.MaxUint32 }, "curve 0 has 4294967295 corners"},
		{"corners of nobody", func(_ *header, l *calibrators) { l.at, l.value = append(l.at, 1), append(l.value, 1) }, "1 corners belong to no curve"},
		{"a corner that is no number", func(_ *header, l *calibrators) { l.value[0] = math.NaN() }, "is outside of [0, 1]"},
		{"a corner beyond 1", func(_ *header, l *calibrators) { l.at[len(l.at)-1] = math.Nextafter(1, 2) }, "is outside of [0, 1]"},
		{"corners that fall", func(_ *header, l *calibrators) { l.value[1] = 1 }, "does not rise"},
		{"corners at one place", func(_ *header, l *calibrators) { l.at[2] = l.at[1] }, "does not rise"},
		{"an intercept of isotonic", func(_ *header, l *calibrators) { l.intercept[0] = 1 }, "slope 0 and intercept 1 of isotonic"},
		{"a slope without end", func(_ *header, l *calibrators) { l.slope[0] = math.Inf(1) }, "slope +Inf"},
		{"another task", func(h *header, _ *calibrators) { h.Task = data.Binary }, "base: predicts multiclass"},
		{"a task without classes", func(h *header, _ *calibrators) { h.Task = data.Regression }, "the task is regression"},
		{"no base", func(_ *header, l *calibrators) { l.base = nil }, "(base, head, byte "},
		{"damaged base", func(_ *header, l *calibrators) { l.base[headSize+30]++ }, "(base, header, byte "},
		{"other classes", func(_ *header, l *calibrators) { l.base = encode(t, codectest.Tiny()) }, "base: predicts binary"},
	})
	_, err := decodeBytes(writeCalibrated(t, codectest.TinyCalibrated(), func(h *header, _ *calibrators) { h.Method = "beta" }))
	var unknown *codec.UnsupportedError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), `unknown calibration "beta"`) {
		t.Errorf("a method that is not known: %v", err)
	}
}

// Models inside each other end somewhere, also where committees and calibrated models take turns.
func TestDeeplyCalibrated(t *testing.T) {
	at := func(depth int) []byte {
		m := codectest.TinyCalibrated()
		b := memberFile(t, m.Base, &m.Meta)
		for range depth {
			b = writeCalibrated(t, m, func(h *header, l *calibrators) {
				h.Common, h.Classes, h.Schema.Fields, l.base = true, nil, nil, b
			})
		}
		return writeCalibrated(t, m, func(_ *header, l *calibrators) { l.base = b })
	}
	if _, err := decodeBytes(at(committee.MaxDepth - 1)); err != nil {
		t.Errorf("%d models around one: %v", committee.MaxDepth, err)
	}
	if _, err := decodeBytes(at(committee.MaxDepth)); err == nil || !strings.Contains(err.Error(), "more than 16 models inside each other") {
		t.Errorf("%d models around one: %v", committee.MaxDepth+1, err)
	}
}
