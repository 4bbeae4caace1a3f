package catboost

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// Files whose parts are as small as JSON allows take no more memory than their size allows.
func TestMemory(t *testing.T) {
	tier.NotShort(t, "reads models at many limits")
	const size = 4 << 20
	many := func(before, part, after string) []byte {
		return []byte(before + strings.Repeat(part+",", size/(len(part)+1)) + part + after)
	}
	var hashes strings.Builder
	for i := 0; hashes.Len() < size; i++ {
		fmt.Fprintf(&hashes, `{"hash":%d},`, i)
	}
	trees := `{"features_info":{"float_features":[{"feature_index":0,"flat_feature_index":0,"borders":[1]}]},`
	for name, b := range map[string][]byte{
		"columns":    many(`{"features_info":{"float_features":[`, `{}`, `]}}`),
		"categories": many(`{"features_info":{"categorical_features":[`, `{}`, `]}}`),
		"statistics": many(`{"features_info":{"ctrs":[`, `{}`, `]}}`),
		"borders":    many(`{"features_info":{"float_features":[{"borders":[`, `0`, `]}]}}`),
		"elements":   many(`{"features_info":{"ctrs":[{"elements":[`, `{"combination_element":"cat_feature_value"}`, `]}]}}`),
		"texts":      []byte(`{"features_info":{"cat_features_hash":[` + hashes.String() + `{}]}}`),
		"escapes":    many(`{"model_info":{"class_params":{"class_names":[`, `"\n"`, `]}}}`),
		"labels":     many(`{"model_info":{"class_params":{"class_names":[`, `1`, `]}}}`),
		"members":    many(`{"features_info":{`, `"\n":0`, `}}`),
		"leaves":     many(`{"oblivious_trees":[`, `{"splits":[],"leaf_values":[0]}`, `]}`),
		"splits":     many(trees+`"oblivious_trees":[`, `{"splits":[{"split_index":0}],"leaf_values":[0,1]}`, `]}`),
		"nodes":      many(trees+`"trees":[`, `{"split":{"split_index":0},"left":{"value":0},"right":{"value":1}}`, `]}`),
		"tables":     many(`{"ctr_data":{`, `"{}":{}`, `}}`),
		"rows":       many(`{"ctr_data":{"{\"type\":\"Counter\"}":{"hash_map":[`, `"1",2`, `],"hash_stride":2}}}`),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := FormatJSON().Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
		runtime.ReadMemStats(&after)
		var limit *codec.LimitError
		took, most := after.TotalAlloc-before.TotalAlloc, uint64(codec.Limits{}.MemoryFor(int64(len(b))))
		t.Logf("%s: %d of %d bytes, %.1f for each, limit error %v", name, took, most, float64(took)/float64(len(b)),
			errors.As(err, &limit))
		if took > most {
			t.Errorf("%s: %d bytes are allocated, the limit is %d", name, took, most)
		}
	}
}
