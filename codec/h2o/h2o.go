// Package h2o owns the MOJO files of H2O-3: a zip archive with model.ini, the categories of columns
// in domains, and a tree in each file of trees. The format is that of the readers of h2o-genmodel
// (ModelMojoReader, SharedTreeMojoReader and SharedTreeMojoModel.scoreTree), MOJO versions 1.2 to
// 1.4.
//
// # What is read
//
// Distributed random forests (drf) of numbers and classes, and gradient boosting (gbm) of these
// distributions:
//
//	bernoulli, quasibinomial, modified_huber   logistic, classes
//	multinomial                                softmax, classes
//	gaussian, laplace, quantile, huber         identity, numbers
//	poisson, gamma, tweedie                    exp, numbers
//
// A number goes left if it is below the split point in double precision. A missing value goes as
// the node states, and so does a category that the split does not know. The threshold of a model of
// two classes decides labels, as in H2O.
//
// A forest with trees for each class divides the sums of their leaves by their sum. Where all are 0
// H2O has no probabilities, and these are equal. H2O draws among equal classes, and here the label
// is the first.
//
// Leaves have numbers by their order in the file of their tree. Covers and gains are not read.
//
// # What is refused
//
// A *codec.UnsupportedError names what is refused: other algorithms, balanced classes, offsets,
// encodings of categories other than H2O's own, and files of H2O before 3.12. Calibrated
// probabilities are left out, as H2O has them beside its predictions.
package h2o

import (
	"bytes"
	"fmt"
	"io"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/model"
)

// formatName is the name of the format.
const formatName = "h2o-mojo"

// Format returns the row for the table of formats.
func Format() codec.Format {
	return codec.Format{
		Name:   formatName,
		Suffix: []string{".mojo"},
		Sniff:  sniff,
		Decode: func(r io.ReaderAt, size int64, l codec.Limits) (m model.Model, err error) {
			defer foreign.Ended(&err)
			f, b := read(r, size, l)
			e, err := f.model(b)
			foreign.Check(wrap(err, "model"))
			return e, nil
		},
		Reference: func(r io.ReaderAt, size int64, l codec.Limits) (ref codec.Reference, err error) {
			defer foreign.Ended(&err)
			f, _ := read(r, size, l)
			return &reference{f}, nil
		},
		Foreign: true,
	}
}

// sniff looks for the first file of an archive. H2O writes trees first, and other programs that
// pack its folders begin with another file.
func sniff(head []byte) bool {
	const header = 30 // of a file in a zip archive, before its name
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) || len(head) < header {
		return false
	}
	for _, name := range []string{iniName, "trees/t", "domains/d"} {
		if bytes.HasPrefix(head[header:], []byte(name)) {
			return true
		}
	}
	return false
}

// corrupt ends reading by damage of a file of the archive.
func corrupt(section, format string, args ...any) {
	foreign.Check(&codec.CorruptError{Format: formatName, Section: section,
		Err: fmt.Errorf(format, args...)})
}

func unsupported(format string, args ...any) {
	foreign.Check(&codec.UnsupportedError{Format: formatName, What: fmt.Sprintf(format, args...)})
}

// wrap makes an error of a section a *codec.CorruptError, unless it is one of package codec.
func wrap(err error, section string) error {
	if err == nil || foreign.Typed(err) {
		return err
	}
	return &codec.CorruptError{Format: formatName, Section: section, Err: err}
}
