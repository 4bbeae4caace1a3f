package lightgbm_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/lightgbm"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// fewSets is a file whose first column has codes that are far apart, and whose second has few.
func fewSets() []byte {
	const far = 1<<16/32 + 2 // words
	set := strings.TrimSpace(strings.Repeat("0 ", far-1)) + " 5"
	return []byte("tree\nversion=v4\nnum_class=1\nmax_feature_idx=1\nfeature_names=a b\nfeature_infos=none none\n\n" +
		"Tree=0\nnum_leaves=4\nsplit_feature=0 1 0\nthreshold=0 1 0\ndecision_type=1 1 1\nleft_child=1 -1 -3\n" +
		fmt.Sprintf("right_child=2 -2 -4\nleaf_value=1 2 4 8\nnum_cat=2\ncat_boundaries=0 %d %d\ncat_threshold=%s 6\n\n", far, far+1, set))
}

// Columns whose codes are few beside one whose codes are far apart keep them.
func TestFewCodesBesideFarOnes(t *testing.T) {
	b := fewSets()
	m, err := lightgbm.Format().Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	const far = 1<<16 + 32 // the first code of the last word, of which those at 0 and 2 are in the set
	if levels := m.Spec().Schema.Fields[0].Levels; !slices.Equal(levels, []string{fmt.Sprint(far), fmt.Sprint(far + 2)}) {
		t.Fatalf("levels %q", levels)
	}
	p, err := m.Bind(&data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}}}, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []float64{far, far + 1, far + 2, 0, 2} {
		for second := range 4 {
			want := 8.0
			if first == far || first == far+2 {
				if want = 2; second == 1 || second == 2 {
					want = 1
				}
			}
			got := []float64{0}
			if err := p.PredictRow(got, []float64{first, float64(second)}); err != nil || got[0] != want {
				t.Errorf("codes %v and %d: %v, %v, want %v", first, second, got, err, want)
			}
		}
	}
}

// A model that fits into some memory fits into more, and where it does not fit the error is that of
// the limit: no part of a file is read without memory for it.
func TestMoreMemoryIsEnough(t *testing.T) {
	files := map[string][]byte{"few codes": fewSets()}
	for name, b := range texts(t) {
		files[name] = b
	}
	for name, b := range dumps(t) {
		files["dump "+name] = b
	}
	const n = 60
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint("a", i))
	}
	files["columns"] = []byte(fmt.Sprintf("tree\nversion=v4\nnum_class=1\nmax_feature_idx=%d\nfeature_names=%s\nfeature_infos=%s\n\n",
		n-1, strings.Join(names, " "), words("0:1:2", n)))
	files["trees"] = []byte("tree\nversion=v4\nnum_class=1\nmax_feature_idx=0\nfeature_names=a\nfeature_infos=none\n\n" +
		strings.Repeat("Tree=0\nnum_leaves=1\nnum_cat=0\nleaf_value=1\n\n", n))
	files["equations"] = []byte("tree\nversion=v4\nnum_class=1\nmax_feature_idx=0\nfeature_names=a\nfeature_infos=none\n\n" +
		"Tree=0\nnum_cat=0\n" + chain(n, "2", "1") + "is_linear=1\nleaf_const=" + words("1", n) + "\nnum_features=" + words("1", n) +
		"\nleaf_features=" + words("0", n) + "\nleaf_coeff=" + words("1", n) + "\n")
	files["codes"] = []byte("tree\nversion=v4\nnum_class=1\nmax_feature_idx=0\nfeature_names=a\nfeature_infos=0:600\n\n" +
		"Tree=0\nnum_leaves=1\nnum_cat=0\nleaf_value=1\n")
	files["frame"] = []byte("tree\nversion=v4\nnum_class=1\nmax_feature_idx=0\nfeature_names=a\nfeature_infos=0:1\n\n" +
		"Tree=0\nnum_leaves=1\nnum_cat=0\nleaf_value=1\n\npandas_categorical:[[\"" + strings.Join(names, "\",\"") + "\"]]\n")
	for name, b := range files {
		f := lightgbm.Format()
		if strings.HasPrefix(name, "dump") {
			f = lightgbm.FormatJSON()
		}
		decoded := func(limit int64) bool {
			_, err := f.Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{Memory: limit})
			if over := (*codec.LimitError)(nil); err != nil && (!errors.As(err, &over) || over.Limit != limit) {
				t.Fatalf("%s: limit %d: %v", name, limit, err)
			}
			return err == nil
		}
		enough := int64(1)
		for !decoded(enough) {
			enough *= 2
		}
		fits := false
		for limit, step := int64(len(b)), max(1, enough/150); limit <= enough+step; limit += step {
			now := decoded(limit)
			if fits && !now {
				t.Fatalf("%s: %d bytes are not enough, and %d are", name, limit, limit-step)
			}
			fits = now
		}
	}
}

var errBroken = errors.New("this call fails")

// failingAt reads and writes up to a byte, where it fails.
type failingAt struct {
	io.ReaderAt
	at, written int64
}

func (f *failingAt) ReadAt(b []byte, from int64) (int, error) {
	if from+int64(len(b)) > f.at {
		n, _ := f.ReaderAt.ReadAt(b[:max(0, f.at-from)], from)
		return n, errBroken
	}
	return f.ReaderAt.ReadAt(b, from)
}

func (f *failingAt) Write(b []byte) (int, error) {
	if f.written += int64(len(b)); f.written > f.at {
		return 0, errBroken
	}
	return len(b), nil
}

// Files that cannot be read or written further have that error.
func TestBrokenFiles(t *testing.T) {
	written := 0
	for name, b := range texts(t) {
		m, err := lightgbm.Format().Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var whole bytes.Buffer
		if err := lightgbm.Format().Encode(&whole, m); err != nil {
			t.Logf("%s is not written: %v", name, err)
			whole.Reset()
		} else {
			written++
		}
		for at := int64(0); at < int64(whole.Len()); at += 1 + int64(whole.Len())/7 {
			if err := lightgbm.Format().Encode(&failingAt{at: at}, m); !errors.Is(err, errBroken) {
				t.Errorf("%s: a file that ends at byte %d of %d: %v", name, at, whole.Len(), err)
			}
		}
		for at := int64(0); at < int64(len(b)); at += 1 + int64(len(b))/7 {
			r := &failingAt{ReaderAt: bytes.NewReader(b), at: at}
			if _, err := lightgbm.Format().Decode(r, int64(len(b)), codec.Limits{}); !errors.Is(err, errBroken) {
				t.Errorf("%s: reading fails at byte %d: %v", name, at, err)
			}
			if _, err := lightgbm.Format().Reference(r, int64(len(b)), codec.Limits{}); !errors.Is(err, errBroken) {
				t.Errorf("%s: reading the reference fails at byte %d: %v", name, at, err)
			}
		}
	}
	if written < 4 {
		t.Errorf("%d files are written", written)
	}
	for name, b := range dumps(t) {
		for at := int64(0); at < int64(len(b)); at += 1 + int64(len(b))/7 {
			r := &failingAt{ReaderAt: bytes.NewReader(b), at: at}
			if _, err := lightgbm.FormatJSON().Decode(r, int64(len(b)), codec.Limits{}); !errors.Is(err, errBroken) {
				t.Errorf("%s: reading fails at byte %d: %v", name, at, err)
			}
			if _, err := lightgbm.FormatJSON().Reference(r, int64(len(b)), codec.Limits{}); !errors.Is(err, errBroken) {
				t.Errorf("%s: reading the reference fails at byte %d: %v", name, at, err)
			}
		}
	}
}
