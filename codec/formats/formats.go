// Package formats owns the table of model file formats, and what takes the place of a model that
// a format cannot hold. Programs that read whatever a user hands
// them import it; those that only use Coppice's own models need no more than the root package.
package formats

import (
	"strings"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/catboost"
	"github.com/coppice-ml/coppice/codec/h2o"
	"github.com/coppice-ml/coppice/codec/lightgbm"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/codec/onnx"
	"github.com/coppice-ml/coppice/codec/plainjson"
	"github.com/coppice-ml/coppice/codec/pmml"
	"github.com/coppice-ml/coppice/codec/xgboost"
	"github.com/coppice-ml/coppice/codec/ydf"
)

// Table returns all formats. A new one is a folder beside this and a row here.
func Table() []codec.Format {
	return []codec.Format{
		native.Format(),
		catboost.Format(),
		catboost.FormatJSON(),
		h2o.Format(),
		lightgbm.Format(),
		lightgbm.FormatJSON(),
		onnx.Format(),
		plainjson.Format(),
		pmml.Format(),
		xgboost.JSON(),
		xgboost.UBJSON(),
		xgboost.Binary(),
		xgboost.Dump(xgboost.DumpOptions{}),
		ydf.Format(),
	}
}

// sniffLen is the number of bytes of a file that Find needs, or all of a shorter file.
const sniffLen = 512

// Find returns the format of a file that starts with head, nil if none recognises it.
func Find(head []byte) *codec.Format {
	return first(func(f *codec.Format) bool { return f.Decode != nil && f.Sniff(head) })
}

// ByName returns the format of the given name, nil if there is none.
func ByName(name string) *codec.Format {
	return first(func(f *codec.Format) bool { return f.Name == name })
}

// BySuffix returns the format that files called so usually have, nil if none claims the name. The
// longest suffix wins.
func BySuffix(path string) *codec.Format {
	var best *codec.Format
	length := 0
	for _, f := range Table() {
		for _, s := range f.Suffix {
			if len(s) > length && strings.HasSuffix(path, s) {
				best, length = &f, len(s)
			}
		}
	}
	return best
}

func first(is func(*codec.Format) bool) *codec.Format {
	for _, f := range Table() {
		if is(&f) {
			return &f
		}
	}
	return nil
}
