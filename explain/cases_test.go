package explain_test

import (
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

func TestMain(m *testing.M) {
	tier.RandomCases(100)
	m.Run()
}
