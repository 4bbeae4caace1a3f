package coppice

import (
	"bytes"
	"context"

	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
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
}

// record begins to watch the features of a data set as they are read.
func (t *training) record(ds *data.BlockDataset, features *data.Hashing) *record {
	r := &record{training: t, target: &ds.Target, features: features,
		rows: data.InOrder(ds.Chosen(t.job.Rows))}
	if !t.noProfile {
		features.Watch = func() func(*data.Frame, []int32) {
			r.builder = r.begin()
			return r.builder.Add
		}
	}
	return r
}

func (r *record) begin() *profile.Builder {
	return profile.New(r.features.Fields(), len(r.rows),
		profile.Options{Workers: r.job.Workers, NoExtremes: r.noExtremes})
}

// store writes the record into the model. Of a table in blocks only the first of several ranks has
// read all rows. It broadcasts the record unless the training failed, as then the others may have
// ended.
func (r *record) store(ctx context.Context, s *model.Spec, complete bool) error {
	g := ranks.Of(r.env.Ranks)
	f, inBlocks := r.features.InMemory()
	own := &model.TrainedOn{Seed: r.job.Seed}
	s.TrainedOn, s.Profile = own, nil
	if inBlocks == nil || g.Rank() == 0 {
		own.Table = r.features.Hash(r.job.Workers)
		s.Profile = r.profile(f)
	}
	if inBlocks == nil || g.Size() == 1 || !complete {
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
		sent = append(append(hash, '\n'), described...)
	}
	sent, err := g.Broadcast(ctx, 0, sent)
	if err != nil {
		return err
	}
	hash, described, _ := bytes.Cut(sent, []byte("\n"))
	if err := own.Table.UnmarshalText(hash); err != nil {
		return err
	}
	s.Profile, err = native.DecodeProfile(described)
	return err
}

// profile returns the profile of the training rows, nil if there is to be none. A frame in memory
// is read for it; the blocks of others were watched.
func (r *record) profile(f *data.Frame) *model.Profile {
	switch {
	case r.noProfile:
		return nil
	case f != nil:
		r.builder = r.begin()
		r.builder.Add(f, r.rows)
	case r.builder == nil: // the training ended before it read a block
		return nil
	}
	return r.builder.Profile(r.target, r.rows)
}
