package lightgbm

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// encodeModel writes a model as text of version v4, which LightGBM 4 reads. A file that would
// predict otherwise is a *codec.UnsupportedError.
func encodeModel(w io.Writer, m model.Model) error {
	return parity.EncodeTrees(w, m, Format(), encode)
}

// encode is Encode without the comparison of file and model.
func encode(w io.Writer, e *model.Ensemble) error {
	p, err := newPlan(e)
	if err != nil {
		return err
	}
	return p.write(w)
}

// write writes the file. Each tree is laid out twice, for its size and for its text, so that one
// tree at a time is in memory.
func (p *plan) write(w io.Writer) error {
	sizes, text := []byte("tree_sizes="), []byte(nil)
	number := 0
	each := func(use func(text []byte) error) error {
		number = 0
		for _, iteration := range p.parts {
			for _, one := range iteration {
				t, err := p.lay(one)
				if err != nil {
					return err
				}
				text = t.append(fmt.Appendf(text[:0], "Tree=%d\n", number))
				if err := use(text); err != nil {
					return err
				}
				number++
			}
		}
		return nil
	}
	err := each(func(text []byte) error {
		if number > 0 {
			sizes = append(sizes, ' ')
		}
		sizes = strconv.AppendInt(sizes, int64(len(text)), 10)
		return nil
	})
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.Write(p.header())
	out.Write(append(sizes, "\n\n"...))
	if err := each(func(text []byte) error { _, err := out.Write(text); return err }); err != nil {
		return err
	}
	rest, err := p.rest()
	if err != nil {
		return err
	}
	out.Write(rest)
	return out.Flush()
}

// header returns the lines before tree_sizes.
func (p *plan) header() []byte {
	k := len(p.parts[0])
	b := fmt.Appendf(nil, "tree\nversion=v4\nnum_class=%d\nnum_tree_per_iteration=%d\n"+
		"label_index=0\nmax_feature_idx=%d\n", k, k, len(p.fields)-1)
	if p.objective != "" {
		b = fmt.Appendf(b, "objective=%s\n", p.objective)
	}
	if p.average {
		b = append(b, "average_output\n"...)
	}
	b = append(b, "feature_names="...)
	for i := range p.fields {
		b = separate(b, i)
		b = append(b, p.fields[i].Name...)
	}
	b = append(b, "\nfeature_infos="...)
	for i := range p.fields {
		b = separate(b, i)
		f := &p.fields[i]
		switch {
		case f.Kind != data.Categorical:
			b = append(b, "[-inf:inf]"...)
			continue
		case len(f.Levels) == 0:
			b = append(b, "none"...)
		}
		for code := range f.Levels {
			if code > 0 {
				b = append(b, ':')
			}
			if codes := p.codes[i]; codes != nil {
				code = int(codes[code])
			}
			b = strconv.AppendInt(b, int64(code), 10)
		}
	}
	return append(b, '\n')
}

// separate appends a space before all elements of a list but the first.
func separate(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ' ')
	}
	return b
}

// append appends the lines of a tree.
func (t *fileTree) append(b []byte) []byte {
	b = fmt.Appendf(b, "num_leaves=%d\nnum_cat=%d\n", len(t.value), len(t.catAt)-1)
	b = appendIntegers(b, "split_feature", t.feature)
	b = appendFloats(b, "threshold", t.threshold)
	b = appendIntegers(b, "decision_type", t.decision)
	b = appendIntegers(b, "left_child", t.left)
	b = appendIntegers(b, "right_child", t.right)
	b = appendFloats(b, "leaf_value", t.value)
	if t.count != nil {
		b = appendFloats(b, "leaf_count", t.count)
		b = appendFloats(b, "internal_count", t.innerCounts())
	}
	if len(t.catAt) > 1 {
		b = appendIntegers(b, "cat_boundaries", t.catAt)
		b = appendIntegers(b, "cat_threshold", t.cats)
	}
	e := t.linear
	if e == nil {
		return append(b, "is_linear=0\nshrinkage=1\n\n\n"...)
	}
	terms := make([]int32, len(e.constant))
	for i := range terms {
		terms[i] = e.at[i+1] - e.at[i]
	}
	b = append(b, "is_linear=1\n"...)
	b = appendFloats(b, "leaf_const", e.constant)
	b = appendIntegers(b, "num_features", terms)
	b = appendIntegers(b, "leaf_features", e.feature)
	b = appendFloats(b, "leaf_coeff", e.coef)
	return append(b, "shrinkage=1\n\n\n"...)
}

// innerCounts returns the training rows of inner nodes, whose children come after them.
func (t *fileTree) innerCounts() []float64 {
	counts := make([]float64, len(t.feature))
	for i := len(counts) - 1; i >= 0; i-- {
		for _, c := range [2]int32{t.left[i], t.right[i]} {
			if c < 0 {
				counts[i] += t.count[^c]
			} else {
				counts[i] += counts[c]
			}
		}
	}
	return counts
}

func appendIntegers[T int32 | uint32 | uint8](b []byte, key string, numbers []T) []byte {
	b = append(append(b, key...), '=')
	for i, x := range numbers {
		b = strconv.AppendInt(separate(b, i), int64(x), 10)
	}
	return append(b, '\n')
}

// appendFloats appends numbers with the fewest digits that make them up; whole ones have no
// exponent where that is not longer.
func appendFloats(b []byte, key string, numbers []float64) []byte {
	b = append(append(b, key...), '=')
	for i, x := range numbers {
		b = separate(b, i)
		if x == float64(int64(x)) && x < 1<<53 && x > -1<<53 && x != 0 {
			b = strconv.AppendInt(b, int64(x), 10)
			continue
		}
		text := strings.ToLower(strconv.FormatFloat(x, 'g', -1, 64))
		b = append(b, strings.TrimPrefix(text, "+")...)
	}
	return append(b, '\n')
}

// rest returns what follows the trees: which columns are categorical, and the names of their
// categories unless all are bare codes.
func (p *plan) rest() ([]byte, error) {
	b := []byte("end of trees\n\nfeature_importances:\n\nparameters:\n[categorical_feature: ")
	frame, n := []any{}, 0
	for i := range p.fields {
		f := &p.fields[i]
		if f.Kind != data.Categorical {
			continue
		}
		if n++; n > 1 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(i), 10)
		frame = append(frame, pandasLevels(f))
	}
	b = append(b, "]\n\nend of parameters\n\npandas_categorical:"...)
	if !p.named && n > 0 {
		return append(b, "null\n"...), nil
	}
	list, err := json.Marshal(frame)
	if err != nil {
		return nil, err
	}
	return append(append(b, list...), '\n'), nil
}

// pandasLevels returns the levels of a column as a data frame that was read from a table has them:
// as numbers, or as truth values, if all are such.
func pandasLevels(f *data.Field) []any {
	truths := make([]any, len(f.Levels))
	for i, level := range f.Levels {
		if level != "True" && level != "False" {
			return foreign.JSONLevels(f)
		}
		truths[i] = level == "True"
	}
	return truths
}
