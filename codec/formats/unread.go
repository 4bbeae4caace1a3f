package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/humanize"
)

// unread are files of models that no format reads, each with the way out. They are known by their
// first bytes, or by their names.
var unread = []struct {
	heads    []string
	suffixes []string
	why      string
}{
	{[]string{"version https://git-lfs.github.com/spec/"}, nil,
		"it is a pointer of Git LFS: git lfs pull fetches the file itself"},
	{[]string{"\x80\x02", "\x80\x03", "\x80\x04", "\x80\x05"}, []string{".pkl", ".pickle", ".joblib"},
		"a pickle is a program of Python; there write ONNX, by tools/sklearn2onnx.py, or the tool's " +
			"own model file"},
	{[]string{"booster[0]"}, nil,
		"it is XGBoost's dump as text: write it by dump_model(FILE, dump_format=\"json\"), or better " +
			"by save_model"},
	{[]string{"## LambdaMART", "## MART", "## Random Forests", "## AdaRank", "## RankNet",
		"## RankBoost", "## Coordinate Ascent", "## ListNet", "## Linear Regression"}, nil,
		"it is a model of RankLib: train gbm with loss=lambdarank on the same table of LibSVM"},
	{[]string{`{"format":"coppice-json",`}, nil, "it is an export as plain JSON, which is for other " +
		"programs: open the model that it was made of"},
	{nil, []string{".mlmodel", ".mlpackage"},
		"Core ML files are not read: write ONNX of the model that it was made of"},
	{nil, []string{".h5", ".keras", ".pt", ".pth"},
		"networks of Keras and PyTorch are not read, only models of trees and linear ones"},
}

// unreadFolders are folders of models that no format reads, each with a name that they have.
var unreadFolders = []struct{ name, why string }{
	{"saved_model.pb", "it is a TensorFlow SavedModel: of TF-DF give the folder assets in it, which is " +
		"a model of YDF"},
	{"stages", "it is a pipeline of Spark: give the folder of its XGBoost stage, below stages"},
}

// unknown returns ErrUnknown, with the way out, or the formats that the name of a file suggests.
func unknown(path string, head []byte) error {
	for _, u := range unread {
		if slices.ContainsFunc(u.heads, func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }) ||
			slices.ContainsFunc(u.suffixes, func(s string) bool {
				return strings.HasSuffix(strings.ToLower(path), s)
			}) {
			return fmt.Errorf("%w: %s", ErrUnknown, u.why)
		}
	}
	switch names := suggested(path); len(names) {
	case 0:
		return ErrUnknown
	case 1:
		return fmt.Errorf("%w: its name suggests %s, but its content is not of that format",
			ErrUnknown, names[0])
	default:
		return fmt.Errorf("%w: its name suggests %s, but its content is of none of them",
			ErrUnknown, humanize.Or(names))
	}
}

// unknownFolder is unknown for a folder with some names in it.
func unknownFolder(names []string) error {
	for _, u := range unreadFolders {
		if slices.Contains(names, u.name) {
			return fmt.Errorf("%w: %s", ErrUnknown, u.why)
		}
	}
	return fmt.Errorf("%w: a folder has to be a model of YDF, with a header.pb, or of XGBoost4J-Spark, "+
		"with the folders metadata and data", ErrUnknown)
}
