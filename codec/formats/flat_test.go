package formats_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
)

// Every format of trees takes a model that is one ensemble of them, as the ensemble itself. Other
// models are refused in the same words.
func TestEnsemblesOfOneAreTrees(t *testing.T) {
	e, _, err := formats.Open("testdata/clients/gbm-number.coppice", codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	pair := &committee.Committee{Meta: *e.Spec(), Members: []model.Model{e, e}}
	flat, ok := model.AsTrees(pair)
	if !ok {
		t.Fatal("the ensemble of two is no ensemble of trees")
	}
	for _, f := range formats.Table() {
		if f.Encode == nil || !f.Foreign {
			continue
		}
		var got, want bytes.Buffer
		if err := errors.Join(f.Encode(&got, pair), f.Encode(&want, flat)); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		} else if !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%s: the files differ", f.Name)
		}
		var unsupported *codec.UnsupportedError
		if err := f.Encode(&got, codectest.FullCommittee()); !errors.As(err, &unsupported) || unsupported.Format != f.Name {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
