package catboost

import (
	"math"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// readJSON reads a file in JSON.
func readJSON(in *source) *file {
	j := &scan{in.JSON(in.reader, in.size), in}
	f := &file{scale: 1}
	columns, statistics, trees := columnScan{j, f}, statisticScan{j, f}, treeScan{j, f}
	j.Object(func(name string) {
		switch name {
		case "model_info":
			infoScan{j, &f.info}.all()
		case "features_info":
			columns.all()
		case "oblivious_trees":
			j.Array(func(int) { trees.oblivious() })
		case "trees":
			j.Array(func(int) { trees.tree() })
		case "ctr_data":
			statistics.tables()
		case "scale_and_bias":
			j.scaleAndBias(f)
		default:
			j.Skip()
		}
	})
	j.End()
	in.at = j.Offset()
	if f.dims == 0 && len(f.trees) == 0 {
		f.dims = max(1, len(f.bias))
	}
	return f
}

// scan reads JSON: a file, or a text in one.
type scan struct {
	*jsonscan.Scanner
	in *source
}

// inner returns a scan of a text that is itself JSON.
func (in *source) inner(text string) *scan {
	j := &scan{jsonscan.NewText(nil, in.Take), in}
	if j.Take(int64(len(text))) {
		j.Scanner = jsonscan.NewText([]byte(text), in.Take)
	}
	return j
}

// adopt keeps the error of a scan of a text.
func (j *scan) adopt(inner *scan) {
	if err := inner.Err(); err == nil || foreign.Typed(err) {
		j.Stop(err)
	} else {
		j.Fail("in a text: %w", err)
	}
}

// keep appends a value to a slice of the file.
func keep[T any](j *scan, s *[]T, v T) {
	*s = push(j.in, *s, v)
}

func (j *scan) int32() int32 { return int32(j.Int(math.MinInt32, math.MaxInt32)) }

// float32s reads an array of numbers.
func (j *scan) float32s(to *[]float32) {
	j.Array(func(int) { keep(j, to, float32(j.Finite())) })
}

func (j *scan) float64s(to *[]float64) {
	j.Array(func(int) { keep(j, to, j.Finite()) })
}

func (j *scan) scaleAndBias(f *file) {
	j.Array(func(i int) {
		switch {
		case i == 0:
			f.scale = j.Finite()
		case i == 1 && j.Next() == '[':
			j.float64s(&f.bias)
		case i == 1: // until 0.24
			keep(j, &f.bias, j.Finite())
		default:
			j.Skip()
		}
	})
}
