package native

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
)

// FuzzDecode tries any bytes, as they are and with their checksums mended. Whatever is accepted can
// be written again and comes back equal, also with other findings of its training in the header,
// and predicts: of a small table and of rows by themselves, with the same answers.
func FuzzDecode(f *testing.F) {
	for _, m := range codectest.Models() {
		b := encode(f, m)
		f.Add(b)
		for _, n := range []int{0, 7, headSize - 1, headSize, headSize + sectionHeadSize, len(b) / 2, len(b) - 1} {
			f.Add(b[:n])
		}
	}
	for _, c := range append(hostile[:20:20], hostileMembers[:10]...) {
		f.Add(write(f, codectest.Full(), c.edit))
	}
	f.Add(writeRules(f, func(_ *header, l *ruleList) { l.conditions[0] = math.MaxUint32 }))
	f.Add(writeCommittee(f, func(_ *header, l *memberFiles) { l.size[0] += align }))
	f.Add(writeCommittee(f, func(_ *header, l *memberFiles) { l.models[headSize+5]++ }))
	f.Add(writeNeighbours(f, func(_ *header, r *neighbourRows) { r.class = append(r.class, 0) }))
	f.Add(writeMachine(f, func(_ *header, m *machineSums) { m.coef = m.coef[1:] }))
	f.Add(writeNetwork(f, func(_ *header, w *layerWeights) { w.layers.In = w.layers.In[1:] }))
	for _, c := range hostileProfiles[5:20] {
		f.Add(profiledFile(f, codectest.Profiled(), c.edit))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, file := range [][]byte{b, reseal(bytes.Clone(b))} {
			codectest.Behaves(t, Format(), file)
			m, err := decodeBytes(file)
			if there, err2 := DecodeInPlace(inMemory(file), nil, codec.Limits{}); fmt.Sprint(err) != fmt.Sprint(err2) || err == nil && codectest.Diff(m, there) != "" {
				t.Fatalf("read: %v; in place: %v", err, err2)
			}
			if err == nil {
				codectest.Predicts(t, m)
				spec := m.Spec()
				for i := range uint64(3) {
					again, err := decodeBytes(encode(t, m))
					if err != nil || codectest.Diff(m, again) != "" {
						t.Fatalf("an accepted model does not come back: %v\n%s", err, codectest.Diff(m, again))
					}
					spec.Summary = codectest.Mutant(rand.New(rand.NewPCG(i, uint64(len(file)))), spec.Summary, spec.Params)
				}
				continue
			}
			var (
				corrupt     *codec.CorruptError
				unsupported *codec.UnsupportedError
				limit       *codec.LimitError
			)
			if !errors.As(err, &corrupt) && !errors.As(err, &unsupported) && !errors.As(err, &limit) {
				t.Fatalf("error of type %T: %v", err, err)
			}
		}
	})
}
