package metric_test

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/metric"
)

// Each metric is called by words, which are no identifiers and differ from each other.
func TestWords(t *testing.T) {
	for name, want := range map[string]string{"balanced_accuracy": "balanced accuracy",
		"ndcg@10": "NDCG@10", "auc": "AUC", "pinball@0.9": "pinball loss@0.9",
		"made_up": "made up", "top_k_accuracy@3": "top-3 accuracy"} {
		if got := metric.Words(name); got != want {
			t.Errorf("%s is called %q, want %q", name, got, want)
		}
	}
	seen := map[string]string{}
	for _, name := range metric.Names() {
		words := metric.Words(name)
		if strings.Contains(words, "_") || seen[words] != "" {
			t.Errorf("%s is called %q, as %q", name, words, seen[words])
		}
		seen[words] = name
	}
}
