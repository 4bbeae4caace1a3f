package native

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"runtime"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/model"
)

// ID returns the hash of what a model predicts with, 32 hexadecimal digits: the first half of the
// SHA-256 of its bare sections. It takes time in proportion to the size of the file.
//
// Bare sections hold what predictions of rows, labels and leaves depend on: the schema by which
// tables are read, trees or what the model consists of else, link, costs, threshold and positive
// class, and all of that of members. They leave out how the model came about: label and roles,
// learner, parameters, summary, training, search, statistics of nodes, the tool it comes from, and
// all sections about it, such as profile, evaluations and notes.
//
// Errors are those of Encode.
func ID(m model.Model) (_ string, err error) {
	defer foreign.Ended(&err)
	sections := predicting(m, nil, true)
	h := sha256.New()
	for i := range sections {
		io.WriteString(h, sections[i].name+"\x00")
		h.Write(le.AppendUint64(nil, uint64(sections[i].size)))
		if err := sections[i].emit(h); err != nil {
			return "", err
		}
	}
	runtime.KeepAlive(m) // its arrays may lie in a mapped file
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// bareSpec returns what predictions depend on.
func bareSpec(s *model.Spec) *model.Spec {
	return &model.Spec{Schema: s.Schema, Task: s.Task, Classes: s.Classes, Decision: s.Decision,
		Quantiles: s.Quantiles}
}

// bareEnsemble returns what predictions depend on.
func bareEnsemble(e *model.Ensemble) *model.Ensemble {
	own := *e
	own.State, own.Origin, own.Trees = nil, nil, nil
	if e.Origin != nil {
		own.Origin = &model.Origin{Leaf: e.Origin.Leaf}
	}
	for _, t := range e.Trees {
		bare := *t
		bare.Stats, bare.Cover = nil, nil
		own.Trees = append(own.Trees, &bare)
	}
	return &own
}

// memberSections returns the sections of the file of a member, bare if that is requested.
func memberSections(m model.Model, around *model.Spec, bare bool) (_ []section, err error) {
	defer foreign.Ended(&err)
	if bare {
		return predicting(m, around, true), nil
	}
	return sectionsOf(m, around), nil
}
