// Package catboost owns the model files of CatBoost.
package catboost

import (
	"bytes"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/model"
)

// The names of the formats in errors and in the table of formats.
const (
	binaryName = "catboost"
	jsonName   = "catboost-json"
)

// Format returns the row of .cbm files for the table of formats.
func Format() codec.Format { return format(binaryName, sniffBinary, readBinary, ".cbm") }

// FormatJSON returns the row of JSON files for the table of formats.
func FormatJSON() codec.Format {
	return format(jsonName, sniffJSON, readJSON, ".cbm.json", ".catboost.json")
}

func format(
	name string, sniff func([]byte) bool, read func(*source) (*file, error), suffix ...string,
) codec.Format {
	open := func(r io.ReaderAt, size int64, l codec.Limits) (*file, *source, error) {
		in, err := newSource(name, r, size, l)
		if err != nil {
			return nil, nil, err
		}
		f, err := read(in)
		if err != nil {
			return nil, nil, err
		}
		return f, in, f.check(in)
	}
	return codec.Format{
		Name: name, Suffix: suffix, Sniff: sniff, Foreign: true,
		Decode: func(r io.ReaderAt, size int64, l codec.Limits) (model.Model, error) {
			f, in, err := open(r, size, l)
			if err != nil {
				return nil, err
			}
			m, err := f.model(in)
			if err != nil {
				return nil, err
			}
			return m, nil
		},
		Reference: func(r io.ReaderAt, size int64, l codec.Limits) (codec.Reference, error) {
			f, in, err := open(r, size, l)
			if err != nil {
				return nil, err
			}
			ref, err := f.reference(in)
			if err != nil {
				return nil, err
			}
			return ref, nil
		},
	}
}

func sniffBinary(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// sniffJSON looks for a member that only CatBoost's files start with. Their members stand in the
// order of the alphabet, or of their making.
func sniffJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	head = bytes.TrimLeft(head[1:], " \t\r\n")
	for _, name := range []string{"ctr_data", "features_info", "model_info", "oblivious_trees"} {
		if bytes.HasPrefix(head, []byte(`"`+name+`"`)) {
			return true
		}
	}
	return false
}
