package coppice

import (
	"bytes"
	"context"

	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
	"github.com/coppice-ml/coppice/ranks"
)

// record is what Train stores of the training rows: their hash and their profile.
type record struct {
	*training
	target   *data.Target
	features *data.Hashing
	rows     []int32 // for the profile: each row once, ascending
	builder  *profile.Builder
	drawn    *drawnRows // nil: golden rows are not drawn
}

// record begins to watch the features of a data set as they are read.
func (t *training) record(ds *data.BlockDataset, features *data.Hashing) *record {
	r := &record{training: t, target: &ds.Target, features: features,
		rows: data.InOrder(ds.Chosen(t.job.Rows))}
	features.Watch = r.begin
	return r
}

// begin returns what takes the training rows, from the first on.
func (r *record) begin() (add func(f *data.Frame, rows []int32)) {
	r.builder = profile.New(r.features.Fields(), len(r.rows),
		profile.Options{Workers: r.job.Workers, NoExtremes: r.stored.noExtremes})
	r.drawn = &drawnRows{}
	if r.stored.drawn {
		r.drawn.at = profile.LeastHashes(len(r.rows), model.GoldenRows)
	}
	return func(f *data.Frame, rows []int32) {
		r.drawn.add(f, rows)
		if !r.stored.noProfile {
			r.builder.Add(f, rows)
		}
	}
}

// checkMemory returns an error if the profile of a table in blocks takes more than the limit of
// memory, with the labels.
func (r *record) checkMemory() error {
	if _, inBlocks := r.features.InMemory(); inBlocks == nil || r.stored.noProfile {
		return nil
	}
	const rowBytes = 4 + 8 // of a position and a label
	return r.env.Memory.Check(option.Expand("the profile of the training rows ({no-profile} leaves it out)"),
		profile.Bytes(r.features.Fields(), len(r.rows))+rowBytes*int64(len(r.rows)))
}

// store writes the record into the model. Of a table in blocks only the first of several ranks has
// read all rows. It broadcasts the record unless the training failed, as then the others may have
// ended.
func (r *record) store(ctx context.Context, m model.Model, complete bool) error {
	s := m.Spec()
	g := ranks.Of(r.env.Ranks)
	f, inBlocks := r.features.InMemory()
	own := &model.TrainedOn{Seed: r.job.Seed}
	s.TrainedOn, s.Profile, s.Golden, s.Notes = own, nil, nil, r.stored.notes
	s.Evaluations = nil
	var values []float64
	if inBlocks == nil || g.Rank() == 0 {
		own.Table = r.features.Hash(r.job.Workers)
		s.Profile = r.profile(f)
		values = r.drawn.values(&s.Schema)
	}
	switch {
	case !complete:
		return nil
	case inBlocks == nil || g.Size() == 1:
		s.Golden = r.golden(m, values)
		return nil
	}
	var sent []byte
	if g.Rank() == 0 {
		hash, err := own.Table.MarshalText()
		if err != nil {
			return err
		}
		described, err := native.EncodeProfile(s.Profile)
		if err != nil {
			return err
		}
		sent = bytes.Join([][]byte{hash, sentValues(values), described}, []byte("\n"))
	}
	sent, err := g.Broadcast(ctx, 0, sent)
	if err != nil {
		return err
	}
	hash, rest, _ := bytes.Cut(sent, []byte("\n"))
	drawn, described, _ := bytes.Cut(rest, []byte("\n"))
	if err := own.Table.UnmarshalText(hash); err != nil {
		return err
	}
	if values, err = receivedValues(drawn); err != nil {
		return err
	}
	if s.Profile, err = native.DecodeProfile(described); err == nil {
		s.Golden = r.golden(m, values)
	}
	return err
}

// profile returns the profile of the training rows, nil if there is to be none. A frame in memory
// is read for it; the blocks of others were watched.
func (r *record) profile(f *data.Frame) *model.Profile {
	switch {
	case f != nil && (!r.stored.noProfile || r.stored.drawn):
		r.begin()(f, r.rows)
	case r.builder == nil: // there is to be none, or the training ended before it read a block
		r.drawn = &drawnRows{}
		return nil
	}
	if r.stored.noProfile {
		return nil
	}
	return r.builder.Profile(r.target, r.rows)
}
