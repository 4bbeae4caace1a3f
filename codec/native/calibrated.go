package native

import (
	"bytes"
	"io"
	"unsafe"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// curves is the section of a calibrated model: its curves, and the model that goes through them as
// a file of its own, like a member of a committee. Of two isotonic curves with two and three
// corners,
//
//	corners   2    3
//	at        0 1  0 .5 1
type calibrators struct {
	slope, intercept []float64 // of each curve
	corners          []uint32  // number of corners of each curve
	at, value        []float64 // of the corners
	base             []uint8
}

func (l *calibrators) arrays() []array {
	return []array{
		whole("slope", required, &l.slope),
		whole("intercept", required, &l.intercept),
		whole("corners", required, &l.corners),
		whole("at", required, &l.at),
		whole("value", required, &l.value),
		whole("base", required, &l.base),
	}
}

// newCurves lays out the curves of a valid model, without its base.
func newCurves(m *committee.Calibrated) *calibrators {
	l := &calibrators{}
	for i := range m.Calibrators {
		u := &m.Calibrators[i]
		l.slope, l.intercept = append(l.slope, u.Slope), append(l.intercept, u.Intercept)
		l.corners = append(l.corners, uint32(len(u.At)))
		l.at, l.value = append(l.at, u.At...), append(l.value, u.Value...)
	}
	return l
}

func encodeCalibrated(m model.Model, h *header) []array {
	c := m.(*committee.Calibrated)
	h.Method = c.Method.String()
	l := newCurves(c)
	file, err := memberSections(c.Base, &c.Meta, h.bare)
	foreign.Check(inBase(0, err))
	arrays := l.arrays()
	base := &arrays[len(arrays)-1] // is written without being in memory first
	base.count = func() int64 { return fileSize(file) }
	base.emit = func(w io.Writer) error { return writeFile(w, file) }
	return arrays
}

func decodeCalibrated(f *file, h *header, s *model.Spec, p *payload) model.Checked {
	if f.depth >= committee.MaxDepth {
		p.corrupt(0, "more than %d models inside each other", committee.MaxDepth)
	}
	l := &calibrators{}
	p.loadAll(l.arrays())
	c := &committee.Calibrated{Meta: *s}
	named(&c.Method, h.Method)
	n := len(l.slope)
	if len(l.intercept) != n || len(l.corners) != n || len(l.at) != len(l.value) {
		p.corrupt(0,
			"%d slopes, %d intercepts and %d numbers of corners of curves, %d places and %d "+
				"values of corners",
			n, len(l.intercept), len(l.corners), len(l.at), len(l.value))
	}
	f.take(memberCost + int64(n)*int64(unsafe.Sizeof(committee.Calibrator{})))
	for i, corners := range l.corners {
		k := uint64(corners)
		if k > uint64(len(l.at)) {
			p.corrupt(0, "curve %d has %d corners, %d are left", i, k, len(l.at))
		}
		u := committee.Calibrator{Slope: l.slope[i], Intercept: l.intercept[i]}
		if k > 0 {
			u.At, u.Value = l.at[:k:k], l.value[:k:k]
			l.at, l.value = l.at[k:], l.value[k:]
		}
		c.Calibrators = append(c.Calibrators, u)
	}
	if len(l.at) > 0 {
		p.corrupt(0, "%d corners belong to no curve", len(l.at))
	}
	own := &file{r: bytes.NewReader(l.base), memory: l.base, size: int64(len(l.base)), around: s,
		depth: f.depth + 1, owner: f.owner, budget: f.budget}
	base, err := own.decode()
	foreign.Check(inBase(p.at+int64(len(p.data)-len(l.base)), err))
	c.Base = base
	return c
}

// inBase reports that something is wrong in the file of the base, which starts at a place of the
// file around it.
func inBase(at int64, err error) error { return inPart("base", at, err) }
